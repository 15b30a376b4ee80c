import { describe, expect, it } from 'vitest';

import { MINUTE_MS } from '../../../src/domain/index.js';
import { CANDLE_PLAN } from '../../../src/feed/index.js';
import {
  quantile,
  runOnOneKey,
  type CandleDelay,
  type CountedCall,
  type SharedRun,
} from '../../support/live/bots-on-one-key.js';
import {
  CONTRACTS,
  expectSampled,
  GUARDED_MINUTES,
  heldIn,
  isFutures,
} from '../../support/live/guarded-contracts.js';
import { range, type BotPlan } from '../../support/live/one-key-plans.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { mostInAnyWindow } from '../../support/windows.js';

/** Ten pairs that every bot watches, and ten contracts of which each belongs to one bot. */
const MIXED: readonly BotPlan[] = [
  { pairs: range(0, 10), contracts: range(10, 4) },
  { pairs: range(0, 10), contracts: range(14, 3) },
  { pairs: range(0, 10), contracts: range(17, 3) },
];
/** Time from one poll of futures to the next: a window of one second plus the 1 ms by which clocks may differ. A call takes no time here. */
const SLOT_MS = 1_001;
/** How long the candles of one close wait for the late ones. */
const ALIGN_MS = 2_000;
const MINUTES = 10;

describe('three bots and 20 instruments on one key', () => {
  it('never exceed a limit, and receive candles as soon as the budget allows', async () => {
    const run = await runOnOneKey(MIXED, { ...(await aRun()), trades: true });

    report('10 pairs, 10 contracts', run);
    expectWithinLimits(run);
    // Candles of contracts come late here, so candles of pairs wait for them up to the maximum.
    expect(longest(delaysOf(run, 'spot:'))).toBeLessThanOrEqual(
      CANDLE_PLAN.settleMs + ALIGN_MS + SLOT_MS,
    );
    expectContractsInTime(run, 10);
    expect(run.orders).toBeGreaterThan(40);
  });

  it('poll each candle series and each mark once for all bots', async () => {
    const run = await runOnOneKey(MIXED, { ...(await aRun()), trades: false });
    const minutes = spanOf(run.calls) / MINUTE_MS;

    report('10 pairs, 10 contracts, no orders', run);
    for (const id of ['spot.klines', 'futures.klines', 'futures.index'])
      expect(callsOf(run, id).length / minutes).toBeLessThanOrEqual(11);
    expectContractsInTime(run, 10);
  });

  it('share 2 calls a second if all instruments are contracts', async () => {
    const run = await runOnOneKey(CONTRACTS, { ...(await aRun()), trades: false });

    report('20 contracts, no orders', run);
    expectWithinLimits(run);
    expectContractsInTime(run, 20);
  });

  it('sample the stops of 20 contracts on schedule beside all other calls', async () => {
    const run = await runOnOneKey(CONTRACTS, {
      ...{ folder: await temporaryFolder(), minutes: GUARDED_MINUTES },
      ...{ trades: false, guards: true },
    });

    report('20 contracts, guarded', run);
    expect(heldIn(run.statuses)).toBe(20);
    expect(run.calls.filter(({ served }) => !served)).toEqual([]);
    expect(mostInAnyWindow(run.calls.filter(isFutures), 1_000)).toBeLessThanOrEqual(2);
    expectSampled(run);
    // Stops take a third of the slots, the account an eighth. Counted are only the minutes after the last entry.
    const settled = delaysOf(run, 'futures:').filter(
      ({ closeTime }) => closeTime > (run.calls.at(-1)?.at ?? 0) - 3 * MINUTE_MS,
    );
    const slots = (20 + 2 * run.delays.length) / (1 - 1 / 3 - 1 / 8) + 4;
    expect(settled.length).toBeGreaterThanOrEqual(20);
    expect(longest(settled)).toBeLessThanOrEqual(CANDLE_PLAN.settleMs + slots * SLOT_MS);
  });

  it('share 2 calls a second also while they trade contracts', async () => {
    const run = await runOnOneKey(CONTRACTS, { ...(await aRun()), trades: true });

    report('20 contracts', run);
    expectWithinLimits(run);
    expectContractsInTime(run, 20);
    expect(run.orders).toBeGreaterThan(15);
  });
});

async function aRun(): Promise<{ readonly folder: string; readonly minutes: number }> {
  return { folder: await temporaryFolder(), minutes: MINUTES };
}

/** The exchange refused no call, no window of a limit was exceeded, every bot was running at every full minute, and no candle is missing. */
function expectWithinLimits({ calls, delays, statuses }: SharedRun): void {
  expect(calls.filter(({ served }) => !served)).toEqual([]);
  const buckets = new Set(calls.map(({ endpoint }) => endpoint.rateLimit.bucket));
  for (const bucket of buckets) {
    const own = calls.filter(({ endpoint }) => endpoint.rateLimit.bucket === bucket);
    const { count, windowMs } = own[0]?.endpoint.rateLimit ?? { count: 0, windowMs: 0 };
    expect(mostInAnyWindow(own, windowMs), bucket).toBeLessThanOrEqual(count);
  }
  const states = statuses.flat().map(({ state, reasons }) => [state, ...reasons].join(': '));
  expect(new Set(states)).toEqual(new Set(['running']));
  for (const list of delays) {
    const perMinute = new Set(list.map(({ instrumentId }) => instrumentId)).size;
    expect(list).toHaveLength(perMinute * (MINUTES - 1));
  }
}

/** Follows docs/feed.md. Readings of the account take at most half of the slots while orders work, and an eighth if none was sent. */
function expectContractsInTime(run: SharedRun, contracts: number): void {
  const orders = callsOf(run, 'futures.order');
  const share = orders.length === 0 ? 1 / 8 : 1 / 2;
  for (const { closeTime, delayMs } of delaysOf(run, 'futures:')) {
    const own = orders.filter(({ at }) => at >= closeTime && at < closeTime + delayMs).length;
    const slots = (contracts + 2 * own + run.delays.length) / (1 - share) + 4;
    expect(delayMs).toBeLessThanOrEqual(CANDLE_PLAN.settleMs + slots * SLOT_MS);
  }
}

function delaysOf({ delays }: SharedRun, product: string): readonly CandleDelay[] {
  return delays.flat().filter(({ instrumentId }) => instrumentId.startsWith(product));
}

function callsOf({ calls }: SharedRun, id: string): readonly CountedCall[] {
  return calls.filter(({ endpoint }) => endpoint.id === id);
}

function longest(delays: readonly CandleDelay[]): number {
  return quantile(delays, 1);
}

function spanOf(calls: readonly CountedCall[]): number {
  return (calls.at(-1)?.at ?? 0) - (calls[0]?.at ?? 0);
}

function report(name: string, run: SharedRun): void {
  const lines = ['spot:', 'futures:'].map((product) => {
    const delays = delaysOf(run, product);
    const [median, p99, most] = [0.5, 0.99, 1].map((part) => quantile(delays, part) / 1_000);
    return `${product} ${String(delays.length)} candles, ${String(median)} s median, ${String(p99)} s p99, ${String(most)} s at most`;
  });
  const perMinute = (id: string): string =>
    (callsOf(run, id).length / (spanOf(run.calls) / MINUTE_MS)).toFixed(1);
  const ids = [...new Set(run.calls.map(({ endpoint }) => endpoint.id))];
  const rates = ids.map((id) => `${id} ${perMinute(id)}`).join(', ');
  console.info(`${name}: ${lines.join('; ')}; calls per minute: ${rates}`);
}
