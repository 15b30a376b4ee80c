import { MINUTE_MS } from '../../src/domain/index.js';
import type { FaultRuleInput } from '../../src/local-exchange/index.js';
import { FUTURES_ID, SPOT_ID } from '../support/local-exchange/test-exchange.js';

const probability = 0.05;

/** Faults that each affect one call in twenty, independently. About four in ten calls meet at least one fault that ends them. */
export const DRAWN: readonly FaultRuleInput[] = [
  { fault: 'latency', delayMs: 50, jitterMs: 500, spikeMs: 4_000, spikeProbability: 0.2 },
  { fault: 'reset-before' },
  { fault: 'reset-after' },
  { fault: 'answer-lost' },
  { fault: 'server-error', status: 503 },
  { fault: 'timeout-after' },
  { fault: 'rate-limited' },
  { fault: 'truncated-json' },
  { fault: 'malformed-json' },
  { fault: 'html', status: 200 },
  { fault: 'frozen-ticker' },
  { fault: 'repeated-kline' },
  { fault: 'missing-kline' },
  { fault: 'duplicate-kline' },
  { fault: 'unordered-klines' },
  { fault: 'many-fills', pieces: 3 },
  // Shorter than the search for an order without an answer. An order hidden for longer would rightly count as absent.
  { fault: 'hidden-order', hiddenMs: 10_000 },
  { fault: 'cancel-fills' },
  { fault: 'maintenance' },
].map((rule) => ({ ...rule, probability }) as FaultRuleInput);

/**
 * A ban ends every call of the process until its owner has lifted it and started the bot again, so at 5 % no bot would live for a minute. It
 * has its own life of the bot, before the day.
 */
export const BAN: FaultRuleInput = { fault: 'banned', probability };

/** How long each lasting fault is in force per hour: 5 % of the time. */
export const WINDOW_MS = 3 * MINUTE_MS;

/** Faults that last for a time, and the minute of every hour in which they begin. */
export const LASTING: readonly { readonly minute: number; readonly rule: FaultRuleInput }[] = [
  { minute: 4, rule: { fault: 'connection-refused', durationMs: WINDOW_MS } },
  // Beyond the window of timestamps, so requests signed by the old clock are refused. The times of orders stay right, so by this clock they look too late, or
  // earlier than their requests.
  { minute: 14, rule: { fault: 'clock-skew', offsetMs: -8_000 } },
  { minute: 54, rule: { fault: 'clock-skew', offsetMs: 8_000 } },
  { minute: 24, rule: { fault: 'clock-drift', ppm: -20_000 } },
  { minute: 34, rule: { fault: 'untradable', instrument: SPOT_ID } },
  { minute: 44, rule: { fault: 'precision', instrument: FUTURES_ID, pricePrecision: 1 } },
];
