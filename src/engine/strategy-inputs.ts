/**
 * What news or an answer is about: `money` in an account, `orders` and fills with their ids and times, or anything `else` that follows from
 * positions and prices.
 */
export type InputSubject = 'money' | 'orders' | 'else';

/**
 * Is told what a strategy learns besides the candles and marks of the market, which are the same in every run on the same data: a strategy that
 * has learned the same in two runs is in the same state in both.
 */
export interface StrategyInputs {
  /** It was told, without asking. */
  told(news: unknown, subject: InputSubject): void;
  /** It asked. The same question is the same text. */
  answered(question: string, answer: unknown, subject: InputSubject): void;
}
