import {
  encodeVenueError,
  formatJson,
  type AnswerProfile,
  type VenueErrorCode,
} from '../../venue/wire/index.js';
import type { ExchangeRefusal } from '../refusal.js';

/** An answer in the form in which it is sent. */
export interface WireAnswer {
  readonly status: number;
  readonly body: string;
  /** @defaultValue 'application/json' */
  readonly contentType?: string;
  readonly retryAfterMs?: number;
}

/** HTTP statuses by code, for codes with another status than 400. Source: public material, HTTP status of errors, confidence high for 429, 418, 5xx. */
const STATUSES: Partial<Readonly<Record<VenueErrorCode, number>>> = {
  '-1000': 500,
  '-1001': 500,
  '-1002': 401,
  '-1003': 429,
  '-1006': 500,
  '-1007': 504,
  '-1016': 503,
  '-1022': 401,
  '-1023': 401,
  '-1024': 401,
  '-2014': 401,
  '-2015': 401,
};

/** Statuses with a meaning that the body cannot carry. The family's form keeps them, too; all its other errors have status 200. */
const KEPT_STATUSES: ReadonlySet<number> = new Set([418, 429, 500, 502, 503, 504]);

/** Writes a refusal in the form of a profile. `status` overrides that of the code. */
export function writeRefusal(
  refusal: ExchangeRefusal,
  profile: AnswerProfile,
  { status = STATUSES[refusal.code] ?? 400, retryAfterMs }: RefusalOptions = {},
): WireAnswer {
  return {
    status: profile === 'family' && !KEPT_STATUSES.has(status) ? 200 : status,
    body: formatJson(encodeVenueError(refusal, profile)),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

export interface RefusalOptions {
  readonly status?: number;
  readonly retryAfterMs?: number;
}
