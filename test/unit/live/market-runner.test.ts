import { describe, expect, it } from 'vitest';

import {
  createInstrumentId,
  MINUTE_MS,
  TransportError,
  type InstrumentId,
} from '../../../src/domain/index.js';
import { MarketFeed } from '../../../src/feed/index.js';
import { Activity } from '../../../src/live/bot/activity.js';
import { MarketRunner } from '../../../src/live/session/market-runner.js';
import { createSessionTime } from '../../../src/live/session/session-time.js';
import type { ContractIndex } from '../../../src/venue/index.js';
import { FakeMarket } from '../../support/feed/fake-market.js';
import { VirtualTime } from '../../support/virtual-time.js';

const START = Date.UTC(2025, 0, 1);
const A = createInstrumentId('futures', 'E-A-USDT');
const B = createInstrumentId('futures', 'E-B-USDT');
const ALIGN_MS = 2_000;

/** A venue with slow or failing marks. Candles of some instruments may be late. */
class SlowMarks extends FakeMarket {
  markMs = 0;
  markError: Error | undefined;
  readonly #clock: VirtualTime;

  constructor(time: VirtualTime) {
    super(time);
    this.#clock = time;
  }

  override async markPrice(instrumentId: InstrumentId): Promise<ContractIndex> {
    const mark = await super.markPrice(instrumentId);
    await new Promise<void>((resolve) => void this.#clock.after(this.markMs, resolve));
    if (this.markError !== undefined) throw this.markError;
    return mark;
  }
}

function aRunner(bots = 1) {
  const time = new VirtualTime(START);
  const market = new SlowMarks(time);
  const feed = new MarketFeed({ source: market, time, plan: { staggerMs: 100 } });
  const told: string[] = [];
  const failures: unknown[] = [];
  const at = (): string => ((time.now() - START) / 1_000).toFixed(1);
  const runners = Array.from({ length: bots }, () => {
    const runner = new MarketRunner({
      feed,
      time: createSessionTime(time),
      activity: new Activity(),
      streams: [A, B].map((instrumentId) => ({ instrumentId, interval: '1min', after: undefined })),
      marksAt: () => [A, B],
      alignMs: ALIGN_MS,
      awaitsMarks: false,
      onSlice: ({ candles, late }) =>
        told.push(`${at()} candles ${String(candles.length)} late ${String(late.length)}`),
      onMarks: (marks) => told.push(`${at()} marks ${String(marks.length)}`),
      onMarkState: (error) => error && told.push(`${at()} ${error.code}`),
      onNotice: () => undefined,
      onStatus: () => undefined,
      onFailure: (error) => failures.push(error),
    });
    runner.start();
    return runner;
  });
  const marksRead = (): number => market.calls.filter(({ what }) => what.startsWith('mark')).length;
  return { time, market, told, failures, runners, marksRead };
}

describe('MarketRunner', () => {
  it('delivers candles right after their marks', async () => {
    const { time, market, told } = aRunner();
    market.markMs = 500;

    await time.advance(MINUTE_MS + 5_000);

    // Both candles are there 0.4 s after the close, their marks half a second later.
    expect(told).toEqual(['60.9 marks 2', '60.9 candles 2 late 0']);
  });

  it('delivers candles after a limited wait if marks do not come', async () => {
    const { time, market, told } = aRunner();
    market.markMs = 9_000;

    await time.advance(MINUTE_MS + 15_000);

    expect(told).toEqual(['62.4 candles 2 late 0', '69.4 marks 2']);
  });

  it('delivers candles without new marks if the marks cannot be read', async () => {
    const { time, market, told, failures } = aRunner();
    market.markError = new TransportError('E_TIMEOUT', 'expected an answer');

    await time.advance(MINUTE_MS + 5_000);

    expect(told).toEqual(['60.4 E_TIMEOUT', '60.4 candles 2 late 0']);
    expect(failures).toEqual([]);
  });

  it('repeats a failed reading of marks before the next close', async () => {
    const { time, market, told } = aRunner();
    market.markError = new TransportError('E_TIMEOUT', 'expected an answer');

    await time.advance(MINUTE_MS + 7_000);
    market.markError = undefined;
    await time.advance(20_000);

    const candles = '60.4 candles 2 late 0';
    expect(told).toEqual(['60.4 E_TIMEOUT', candles, '65.4 E_TIMEOUT', '70.4 marks 2']);
  });

  it('reads the marks of a close once, also with a late candle, and for all bots', async () => {
    const { time, market, told, marksRead } = aRunner(3);
    market.faults.mangle = (candles) =>
      candles[0]?.instrumentId === B && time.now() < START + MINUTE_MS + 6_000
        ? candles.slice(0, -2)
        : candles;

    await time.advance(MINUTE_MS + 20_000);

    expect(told.filter((line) => line.includes('candles')).map((line) => line.slice(5))).toEqual([
      ...Array.from({ length: 3 }, () => 'candles 1 late 1'),
      ...Array.from({ length: 3 }, () => 'candles 1 late 0'),
    ]);
    expect(marksRead()).toBe(2);
  });
});
