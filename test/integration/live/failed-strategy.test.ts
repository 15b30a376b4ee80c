import { interval, map, switchMap, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { MINUTE_MS, StrategyError, type OrderIntent } from '../../../src/domain/index.js';
import {
  CandleStrategy,
  int,
  type StrategyClass,
  type StrategyContext,
} from '../../../src/strategy/index.js';
import { SPOT_ID } from '../../support/local-exchange/test-exchange.js';
import { LiveRig } from '../../support/live/live-rig.js';

/** A stop that is not reached. */
const WIDE = ['strategy.parameters.stop=5000'];

/** Whether strategies throw, as with a defect that only some data trigger. */
const defect = { isOn: false, constructed: 0 };

/** Buys once, protects the position, and rests another buy far below. */
class Buyer extends CandleStrategy({ stop: int(1, 5_000, 20) }) {
  override readonly warmup = 3;
  #hasBought = false;

  constructor(context: StrategyContext) {
    super(context);
    defect.constructed += 1;
  }

  override onCandle({ close }: { readonly close: number }): void {
    if (this.#hasBought || this.position.quantity.gt(0)) return;
    this.#hasBought = true;
    const protection = { stopLoss: { ratio: String(this.parameters.stop / 10_000) } };
    this.enterLong({ notional: '1000' }, { protection });
    this.enterLong({ quantity: '0.01' }, { limitPrice: (close * 0.5).toFixed(2) });
  }
}

class ThrowsOnCandle extends Buyer {
  override onCandle(candle: { readonly close: number }): void {
    super.onCandle(candle);
    if (defect.isOn && this.position.quantity.gt(0)) throw new Error('a defect of the strategy');
  }
}

class ThrowsOnFill extends Buyer {
  override onFill(): void {
    throw new Error('a defect of the strategy');
  }
}

class ThrowsInStream extends Buyer {
  override intents(): Observable<OrderIntent> {
    this.subscribeToFills();
    return super.intents();
  }

  private subscribeToFills(): void {
    this.fills$
      .pipe(
        switchMap(() =>
          interval(90_000).pipe(
            map(() => {
              throw new Error('a defect of the strategy');
            }),
          ),
        ),
      )
      .subscribe();
  }
}

class LoopsOnOrder extends Buyer {
  override onOrder(): void {
    for (let time = 0; time < 2_000; time += 1) this.enterLong({ quantity: '0.01' });
  }
}

class WantsOutside extends Buyer {
  override onFill(): void {
    Promise.resolve()
      .then(() => this.exit())
      .catch(() => undefined);
  }
}

async function started(
  strategyClass: StrategyClass,
  set: readonly string[] = [],
): Promise<LiveRig> {
  defect.isOn = true;
  defect.constructed = 0;
  const rig = new LiveRig('spot', { spot: { USDT: '100000' } });
  await rig.start({ strategyClass, set });
  await rig.until(() => rig.bot?.status().state === 'strategy-failed');
  return rig;
}

function hasSold(rig: LiveRig): boolean {
  return rig.account.trades(SPOT_ID, rig.now()).some(({ side }) => side === 'sell');
}

function openOrders(rig: LiveRig): number {
  return rig.account.openOrders(SPOT_ID, rig.now()).length;
}

async function replayed(
  rig: LiveRig,
  strategyClass: StrategyClass,
  set: readonly string[] = [],
): Promise<readonly string[]> {
  const kinds: string[] = [];
  for (const { id } of await rig.epochs())
    kinds.push((await rig.replay(id, { strategyClass, set })).kind);
  return kinds;
}

const DEFECTS: readonly (readonly [string, StrategyClass])[] = [
  ['with a candle', ThrowsOnCandle],
  ['with a fill', ThrowsOnFill],
  ['in a stream, at a time of its own', ThrowsInStream],
  ['by wanting without end', LoopsOnOrder],
];

describe('a strategy that fails while its bot holds a position', () => {
  it.each(DEFECTS)('is left out while its stop stays active: %s', async (_when, strategyClass) => {
    const rig = await started(strategyClass);

    await rig.until(() => hasSold(rig));

    const { state, reasons } = rig.bot?.status() ?? {};
    expect(state).toBe('strategy-failed');
    expect(reasons?.[0]).toMatch(
      /^the strategy has failed.*(a defect of the strategy|at most 1000)/,
    );
    expect(openOrders(rig)).toBe(0);
    expect([...(rig.bot?.engine.fills ?? [])].map(({ record }) => record.side)).toEqual([
      'buy',
      'sell',
    ]);
    await rig.stop();
    expect(await replayed(rig, strategyClass)).toEqual(['identical']);
  });

  it('is left out also after a failure outside of all events, and the replay is identical', async () => {
    const rig = await started(WantsOutside);

    await rig.until(() => hasSold(rig));
    await rig.stop();

    expect(await replayed(rig, WantsOutside)).toEqual(['identical']);
  });

  it.each([
    [
      'killed',
      (rig: LiveRig) => {
        rig.kill();
        return Promise.resolve();
      },
    ],
    ['stopped', (rig: LiveRig) => rig.stop('keep')],
  ])('stays left out after its process was %s, and is not constructed', async (_how, end) => {
    const rig = await started(ThrowsOnFill, WIDE);
    const before = rig.bot?.engine.stopWatches();
    await end(rig);
    const { constructed } = defect;

    const bot = await rig.restart();
    await rig.pass(5 * MINUTE_MS);
    await end(rig);
    const again = await rig.restart();
    await rig.pass(5 * MINUTE_MS);

    for (const { engine } of [bot, again]) expect(engine.stopWatches()).toEqual(before);
    expect(before).toHaveLength(1);
    expect(again.status().state).toBe('strategy-failed');
    expect(again.status().reasons[0]).toContain('a defect of the strategy');
    expect(defect.constructed).toBe(constructed);
    await rig.stop();
    expect(new Set(await replayed(rig, ThrowsOnFill, WIDE))).toEqual(new Set(['identical']));
  });

  it('does not prevent the operator from resuming and flattening', async () => {
    const rig = await started(ThrowsOnFill, WIDE);

    rig.bot?.resume();
    await rig.pass(MINUTE_MS);
    const resumed = rig.bot?.status().state;
    rig.bot?.flatten();
    await rig.until(() => hasSold(rig));

    expect(resumed).toBe('strategy-failed');
    expect(rig.bot?.status().state).toBe('strategy-failed');
  });

  it('starts again with the position of the bot on a command of the operator', async () => {
    const rig = await started(ThrowsOnCandle, WIDE);
    const [held] = rig.bot?.status().positions ?? [];
    defect.isOn = false;

    rig.bot?.restartStrategy();
    const end = await rig.during(rig.bot?.ended ?? Promise.reject(new Error('expected a bot')));
    const isRestarting = rig.bot?.isRestarting;
    const bot = await rig.restart();
    await rig.pass(5 * MINUTE_MS);

    expect([end.kind, isRestarting]).toEqual(['stopped', true]);
    expect(bot.status()).toMatchObject({ state: 'running', reasons: [], positions: [held] });
    expect(bot.engine.stopWatches()).toHaveLength(1);
  });

  it('starts again also if the process was killed right after that command', async () => {
    const rig = await started(ThrowsOnCandle);
    rig.kill();
    const second = await rig.restart();
    defect.isOn = false;

    second.restartStrategy();
    await rig.pass(1);
    rig.kill();
    const third = await rig.restart();
    await rig.pass(5 * MINUTE_MS);

    expect(third.status().state).toBe('running');
  });

  it('cannot be restarted if it has not failed', async () => {
    const rig = new LiveRig('spot', { spot: { USDT: '100000' } });
    const bot = await rig.start({ strategyClass: Buyer });

    expect(() => {
      bot.restartStrategy();
    }).toThrow('its strategy has not failed');
  });
});

/** Throws in its constructor. */
class Unmade extends Buyer {
  constructor(context: StrategyContext) {
    super(context);
    throw new Error('cannot be made');
  }
}

/** Throws when the engine asks for its intents. */
class Unheard extends Buyer {
  override intents(): Observable<OrderIntent> {
    throw new Error('cannot be made');
  }
}

describe('a strategy that fails at its start', () => {
  it.each([
    ['constructed', Unmade],
    ['started', Unheard],
  ])('leaves the position guarded: %s', async (_what, strategyClass) => {
    const rig = new LiveRig('spot', { spot: { USDT: '100000' } });
    defect.isOn = false;
    const first = await rig.start({
      strategyClass: Buyer,
      set: WIDE,
    });
    await rig.until(() => first.engine.watchesLast);
    const before = first.engine.stopWatches();
    await rig.stop('keep');

    const bot = await rig.restart({ strategyClass, sourceHash: 'another' });
    await rig.pass(5 * MINUTE_MS);

    expect(bot.status()).toMatchObject({ state: 'strategy-failed' });
    expect(bot.status().reasons[0]).toContain('cannot be made');
    expect(bot.engine.stopWatches()).toEqual(before);
  });

  it('ends a bot without a position', async () => {
    const rig = new LiveRig('spot', { spot: { USDT: '100000' } });

    await expect(rig.start({ strategyClass: Unmade })).rejects.toThrow(StrategyError);
  });

  it('is also reported on paper, and stays left out after a kill', async () => {
    defect.isOn = true;
    const rig = new LiveRig('spot', {}, 'paper');
    await rig.start({ strategyClass: ThrowsOnFill, set: WIDE });
    await rig.until(() => rig.bot?.status().state === 'strategy-failed');
    rig.kill();

    const bot = await rig.restart();
    await rig.pass(MINUTE_MS);

    expect(bot.status().state).toBe('strategy-failed');
    expect(bot.engine.stopWatches()).toHaveLength(1);
    expect(() => {
      bot.restartStrategy();
    }).toThrow('on paper');
  });
});
