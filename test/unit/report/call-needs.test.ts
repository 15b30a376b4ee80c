import { describe, expect, it } from 'vitest';
import {
  CANCELED_ON_REQUEST,
  createInstrumentId,
  MINUTE_MS,
  type OrderState,
} from '../../../src/domain/index.js';
import { listCalls } from '../../../src/assembly/list-calls.js';
import { countCalls, listCallWarnings } from '../../../src/report/summary/call-needs.js';
import type { RunOrder } from '../../../src/report/index.js';
import { aLimitRequest } from '../../support/order-requests.js';
import { aRunRecord, RUN_START } from '../../support/run-records.js';

const SPOT = createInstrumentId('spot', 'BTCUSDT');
const FUTURES = createInstrumentId('futures', 'E-BTC-USDT');
const CALLS = listCalls({
  instruments: [
    { instrumentId: SPOT, kind: 'spot', intervals: ['1min', '1h'] },
    { instrumentId: FUTURES, kind: 'futures', intervals: ['1min'] },
  ],
  simulation: { updatePollMs: 2_000, stopPollMs: 'auto' },
} as never);

interface Sent {
  readonly at: number;
  /** When the venue ended it without a request. */
  readonly ended?: number;
  readonly instrumentId?: typeof SPOT;
  readonly canceled?: number;
  readonly cause?: RunOrder['cause'];
}

function anOrder({ at, instrumentId = SPOT, ...sent }: Sent): RunOrder {
  const { canceled, ended = at, cause = 'signal' } = sent;
  const reason = canceled === undefined ? undefined : CANCELED_ON_REQUEST;
  const state = {
    createdTime: RUN_START + at,
    updatedTime: RUN_START + (canceled ?? ended),
    reason,
  };
  return {
    request: aLimitRequest({ instrumentId }),
    cause,
    label: undefined,
    state: state as OrderState,
  };
}

function needsOf(sent: readonly Sent[], closingOrders = 0) {
  const orders = sent.map((one) => anOrder(one));
  return new Map(
    countCalls(aRunRecord({ calls: CALLS, orders, closingOrders })).map((need) => [
      need.limit,
      need,
    ]),
  );
}

const many = (count: number, sent: Sent): readonly Sent[] =>
  Array.from({ length: count }, () => sent);

describe('countCalls', () => {
  it('counts the candles of a run without orders, and the marks of contracts', () => {
    expect([...needsOf([]).values()]).toEqual([
      { limit: 'futures', allowed: 120, peak: 2, mean: 2 },
      { limit: 'spot.klines', allowed: 600, peak: 2, mean: 2 },
    ]);
  });

  it('finds the most orders of any 60 s, and the mean over the run', () => {
    const day = 1_440 * MINUTE_MS;
    const needs = needsOf([
      ...many(3, { at: 59_000 }),
      ...many(4, { at: 61_000 }),
      ...many(5, { at: 119_000 }),
      { at: day },
    ]);
    expect(needs.get('spot.order')).toEqual({
      limit: 'spot.order',
      allowed: 3_000,
      peak: 9,
      mean: Math.round((13 / 2_880) * 100) / 100,
    });
  });

  it('counts up to ten spot cancels at one time as one call, and a single cancel as its own call', () => {
    const needs = needsOf([
      ...many(25, { at: 0, canceled: 5_000 }),
      ...many(11, { at: 0, canceled: 6_000 }),
      { at: 0, canceled: 7_000 },
    ]);
    expect(needs.get('spot.batchCancel')?.peak).toBe(4);
    expect(needs.get('spot.cancel')?.peak).toBe(2);
  });

  it('counts no cancel for an order that ended by itself', () => {
    const needs = needsOf([
      { at: 0, ended: 5_000 },
      { at: 0, canceled: 90_000 },
    ]);
    expect(needs.get('spot.cancel')?.peak).toBe(1);
  });

  it('counts each cancel of a contract, polls of orders, and polls of last after a reached stop', () => {
    const orders = many(5, { at: 0, canceled: 1_000, instrumentId: FUTURES });
    expect(needsOf(orders).get('futures')?.peak).toBe(2 + 30 + 5 + 5);
    const stop: Sent = { at: 200_000, instrumentId: FUTURES, cause: 'stop-loss' };
    expect(needsOf([...orders, stop]).get('futures')?.peak).toBe(2 + 30 + 30 + 5 + 5);
  });

  it('excludes the closing orders of the run and the orders of the venue', () => {
    const needs = needsOf([{ at: 0, cause: 'liquidation' }, { at: 1 }], 1);
    expect(needs.has('spot.order')).toBe(false);
  });
});

describe('listCallWarnings', () => {
  it('warns above one half of the allowed calls', () => {
    const need = { limit: 'futures', allowed: 120, mean: 2 };
    expect(listCallWarnings([{ ...need, peak: 60 }])).toEqual([]);
    expect(listCallWarnings([{ ...need, peak: 61 }])).toEqual([
      'calls: live, the busiest minute would need 61 of the limit "futures", more than half of the 120 that the venue allows',
    ]);
  });
});
