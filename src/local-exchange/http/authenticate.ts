import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { EpochMs } from '../../domain/index.js';
import { refuse, type ExchangeRefusal } from '../refusal.js';
import type { IncomingCall } from './incoming-call.js';

/** How long a request stays valid if it has no recvWindow. Source: public material, recvWindow, confidence high. */
export const DEFAULT_WINDOW_MS = 5_000;
/** How far ahead of the clock a timestamp may be. Source: as above. */
const MAX_AHEAD_MS = 1_000;
/** Longest window. A longer one is refused, because it would keep a signature valid for too long. */
export const MAX_WINDOW_MS = 60_000;

/** A span of server time with which timestamps are compared. Both ends are equal for a single instant. */
interface ServerTimeSpan {
  readonly from: EpochMs;
  readonly to: EpochMs;
}

/** The data against which signed calls are checked. */
export interface AuthenticationContext<T> {
  /** Finds the holder of a key. */
  readonly holderOf: (
    key: string,
  ) => { readonly holder: T; readonly secret: KeyObject } | undefined;
  /** Clocks by which a timestamp may be right; one of them is enough. */
  readonly clocks: readonly ServerTimeSpan[];
  readonly recvWindow: number;
}

/**
 * Checks key, timestamp and signature. Timestamp: `timestamp < now + 1000 && now - timestamp <= recvWindow`. Signature: HMAC-SHA256 over
 * `timestamp + METHOD + path[?query] + body`, byte for byte as sent, in hex of either letter case.
 *
 * Source: public material, authentication, confidence high.
 */
export function authenticate<T>(
  call: IncomingCall,
  context: AuthenticationContext<T>,
): { readonly kind: 'known'; readonly holder: T } | ExchangeRefusal {
  const key = call.header('x-ch-apikey') ?? '';
  const timestamp = call.header('x-ch-ts') ?? '';
  const signature = call.header('x-ch-sign') ?? '';
  if (key === '') return refuse('-1002', 'the header X-CH-APIKEY is missing');
  if (timestamp === '') return refuse('-1023', 'the header X-CH-TS is missing');
  if (signature === '') return refuse('-1024', 'the header X-CH-SIGN is missing');
  if (!/^[\x21-\x7e]{1,128}$/.test(key)) {
    return refuse('-2014', 'expected an API key of 1 to 128 printable characters');
  }
  const found = context.holderOf(key);
  if (found === undefined) return refuse('-2015', 'the API key is not known here');
  if (!/^\d{13}$/.test(timestamp)) {
    return refuse('-1021', 'expected X-CH-TS as 13 digits, UTC milliseconds');
  }
  const clock = outOfWindow(Number(timestamp), context);
  if (clock !== undefined) return clock;
  if (!isSignedBy(found.secret, call, { timestamp, signature })) {
    return refuse('-1022', 'the signature does not fit timestamp, method, path and body as sent');
  }
  return { kind: 'known', holder: found.holder };
}

function outOfWindow<T>(
  timestamp: EpochMs,
  { clocks, recvWindow }: AuthenticationContext<T>,
): ExchangeRefusal | undefined {
  const fits = clocks.some(
    ({ from, to }) => timestamp < to + MAX_AHEAD_MS && from - timestamp <= recvWindow,
  );
  if (fits) return undefined;
  const ranges = clocks.map(
    ({ from, to }) => `${String(from - recvWindow)} to ${String(to + MAX_AHEAD_MS - 1)}`,
  );
  return refuse(
    '-1021',
    `expected a timestamp from ${ranges.join(', or from ')}, received ${String(timestamp)}`,
  );
}

function isSignedBy(
  secret: KeyObject,
  { method, target, body }: IncomingCall,
  sent: { readonly timestamp: string; readonly signature: string },
): boolean {
  const expected = createHmac('sha256', secret)
    .update(sent.timestamp + method + target)
    .update(body)
    .digest();
  if (!/^[0-9a-fA-F]{64}$/.test(sent.signature)) return false;
  return timingSafeEqual(expected, Buffer.from(sent.signature, 'hex'));
}
