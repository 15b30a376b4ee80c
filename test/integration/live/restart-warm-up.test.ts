import { rmSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';

import { openArchive, sliceColumns } from '../../../src/archive/index.js';
import {
  MINUTE_MS,
  resampleCandles,
  type Candle,
  type EpochMs,
} from '../../../src/domain/index.js';
import { createRandom } from '../../../src/engine/index.js';
import { storedCandles } from '../../../src/feed/index.js';
import { readJournal } from '../../../src/journal/index.js';
import { CandleStrategy, ema, obv, type StrategyClass } from '../../../src/strategy/index.js';
import { LiveRig } from '../../support/live/live-rig.js';
import { SPOT_ID, testCandles } from '../../support/local-exchange/test-exchange.js';

/** How often a bot is stopped. */
const RESTARTS = Number(process.env['EVENKEEL_RESTARTS'] ?? 2);
/** By then the bot has finished its work of the last candle, and the next close is not near. */
const AFTER_CLOSE_MS = 20_000;
/** Bots begin as soon as they have values. To forget where they began, they would need more candles than the venue serves. */
const BEGIN = ['warmUp.incomplete=begin'];

type Values = Map<EpochMs, { readonly slow: number; readonly volume: number }>;

/** Needs 568 candles to forget where it began. Trades whenever the price crosses a short average, or never. */
function trader(values: Values, trades = true): StrategyClass {
  return class Trader extends CandleStrategy({}) {
    readonly fast = this.indicator(ema(3));
    readonly slow = this.indicator(ema(50));
    readonly volume = this.indicator(obv());

    override onCandle({ openTime, close }: Candle): void {
      values.set(openTime, { slow: this.slow.value, volume: this.volume.value });
      if (!trades) return;
      const isUp = close > this.fast.value;
      if (isUp && this.position.quantity.isZero()) this.enterLong({ notional: '1000' });
      if (!isUp && this.position.quantity.gt(0)) this.exit();
    }
  };
}

interface Trial {
  readonly rig: LiveRig;
  readonly values: Values;
}

async function begin(set: readonly string[] = BEGIN): Promise<Trial> {
  const rig = new LiveRig('spot', { spot: { USDT: '100000' } });
  const values: Values = new Map();
  await rig.start({ strategyClass: trader(values), set });
  await rig.pass(MINUTE_MS - (rig.now() % MINUTE_MS) + AFTER_CLOSE_MS);
  return { rig, values };
}

/** A trial of `minutes`. The bot is stopped at some of them and started again at once. */
async function play(minutes: number, stops: ReadonlySet<number>): Promise<Trial> {
  const trial = await begin();
  const { rig } = trial;
  const start = rig.now();
  for (let minute = 0; minute < minutes; minute += 1) {
    if (stops.has(minute)) {
      await rig.stop('keep');
      await rig.restart();
    }
    await rig.pass(start + (minute + 1) * MINUTE_MS - rig.now());
  }
  return trial;
}

async function ordersOf({ rig }: Trial): Promise<readonly string[]> {
  await rig.stop();
  const reader = await readJournal(rig.journal);
  const entries = reader.epochs().flatMap((epoch) => [...reader.entries(epoch)]);
  reader.close();
  return entries.flatMap(({ event: { time }, commands }) =>
    commands.map((command) =>
      command.kind === 'submit'
        ? `${String(time)} ${command.order.side}`
        : `${String(time)} cancel`,
    ),
  );
}

/** The largest differences between the values of two trials from a time on. */
function distance(
  a: Trial,
  b: Trial,
  from: EpochMs,
): { readonly slow: number; readonly volume: number } {
  const found = { slow: 0, volume: 0, count: 0 };
  for (const [time, value] of a.values) {
    const other = b.values.get(time);
    if (other === undefined || time < from) continue;
    found.count += 1;
    found.slow = Math.max(found.slow, Math.abs(value.slow - other.slow));
    found.volume = Math.max(found.volume, Math.abs(value.volume - other.volume));
  }
  expect(found.count).toBeGreaterThan(0);
  return found;
}

/** Stores the candles that the exchange has so far, as a recorder would. */
async function store(rig: LiveRig): Promise<void> {
  const columns = testCandles();
  const rows = columns.openTime.findLastIndex((time) => time + MINUTE_MS <= rig.now()) + 1;
  await openArchive(path.dirname(rig.journal)).merge(
    { instrumentId: SPOT_ID, interval: '1min', columns: sliceColumns(columns, 0, rows) },
    { volumeUnit: 'base', source: 'a recorder' },
  );
}

/** The slow average over every candle of the history. */
async function slowAverages(
  interval: '1min' | '5min' = '1min',
): Promise<ReadonlyMap<EpochMs, number>> {
  const average = ema(50);
  const columns =
    interval === '1min' ? testCandles() : resampleCandles(testCandles(), '1min', interval).columns;
  const archive = { read: () => Promise.resolve(columns) };
  const candles = await storedCandles(archive, { instrumentId: SPOT_ID, interval }).read(
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
  );
  return new Map(
    candles.map((candle) => {
      average.update(candle);
      return [candle.openTime, average.value] as const;
    }),
  );
}

/** Enters whenever it holds nothing, and leaves two candles later. */
class Eager extends CandleStrategy({}) {
  readonly slow = this.indicator(ema(29));
  #held = 0;

  override onCandle(): void {
    if (this.position.quantity.isZero()) this.enterLong({ notional: '1000' });
    this.#held = this.position.quantity.isZero() ? 0 : this.#held + 1;
    if (this.#held === 2) this.exit();
  }
}

describe('a bot that is restarted', () => {
  it(`makes the orders of an uninterrupted bot after ${String(RESTARTS)} restarts, with more candles than the venue serves`, async () => {
    const minutes = 15 + 10 * RESTARTS;
    const random = createRandom(32);
    const stops = new Set<number>();
    while (stops.size < RESTARTS) stops.add(5 + Math.floor(random() * (minutes - 7)));
    const through = await play(minutes, new Set());
    const stopped = await play(minutes, stops);

    expect(distance(stopped, through, 0)).toMatchObject({ slow: 0, volume: 0 });
    const orders = await ordersOf(through);
    expect(await ordersOf(stopped)).toEqual(orders);
    expect(orders.length).toBeGreaterThan(5);
  });

  it('yields to the event loop while it warms up with many candles', async () => {
    const { rig } = await begin();
    await store(rig);
    await rig.stop('keep');
    let breaths = 0;
    rig.breathe = () => {
      breaths += 1;
      return nextTurn();
    };

    const bot = await rig.restart({ sourceHash: 'another' });

    // A venue serves 300 candles. The process takes a break after at most 64 of them.
    expect(bot.status().events).toBeGreaterThan(300);
    expect(breaths).toBeGreaterThanOrEqual(4);
    await rig.stop();
  });

  it.each([
    ['its journal, after less than the venue serves', { minutes: 100, has: ['journal'] }],
    [
      'journal and archive, after more than the venue serves',
      { minutes: 400, has: ['journal', 'archive'] },
    ],
    ['the archive alone', { minutes: 400, has: ['archive'] }],
  ])('has the values of an uninterrupted bot, from %s', async (_what, { minutes, has }) => {
    const values: Values = new Map();
    const rig = new LiveRig('spot', { spot: { USDT: '100000' } });
    await store(rig);
    await rig.start({ strategyClass: trader(values, false) });
    await rig.pass(3 * MINUTE_MS);
    await rig.stop();
    await rig.sleep(minutes * MINUTE_MS);
    if (!has.includes('journal'))
      for (const suffix of ['', '-wal', '-shm']) rmSync(`${rig.journal}${suffix}`, { force: true });
    if (has.includes('archive')) await store(rig);
    else rmSync(path.join(path.dirname(rig.journal), 'spot'), { recursive: true });
    const bot = await rig.restart();
    const restarted = rig.now();
    await rig.pass(3 * MINUTE_MS);

    const { state, warmUp } = bot.status();
    expect({ state, warmUp }).toEqual({ state: 'running', warmUp: [] });
    const truth = await slowAverages();
    const later = [...values].filter(([time]) => time >= restarted - MINUTE_MS);
    expect(later.length).toBeGreaterThan(1);
    for (const [time, { slow }] of later) expect(slow).toBeCloseTo(truth.get(time) ?? 0, 6);
  });

  it('makes an interval that is not stored from stored finer candles', async () => {
    const values: Values = new Map();
    const rig = new LiveRig('spot', { spot: { USDT: '100000' } });
    await store(rig);
    const set = ['instruments.0.intervals=["5min"]'];
    const bot = await rig.start({ strategyClass: trader(values, false), set });
    await rig.pass(11 * MINUTE_MS);

    expect(bot.status()).toMatchObject({ state: 'running', warmUp: [] });
    const truth = await slowAverages('5min');
    const told = [...values];
    expect(told.length).toBeGreaterThan(1);
    for (const [time, { slow }] of told) expect(slow).toBeCloseTo(truth.get(time) ?? 0, 6);
  });

  it('is warming while candles are missing: reports number and weight, blocks entries, allows exits', async () => {
    const rig = new LiveRig('spot', { spot: { USDT: '100000' } });
    await rig.start({ strategyClass: Eager, set: BEGIN });
    await rig.until(() => rig.bot?.engine.portfolio.isExposed === true);
    await rig.stop('keep');
    // A start takes time, and no candle may close during it.
    await rig.sleep(400 * MINUTE_MS - (rig.now() % MINUTE_MS) + 5_000);
    const opened = rig.opened;
    const bot = await rig.restart({ set: [] });
    await rig.pass(5_000);
    const { state, reasons, warmUp } = bot.status();
    await rig.pass(5 * MINUTE_MS);

    expect(state).toBe('warming');
    expect(reasons).toEqual([
      expect.stringMatching(
        /^spot:BTCUSDT 1min is warming up: 32 of 331 candles were missing at the start, and entries wait for them until 2025-01-16T19:\d\d:00Z/,
      ),
    ]);
    expect(warmUp).toEqual([
      {
        instrumentId: 'spot:BTCUSDT',
        interval: '1min',
        missing: 32,
        candles: 331,
        indicators: [{ name: 'slow', weight: expect.any(Number) as number }],
      },
    ]);
    // 271 candles after the first value, each of which leaves 28/30 of the weight of the beginning.
    expect((warmUp[0]?.indicators[0]?.weight ?? 0) / (28 / 30) ** 271).toBeCloseTo(1, 1);
    expect(bot.status().warmUp[0]?.missing).toBe(27);
    // The bot exits its position and enters nothing.
    expect(bot.engine.portfolio.isExposed).toBe(false);
    expect(rig.opened).toBe(opened);
    await rig.pass(28 * MINUTE_MS);
    expect(bot.status()).toMatchObject({ state: 'running', reasons: [], warmUp: [] });
    expect(rig.opened).toBeGreaterThan(opened);
  });
});
