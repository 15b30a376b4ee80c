import { describe, expect, it } from 'vitest';

import {
  createInstrumentId,
  type ClientOrderId,
  type OrderRequest,
  type RiskApproved,
} from '../../../../src/domain/index.js';
import type { Command } from '../../../../src/engine/index.js';
import { LockstepTravel } from '../../../../src/assembly/parity/lockstep-travel.js';
import { LockstepTime } from '../../../../src/assembly/parity/lockstep-time.js';
import { aLimitRequest } from '../../../support/order-requests.js';

const START = Date.UTC(2025, 0, 1);

function aCancel(id: string): Command {
  const instrumentId = createInstrumentId('spot', 'BTCUSDT');
  return { kind: 'cancel', clientOrderId: id as ClientOrderId, instrumentId };
}

function anOrder(id: string): Command {
  return { kind: 'submit', order: aLimitRequest({ id }) as RiskApproved<OrderRequest> };
}

/** Sends commands with these latencies at the start. Returns the arrival of each in ms. */
function arrivals(latencies: readonly number[]): readonly (readonly [string, number])[] {
  const time = new LockstepTime(START);
  const left = [...latencies];
  const travel = new LockstepTravel({
    time,
    latency: { delayMs: () => left.shift() ?? 0 },
    answeredAt: () => time.now(),
  });
  const arrived: (readonly [string, number])[] = [];
  for (const index of latencies.keys()) {
    travel.send(aCancel(String(index)), START, () => {
      arrived.push([String(index), time.now() - START]);
    });
  }
  for (let due = time.nextDue(); due < Number.POSITIVE_INFINITY; due = time.nextDue()) {
    time.moveTo(due);
    while (time.fire('arrivals'));
  }
  return arrived;
}

/** Sends orders and then cancels with these latencies in ms. No candle is open before `opens`. */
function inGap(
  opens: number,
  orders: Readonly<Record<string, number>>,
  cancels: Readonly<Record<string, number>> = {},
): readonly string[] {
  const time = new LockstepTime(START);
  const left = [...Object.values(orders), ...Object.values(cancels)];
  const travel = new LockstepTravel({
    time,
    latency: { delayMs: () => left.shift() ?? 0 },
    answeredAt: () => Math.max(time.now(), START + opens),
  });
  const arrived: string[] = [];
  const note = (text: string) => () => {
    arrived.push(`${text} +${String(time.now() - START)}`);
  };
  for (const id of Object.keys(orders)) travel.send(anOrder(id), START, note(id));
  for (const id of Object.keys(cancels)) travel.send(aCancel(id), START, note(`cancel ${id}`));
  for (let due = time.nextDue(); due < Number.POSITIVE_INFINITY; due = time.nextDue()) {
    time.moveTo(due);
    while (time.fire('arrivals'));
  }
  return arrived;
}

describe('LockstepTravel', () => {
  it('delivers commands after their latency, in order of arrival', () => {
    expect(arrivals([300, 100, 200])).toEqual([
      ['1', 100],
      ['2', 200],
      ['0', 300],
    ]);
  });

  it('keeps the order of commands that arrive at the same instant', () => {
    expect(arrivals([100, 100, 100])).toEqual([
      ['0', 100],
      ['1', 100],
      ['2', 100],
    ]);
  });

  it('delivers a command without latency at the instant it was sent', () => {
    expect(arrivals([0])).toEqual([['0', 0]]);
  });

  it('holds an order back until a candle opens, in order of arrival', () => {
    expect(inGap(500, { first: 300, second: 100, third: 700 })).toEqual([
      'second +500',
      'first +500',
      'third +700',
    ]);
  });

  it('holds an order back for ever if no candle opens any more', () => {
    expect(inGap(Number.POSITIVE_INFINITY, { only: 100 })).toEqual([]);
  });

  it('delivers a held order together with its cancel', () => {
    expect(inGap(500, { one: 100, other: 100 }, { one: 200 })).toEqual([
      'one +200',
      'cancel one +200',
      'other +500',
    ]);
  });

  it('delivers each held order right before its own cancel, as a backtest answers them', () => {
    expect(inGap(500, { one: 100, other: 100 }, { other: 200, one: 200 })).toEqual([
      'other +200',
      'cancel other +200',
      'one +200',
      'cancel one +200',
    ]);
  });

  it('holds commands back that exceed the rate limits of the venue', () => {
    const late = arrivals(Array.from({ length: 200 }, () => 0)).filter(([, at]) => at > 0);

    expect(late.length).toBeGreaterThan(0);
    // Held commands keep the order of sending.
    expect(late.map(([id]) => Number(id))).toEqual(
      late.map(([id]) => Number(id)).toSorted((a, b) => a - b),
    );
  });
});
