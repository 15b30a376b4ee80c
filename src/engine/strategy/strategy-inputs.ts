/**
 * Subject of news or of an answer: `money` in an account, `orders` and fills with their ids and times, or anything `else` that follows from
 * positions and prices.
 */
export type InputSubject = 'money' | 'orders' | 'else';

/**
 * Receives all that a strategy learns besides the candles and marks of the market, which are the same in every run on the same data. A strategy that
 * has learned the same in two runs is in the same state in both.
 */
export interface StrategyInputs {
  /** The strategy received news without asking. */
  told(news: unknown, subject: InputSubject): void;
  /** The strategy asked. The same question has the same text. */
  answered(question: string, answer: unknown, subject: InputSubject): void;
}
