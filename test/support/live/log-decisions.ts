import type { RiskApproved, OrderRequest, Refusal } from '../../../src/domain/index.js';
import type { LogDecision } from '../../../src/live/index.js';
import { aLimitRequest, aMarketRequest } from '../order-requests.js';
import { aRunFill } from '../run-records.js';

const time = Date.UTC(2025, 5, 1, 12);
const order = aLimitRequest({ quantity: '0.25', limitPrice: '60000.5' });
const { instrumentId, clientOrderId } = order;
const verdict = {
  intentId: 1,
  time,
  intent: { kind: 'enter', direction: 'long', size: { equity: '0.95' } },
} as const;
const refusal: Refusal = {
  check: 'max-order-notional',
  limit: '5000',
  actual: '9500',
  unit: 'USDT',
  text: 'the order is above 5000 USDT',
};

/** One decision of each kind, with the line it is described by. */
export const LOG_DECISIONS: readonly (readonly [string, LogDecision])[] = [
  [
    'approved enter long spot:BTCUSDT: buy 0.25 base of spot:BTCUSDT at 60000.5 to open',
    {
      kind: 'verdict',
      time,
      instrumentId,
      verdict: {
        ...verdict,
        decision: { kind: 'approved', orders: [order as RiskApproved<OrderRequest>], changes: [] },
      },
    },
  ],
  [
    'refused enter long spot:BTCUSDT: the order is above 5000 USDT (max-order-notional)',
    {
      kind: 'verdict',
      time,
      instrumentId,
      verdict: { ...verdict, decision: { kind: 'refused', refusal } },
    },
  ],
  [
    'approved flatten spot:BTCUSDT',
    {
      kind: 'verdict',
      time,
      instrumentId,
      verdict: {
        ...verdict,
        intent: { kind: 'flatten' },
        decision: { kind: 'approved', orders: [], changes: [] },
      },
    },
  ],
  [
    'sends sell 0.25 base of spot:BTCUSDT at market to close (order-1)',
    { kind: 'submit', time, order: aMarketRequest({ quantity: '0.25' }) },
  ],
  ['cancels order-1 of spot:BTCUSDT', { kind: 'cancel', time, clientOrderId, instrumentId }],
  [
    'order-1 is open',
    { kind: 'order', time, clientOrderId, instrumentId, status: 'open', reason: undefined },
  ],
  [
    'order-1 is rejected: too small (-1013)',
    {
      kind: 'order',
      time,
      clientOrderId,
      instrumentId,
      status: 'rejected',
      reason: { code: '-1013', text: 'too small' },
    },
  ],
  [
    'filled buy 0.5 spot:BTCUSDT at 60000, fee 30 USDT (order-1)',
    {
      kind: 'fill',
      time,
      fill: aRunFill({ quantity: '0.5', price: '60000', fee: '30' }).record,
    },
  ],
  [
    'filled buy 0.5 spot:BTCUSDT at 60000 by force: liquidation, fee 30 USDT (order-1)',
    {
      kind: 'fill',
      time,
      fill: aRunFill({ quantity: '0.5', price: '60000', fee: '30' }).record,
      cause: 'liquidation',
    },
  ],
];
