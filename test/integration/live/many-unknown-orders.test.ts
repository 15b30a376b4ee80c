import { describe, expect, it } from 'vitest';

import { DAY_MS, MINUTE_MS, SECOND_MS, type EpochMs } from '../../../src/domain/index.js';
import { CandleStrategy, int } from '../../../src/strategy/index.js';
import { LiveRig } from '../../support/live/live-rig.js';

/** The time from which the grid is laid. */
const grid: { from: EpochMs } = { from: Number.POSITIVE_INFINITY };
const LEVELS = 12;

/** Buys once and protects the position. From `grid.from` on, it lays a grid of entries below the market, once. */
class Gridder extends CandleStrategy({ quantity: int(1, 1_000_000, 1) }) {
  override readonly warmup = 3;
  #isLaid = false;

  override onCandle({ close }: { readonly close: number }): void {
    const unit = this.instruments[0]?.instrumentId.startsWith('futures') === true ? 1_000 : 0.01;
    const quantity = String(this.parameters.quantity * unit);
    if (!this.position.quantity.gt(0)) {
      this.enterLong({ quantity }, { protection: { stopLoss: { ratio: '0.15' } } });
      return;
    }
    if (this.#isLaid || this.now < grid.from) return;
    this.#isLaid = true;
    for (let level = 1; level <= LEVELS; level += 1)
      this.enterLong(
        { quantity },
        { limitPrice: (close * (1 - level / 500)).toFixed(2), add: true, label: String(level) },
      );
  }
}

interface Recovery {
  /** Times from the first reading of the account to the first sample of the stop, to all outcomes known, and to the running bot, in ms. */
  readonly sampledAfter: number;
  readonly knownAfter: number;
  readonly runningAfter: number;
  readonly unknown: number;
  readonly readings: number;
}

/** Kills a bot when twelve orders are in its journal and none has been sent. Then starts it again. */
async function recover(product: 'spot' | 'futures', isLimited: boolean): Promise<Recovery> {
  grid.from = Number.POSITIVE_INFINITY;
  const rig = new LiveRig(product, { spot: { USDT: '100000' } });
  const first = await rig.start({ strategyClass: Gridder });
  await rig.until(() => first.engine.watchesLast);
  const { journal } = rig;
  rig.dieAt('before-send');
  grid.from = rig.now();
  for (let passed = 0; rig.journal === journal && passed < DAY_MS; passed += MINUTE_MS)
    await rig.pass(MINUTE_MS);

  // Counted from the first reading of the account: before that, the start reads files, and the clock of the rig runs at a speed that depends on the load.
  let began: EpochMs = Number.POSITIVE_INFINITY;
  let sampled: EpochMs = Number.POSITIVE_INFINITY;
  rig.onCall = (name) => {
    if (name === 'openOrders') began = Math.min(began, rig.now());
    if (name === 'ticker') sampled = Math.min(sampled, rig.now());
  };
  rig.isLimited = isLimited;
  const before = rig.calls.get('openOrders') ?? 0;
  const bot = await rig.restart();
  const unknown = bot.engine.workingOrders.length;
  const knownAfter = rig.now() - began;
  const readings = (rig.calls.get('openOrders') ?? 0) - before;
  while (bot.status().state !== 'running' && rig.now() < began + 2 * MINUTE_MS)
    await rig.pass(SECOND_MS);
  const runningAfter = rig.now() - began;
  await rig.pass(MINUTE_MS);
  expect(bot.status()).toMatchObject({ state: 'running', reasons: [] });
  await rig.stop();
  expect((await rig.replay(1, { strategyClass: Gridder })).kind).toBe('identical');
  return {
    sampledAfter: sampled - began,
    knownAfter,
    runningAfter,
    unknown,
    readings,
  };
}

describe('a bot that was killed with twelve orders of unknown outcome', () => {
  it.each(['spot', 'futures'] as const)(
    'samples its stop at once, and proves all orders absent together: %s',
    async (product) => {
      const { sampledAfter, knownAfter, unknown, readings } = await recover(product, false);

      expect(unknown).toBe(0);
      expect(sampledAfter).toBeLessThanOrEqual(3_000);
      expect(knownAfter).toBeLessThanOrEqual(40_000);
      // One reading for all twelve orders each time, plus the regular readings of the account.
      expect(readings).toBeLessThan(2 * LEVELS);
    },
  );

  // Contracts: 15 s, and six readings of three calls each. A sampled stop leaves every second call to polls.
  it.each([
    { product: 'spot', runningWithinMs: 40_000 },
    { product: 'futures', runningWithinMs: 15_000 + 6 * 3 * 2 * 1_001 },
  ] as const)(
    'samples its stop and proves all orders absent within the limits of the venue: $product',
    async ({ product, runningWithinMs }) => {
      const { sampledAfter, knownAfter, runningAfter, unknown } = await recover(product, true);

      console.info(
        `${product}, twelve unknown orders, within the limits: sampled after ${String(sampledAfter)} ms, known after ${String(knownAfter)} ms, running after ${String(runningAfter)} ms`,
      );
      expect(unknown).toBe(0);
      expect(sampledAfter).toBeLessThanOrEqual(3_000);
      expect(runningAfter).toBeLessThanOrEqual(runningWithinMs);
    },
  );
});
