import { describe, expect, it } from 'vitest';

import { formatFixed, parseFixed, type Candle, type Fixed } from '../../../src/domain/index.js';
import type { LiveBot } from '../../../src/live/index.js';
import type { Result } from '../../../src/report/index.js';
import { CandleStrategy } from '../../../src/strategy/index.js';
import { LiveRig } from '../../support/live/live-rig.js';

/** Buys with every third candle and sells with the one after the next. */
class Turner extends CandleStrategy({}) {
  override readonly warmup = 3;
  #count = 0;

  override onCandle(candle: Candle): void {
    this.#count += 1;
    this.plot('middle', (candle.high + candle.low) / 2);
    const isHolding = this.position.quantity.gt(0);
    if (this.#count % 3 === 0 && !isHolding) this.enterLong({ notional: '2000' });
    if (this.#count % 3 === 2 && isHolding) this.exit();
  }
}

const START = { strategyClass: Turner };

const botOf = ({ bot }: LiveRig): LiveBot => {
  if (bot === undefined) throw new Error('expected a bot');
  return bot;
};

const sum = (amounts: readonly string[]): Fixed =>
  amounts.reduce((total, amount) => total + parseFixed(amount), 0n);

/** Figures that a result contains twice are equal. */
function expectConsistent(result: Result): void {
  const { equity, trades = [], fills, accounting, equityCurve } = result;
  const change = parseFixed(equity.final) - parseFixed(equity.initial);
  expect(accounting.residual).toBe('0');
  expect(fills.length).toBeGreaterThan(0);
  expect(trades.length).toBeGreaterThan(0);
  expect(formatFixed(sum(trades.map(({ profit }) => profit)))).toBe(formatFixed(change));
  expect(equityCurve.at(-1)?.[1]).toBe(equity.final);
  const times = equityCurve.map(([time]) => time);
  expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
  const points = result.plots?.find(({ name }) => name === 'middle')?.points ?? [];
  // One point per candle since the bot was warm. Candles that warm up an epoch have none.
  expect(points.length).toBe(result.run.candles);
}

describe('the result of a session', () => {
  it.each([
    // A paper session continues in its epoch, because its simulated venue is rebuilt from the whole journal.
    ['paper', 'spot', 1],
    ['live', 'futures', 2],
  ] as const)(
    'agrees with the bot, while it runs and after a stop: %s, %s, epochs: %i',
    async (mode, product, epochs) => {
      const rig = new LiveRig(product, {}, mode);
      await rig.start(START);
      await rig.until(() => botOf(rig).engine.fills.length >= 3);

      // Market events without commands share a commit, so the newest of them may not be in the journal yet.
      const running = await rig.result(START);
      expectConsistent(running);

      await rig.pass(30_000);
      await rig.stop();
      const first = botOf(rig).engine;
      const before = epochs === 1 ? 0 : first.fills.length;
      const stopped = await rig.result(START);
      expectConsistent(stopped);
      expect(stopped.fills).toHaveLength(first.fills.length);
      expect(stopped.fills.slice(0, running.fills.length)).toEqual(running.fills);
      expect(stopped.equity.final).toBe(formatFixed(first.portfolio.equity()));

      await rig.restart();
      await rig.until(() => botOf(rig).engine.fills.length >= 7 - before);
      await rig.stop();
      const second = botOf(rig).engine;
      const later = await rig.result(START);
      expectConsistent(later);
      expect(await rig.epochs()).toHaveLength(epochs);
      expect(later.fills.slice(0, stopped.fills.length)).toEqual(stopped.fills);
      expect(later.fills).toHaveLength(before + second.fills.length);
      expect(later.equity.initial).toBe(running.equity.initial);
      expect(later.equity.final).toBe(formatFixed(second.portfolio.equity()));
    },
  );
});
