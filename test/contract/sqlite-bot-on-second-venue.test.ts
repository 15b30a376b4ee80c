import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CandleStrategy, decimalFromNumber, type Candle, type Fill } from 'evenkeel';
import {
  runBot,
  type BotRunDescription,
  type RunBotOptions,
  type RunningBot,
  type Venue,
} from 'evenkeel/run';
import { describe, expect, it, onTestFinished } from 'vitest';
import { settle, VirtualTime } from '../support/virtual-time.js';
import { LineServer } from './second-venue/line-server.js';
import { lineVenue } from './second-venue/line-venue.js';

const START = Date.UTC(2025, 0, 1);
const HOUR = 3_600_000;

/** A wave of an hour, 1 % up and down, with a ripple. */
function wave(time: number): bigint {
  const hours = (time - START) / HOUR;
  const ripple = 3_000 * Math.sin(hours * 160);
  return BigInt(Math.round(6_500_000 + 65_000 * Math.sin(hours * 2 * Math.PI) + ripple));
}

/** Bids three levels below the first price, offers each that fills one level higher, and bids there again. */
class Grid extends CandleStrategy({}, { state: { hasBegun: false } }) {
  override onCandle({ close }: Candle): void {
    if (this.state.hasBegun) return;
    this.state.hasBegun = true;
    for (const level of [1, 2, 3]) this.bid(close * (1 - level * 0.003));
  }

  override onFill({ action, price, quantity }: Fill): void {
    if (action === 'close') this.bid(price.toNumber() / 1.003);
    else this.exit({ size: { quantity }, limitPrice: price.times('1.003'), label: 'offer' });
  }

  bid(price: number): void {
    const limitPrice = decimalFromNumber(price);
    this.enterLong({ quantity: '0.01' }, { add: true, limitPrice, label: 'bid' });
  }
}

const CONFIG: BotRunDescription = {
  name: 'grid',
  instruments: [
    { product: 'spot', symbol: 'BTCUSD', base: 'BTC', quote: 'USD', intervals: ['1min'] },
  ],
  simulation: {
    archive: '.',
    balances: { USD: '10000' },
    fees: { maker: '0.001', taker: '0.001' },
    rules: { BTCUSD: { pricePrecision: 2, quantityPrecision: 5 } },
  },
  live: { guard: 'off', staleAfterMs: 600_000, loopStallMs: 600_000 },
};

/** A market of its own, and what runs bots on it. */
class Rig {
  readonly time = new VirtualTime(START);
  readonly server = new LineServer({ now: () => this.time.now(), bidAt: wave });
  readonly venue: Venue = lineVenue(this.server);
  readonly directory = mkdtempSync(path.join(tmpdir(), 'evenkeel-own-venue-'));

  constructor() {
    onTestFinished(() => {
      rmSync(this.directory, { recursive: true, force: true });
    });
  }

  async run(options: Partial<RunBotOptions> = {}): Promise<RunningBot> {
    const { directory, time, venue } = this;
    const own = { mode: 'live', config: CONFIG, strategy: Grid, directory, time, venue } as const;
    this.#bot = await this.during(runBot({ ...own, ...options }));
    return this.#bot;
  }

  /** Waits for something, and lets time pass meanwhile. */
  async during<T>(doing: Promise<T>): Promise<T> {
    const state = { isOver: false };
    const watched = doing.finally(() => {
      state.isOver = true;
    });
    watched.catch(() => undefined);
    for (let turn = 1; !state.isOver && turn < 100_000; turn += 1)
      if (turn % 20 === 0) await this.time.advance(50);
      else await settle();
    return watched;
  }

  #bot: RunningBot | undefined;

  shown(): string {
    const { state, reasons } = this.#bot?.status() ?? { state: 'none', reasons: [] };
    return `${state} ${reasons.join('; ')}`;
  }

  async until(holds: () => boolean, ms = HOUR): Promise<void> {
    const end = this.time.now() + ms;
    while (!holds() && this.time.now() < end) await this.during(this.time.advance(1_000));
    if (!holds()) throw new Error(`it never came to be: ${this.shown()}`);
  }

  get deals(): readonly string[] {
    return this.server.ask('DEALS');
  }
}

describe('a bot from code, on a venue of its own', () => {
  it('trades for hours, stops by its signal, and goes on from its journal', async () => {
    const rig = new Rig();
    const stop = new AbortController();
    const bot = await rig.run({ signal: stop.signal });
    const told: string[] = [];
    bot.fills$.subscribe(({ side, price }) => told.push(`${side} ${price.toFixed(2)}`));
    await rig.until(() => bot.status().state === 'running');
    await rig.time.advance(1.5 * HOUR);

    const before = rig.deals.length;
    expect(before).toBeGreaterThan(4);
    expect(told).toHaveLength(before);
    stop.abort();
    await rig.during(bot.ended);
    expect(bot.status().state).toBe('stopped');
    // It is stopped by live.onStop: keep, so its orders wait for it.
    const working = rig.server.ask('WORKING');
    expect(working.length).toBeGreaterThan(0);

    await rig.time.advance(HOUR);
    const again = await rig.run();
    await rig.until(() => again.status().state === 'running');
    const known = again.status().orders.map(({ clientOrderId }) => clientOrderId);
    expect(known.length).toBeGreaterThan(0);
    await rig.time.advance(HOUR);
    expect(rig.deals.length).toBeGreaterThan(before);
    expect(again.status().reasons).toEqual([]);
    await rig.during(again.stop('flatten'));
    expect(rig.server.ask('WORKING')).toEqual([]);
  }, 60_000);
});
