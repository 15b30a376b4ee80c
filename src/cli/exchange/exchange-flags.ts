import type { ClockMode } from '../../local-exchange/index.js';
import type { AnswerProfile } from '../../venue/wire/index.js';

/** Options of `exchange` as commander parses them. */
export interface ExchangeFlags {
  readonly port?: number;
  readonly profile?: AnswerProfile;
  readonly clock?: ClockMode;
  readonly speed?: number;
  readonly state?: string;
  readonly synthetic?: number;
  readonly json?: true;
}
