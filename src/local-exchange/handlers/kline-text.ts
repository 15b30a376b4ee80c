import type { Candle } from '../../domain/index.js';
import { encodeKlines, formatJson, type AnswerProfile } from '../../venue/wire/index.js';
import type { CandleParts } from '../exchange-market.js';

/** Texts of closed candles by their list. A list that is kept is written only once. */
const TEXTS: Readonly<Record<AnswerProfile, WeakMap<readonly Candle[], string>>> = {
  interface: new WeakMap(),
  family: new WeakMap(),
};

/** The answer to a request for klines, newest first. */
export function klineText({ closed, open }: CandleParts, profile: AnswerProfile): string {
  let text = TEXTS[profile].get(closed);
  if (text === undefined) {
    text = entriesOf(closed, profile);
    TEXTS[profile].set(closed, text);
  }
  if (open === undefined) return `[${text}]`;
  return `[${entriesOf([open], profile)}${text === '' ? '' : ','}${text}]`;
}

/** Writes candles without the brackets around them. */
function entriesOf(candles: readonly Candle[], profile: AnswerProfile): string {
  return formatJson(encodeKlines(candles, profile)).slice(1, -1);
}
