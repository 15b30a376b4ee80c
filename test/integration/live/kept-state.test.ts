import type { Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { openArchive } from '../../../src/archive/index.js';
import { replayBacktest } from '../../../src/assembly/index.js';
import { DAY_MS, formatFixed, MINUTE_MS, type OrderIntent } from '../../../src/domain/index.js';
import { createRandom, NO_JOURNAL, type Journal } from '../../../src/engine/index.js';
import { readJournal } from '../../../src/journal/index.js';
import { CandleStrategy, sma, Strategy, type Market } from '../../../src/strategy/index.js';
import { LiveRig } from '../../support/live/live-rig.js';
import { loadScenario } from '../../support/scenario.js';

/** How often the bot is stopped or killed. */
const RESTARTS = Number(process.env['EVENKEEL_RESTARTS'] ?? 6);
/** The maximum number of candles between two restarts. */
const SPACING = 6;
/** By then the bot has finished its work of the last candle, and the next close is not near. */
const AFTER_CLOSE_MS = 20_000;

const NO_RESULTS: Record<string, number> = {};

/** Doubles its bet after each loss. The size of a bet also depends on the order of the members in its state. */
class Bettor extends CandleStrategy(
  {},
  {
    state: {
      candles: 0,
      losses: 0,
      bet: null as { readonly since: number; readonly price: number } | null,
      results: NO_RESULTS,
    },
  },
) {
  readonly average = this.indicator(sma(3));

  override onCandle({ close }: { readonly close: number }): void {
    const { state } = this;
    state.candles += 1;
    const { bet } = state;
    if (this.workingOrders().length > 0) return;
    if (this.position.quantity.isZero()) {
      const newest = Object.keys(state.results).at(-1) ?? '';
      const notional = 100 * 2 ** state.losses + newest.length;
      this.enterLong({ notional: String(notional) });
      state.bet = { since: state.candles, price: close };
    } else if (bet !== null && state.candles >= bet.since + 2) {
      this.exit();
      const isLost = close < bet.price;
      state.losses = isLost ? (state.losses + 1) % 4 : 0;
      const kind = isLost ? 'lost' : 'won';
      // The newest result becomes the last member.
      const count = (state.results[kind] ?? 0) + 1;
      Reflect.deleteProperty(state.results, kind);
      state.results[kind] = count;
      state.bet = null;
    }
  }
}

/** Keeps a part of the state of {@link Bettor}. */
class Forgets extends CandleStrategy({}, { state: { candles: 0 } }) {
  override onCandle(): void {
    this.state.candles += 1;
  }
}

/** Takes over a part of the state of {@link Bettor}. */
class Migrates extends CandleStrategy(
  {},
  {
    state: { seen: 0 },
    migrateState: ({ candles }, { version }) => ({ seen: Number(candles) + 1_000 * version }),
  },
) {
  override onCandle(): void {
    this.state.seen += 1;
  }
}

/** Logs its state, also while it warms up. */
class Watcher extends Strategy({}, { state: { candles: 0 } }) {
  readonly average = this.indicator(sma(30));

  override intents(market: Market): Observable<OrderIntent> {
    market.candles$().subscribe(() => {
      this.state.candles += 1;
      this.log.info('kept', { candles: this.state.candles });
    });
    return this.verdicts$ as Observable<never>;
  }
}

async function begin(mode: 'live' | 'paper'): Promise<LiveRig> {
  const rig = new LiveRig('spot', { spot: { USDT: '100000' } }, mode);
  await rig.start({ strategyClass: Bettor });
  await rig.pass(MINUTE_MS - (rig.now() % MINUTE_MS) + AFTER_CLOSE_MS);
  return rig;
}

/** All orders of the bot, and its state after each event, over all epochs. */
async function outcome(
  rig: LiveRig,
): Promise<{ readonly orders: readonly string[]; readonly states: readonly string[] }> {
  await rig.stop();
  const reader = await readJournal(rig.journal);
  const entries = reader.epochs().flatMap((epoch) => [...reader.entries(epoch)]);
  reader.close();
  return {
    orders: entries.flatMap(({ commands }) =>
      commands.map((command) => JSON.stringify(command, textOf)),
    ),
    states: entries.flatMap(({ state }) => state ?? []),
  };
}

function textOf(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? formatFixed(value) : value;
}

describe('the stored state of a strategy', () => {
  it.each(['live', 'paper'] as const)(
    `is the same in an uninterrupted bot and in one stopped or killed ${String(RESTARTS)} times (%s)`,
    async (mode) => {
      const random = createRandom(30);
      const rig = await begin(mode);
      const start = rig.now();
      for (let count = 0; count < RESTARTS; count += 1) {
        await rig.pass(Math.ceil(random() * SPACING) * MINUTE_MS);
        const way = random();
        if (way < 0.4) await rig.stop('keep');
        else rig.kill();
        // With another plugin hash, the bot is rebuilt without its strategy and takes the state from the journal. A paper bot keeps its hash.
        const isOther = way > 0.7 && mode === 'live';
        await rig.restart(isOther ? { sourceHash: `plugin ${String(count)}` } : {});
        await rig.pass(MINUTE_MS - ((rig.now() - start) % MINUTE_MS));
      }
      await rig.pass(5 * MINUTE_MS);
      const candles = (rig.now() - start) / MINUTE_MS;
      const through = await begin(mode);
      await through.pass(candles * MINUTE_MS);

      const { orders, states } = await outcome(through);
      expect(await outcome(rig)).toEqual({ orders, states });
      expect(states).toHaveLength(candles + 1);
      expect(orders.length).toBeGreaterThan(candles / 3);
    },
    Math.max(60_000, RESTARTS * 20_000),
  );

  it('is the same during a warm-up with and without a journal', async () => {
    const { config: scenario } = await loadScenario('martingale');
    const { from = 0 } = scenario.simulation;
    const config = {
      ...scenario,
      strategy: { ...scenario.strategy, parameters: {} },
      simulation: { ...scenario.simulation, from, to: from + DAY_MS },
    };
    const run = async (journal: Journal): Promise<readonly unknown[]> => {
      const told: unknown[] = [];
      const log = { debug: () => undefined, warn: () => undefined };
      await replayBacktest({
        ...{ config, strategyClass: Watcher, sourceHash: 'watcher', journal },
        archive: openArchive(config.simulation.archive),
        createLog: () => ({ ...log, info: (_message, fields) => told.push(fields) }),
      });
      return told;
    };

    const told = await run({ append: () => undefined });

    expect(await run(NO_JOURNAL)).toEqual(told);
    // Each candle of the warm-up starts from the initial state. The candles of the day count up.
    expect(told.slice(0, 3)).toEqual([{ candles: 1 }, { candles: 1 }, { candles: 1 }]);
    expect(told.at(-1)).toEqual({ candles: 24 });
  });

  it.each(['stopped', 'killed'])(
    'of a bot that was %s is migrated to the form of the new strategy',
    async (how) => {
      const rig = await begin('live');
      await rig.pass(3 * MINUTE_MS);
      const kept = rig.bot?.engine.keptState;
      if (how === 'stopped') await rig.stop('keep');
      else rig.kill();

      const other = { strategyClass: Forgets, sourceHash: 'forgets' };
      // A position is held. It is guarded without the strategy, and the state stays as it was.
      const { state, reasons } = (await rig.restart(other)).status();
      await rig.stop('keep');
      const mended = await rig.restart({ strategyClass: Migrates, sourceHash: 'migrates' });
      mended.restartStrategy();
      await rig.during(mended.ended);
      const bot = await rig.restart();
      await rig.pass(2 * MINUTE_MS);
      rig.kill();
      const again = await rig.restart({ sourceHash: 'migrates again' });

      expect(kept?.json).toMatch(/^\{"candles":4,/);
      expect(state).toBe('strategy-failed');
      expect(reasons[0]).toContain(
        'expected version 1 { candles: number }, received version 1 { bet: null, candles: number, losses: number, results: {} }',
      );
      const seen = { version: 1, members: '{ seen: number }', json: '{"seen":1006}' };
      expect(bot.engine.keptState).toEqual(seen);
      expect(again.engine.keptState).toEqual(seen);
      const began = (await rig.epochs()).map(({ header }) => header.checkpoint.state?.json);
      expect(began.slice(1)).toEqual([kept?.json, kept?.json, '{"seen":1004}', '{"seen":1006}']);
    },
  );
});
