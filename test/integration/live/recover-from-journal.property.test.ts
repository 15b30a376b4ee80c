import fc from 'fast-check';
import { ignoreElements, interval, merge, tap, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { openArchive, type Archive } from '../../../src/archive/index.js';
import { engineOptions } from '../../../src/assembly/create-engine.js';
import type { BacktestConfig } from '../../../src/assembly/index.js';

import {
  createInstrumentId,
  DAY_MS,
  HOUR_MS,
  parseFixed,
  type EpochMs,
  type OrderIntent,
} from '../../../src/domain/index.js';
import {
  Bookkeeper,
  describeEvent,
  type EngineCheckpoint,
  type JournalEntry,
} from '../../../src/engine/index.js';
import {
  commandFromRow,
  commandToRow,
  intentFromRow,
  intentToRow,
} from '../../../src/journal/event-rows.js';
import { readCheckpoint, writeCheckpoint } from '../../../src/journal/checkpoint-text.js';
import type { StrategyClass } from '../../../src/strategy/index.js';
import { randomRuns } from '../../support/arbitraries/random-runs.js';
import { ForgetfulTrader } from '../../support/strategies/forgetful-trader.js';
import { createMemoryArchive } from '../../support/memory-archive.js';
import { RandomTrader } from '../../support/strategies/random-trader.js';
import { recordRun, rememberingProtections } from '../../support/replays/recorded-run.js';
import { replayRuns } from '../../support/runs.js';
import { aHeader } from '../../support/journal/journal.js';
import { loadScenario } from '../../support/scenario.js';

/** An entry as a journal returns it: plain values, without objects of the strategy. */
const stored = ({ event, commands, intents = [] }: JournalEntry): JournalEntry => ({
  event,
  commands: commands.map((command) => commandFromRow(commandToRow(command))),
  intents: intents.map((intent) => intentFromRow(intentToRow(intent))),
});

/** Makes random intents also by a timer, for which there is no event. */
class TimedTrader extends RandomTrader {
  override intents(): Observable<OrderIntent> {
    const ticks$ = interval(37_000).pipe(
      tap(() => {
        this.onCandle();
      }),
      ignoreElements(),
    );
    return merge(super.intents(), ticks$);
  }
}

interface Met {
  events: number;
  commands: number;
  guards: number;
  replacements: number;
  halts: number;
  /** Bookkeepers that resumed from a checkpoint within the epoch. */
  resumed: number;
}

/** Runs a bot, and gives only its journal to a bookkeeper. Both must have the same state after every event. */
async function compareOwned(
  config: BacktestConfig,
  archive: Archive,
  { strategyClass, met }: { readonly strategyClass: StrategyClass; readonly met: Met },
): Promise<void> {
  const { entries, make, begin, terms } = await recordRun(config, archive, strategyClass);
  const engine = make();
  const beginning = engine.checkpoint();
  const options = (constructed: EpochMs) =>
    engineOptions({ config, terms, strategyClass, constructed });
  let keeper = new Bookkeeper(
    options(begin.constructed),
    aHeader({ ...begin, checkpoint: beginning }),
  );
  for (const [index, entry] of entries.entries()) {
    engine.process(entry.event);
    keeper.take(stored(entry));
    if (engine.isWarm && index % 11 === 0) {
      // A bookkeeper that resumes from a checkpoint within the epoch.
      const { time } = entry.event;
      const checkpoint = readCheckpoint(writeCheckpoint(engine.checkpoint()));
      keeper = new Bookkeeper(options(time), {
        ...{ constructed: time, started: time, checkpoint, isWarm: true },
      });
      met.resumed += 1;
    }
    met.events += 1;
    met.commands += entry.commands.length;
    if (entry.commands.length === 0 && index % 7 !== 0) continue;
    const owned = engine.checkpoint();
    count(owned, met);
    expect(keeper.checkpoint(), `event ${String(index)} (${describeEvent(entry.event)})`).toEqual(
      owned,
    );
  }
  engine.stop();
}

function count({ sides, orders, protections }: EngineCheckpoint, met: Met): void {
  met.guards += sides.filter(({ guard }) => guard !== undefined).length;
  met.replacements += orders.filter(({ replacement }) => replacement !== undefined).length;
  met.halts += protections.halts.length;
}

describe('the state of an engine, rebuilt from its journal without its strategy', () => {
  it.each<readonly [string, StrategyClass]>([
    ['that remembers nothing', ForgetfulTrader],
    ['that wants anything', RandomTrader],
    ['that wants anything, also between candles', TimedTrader],
  ])('equals the original after every event of a trader %s', async (_what, strategyClass) => {
    const parameters = fc.record({
      activity: fc.constantFrom(0.3, 0.6),
      money: fc.constantFrom(300, 5_000, 200_000),
      warmup: fc.constantFrom(0, 7),
    });
    const met: Met = { events: 0, commands: 0, guards: 0, replacements: 0, halts: 0, resumed: 0 };

    await fc.assert(
      fc.asyncProperty(
        randomRuns(parameters),
        rememberingProtections,
        async ({ config, series }, limits) => {
          await compareOwned(
            { ...config, risk: { ...config.risk, protections: limits } },
            createMemoryArchive(series),
            { strategyClass, met },
          );
        },
      ),
      { numRuns: replayRuns() },
    );

    expect(Math.min(met.commands, met.guards, met.resumed)).toBeGreaterThan(replayRuns() / 5);
  });

  it.each([
    ['channel-flip-liquidated', 3],
    ['coin-hedge', 8],
    ['margin-swing', 10],
    ['sma-crossover-resend', 8],
  ])('equals the original with every product: %s', async (name, days) => {
    const { config } = await loadScenario(name);
    const from = config.simulation.from ?? 0;
    const met: Met = { events: 0, commands: 0, guards: 0, replacements: 0, halts: 0, resumed: 0 };

    await compareOwned(
      {
        ...config,
        strategy: { ...config.strategy, parameters: { activity: 0.3, money: 50_000_000 } },
        simulation: { ...config.simulation, from, to: from + days * DAY_MS },
        risk: {
          ...config.risk,
          protections: { maxDrawdownRatio: parseFixed('0.3'), haltMs: HOUR_MS, onHalt: 'flatten' },
        },
      },
      openArchive(config.simulation.archive),
      { strategyClass: RandomTrader, met },
    );

    expect(met.commands).toBeGreaterThan(20);
  });

  it('follows the commands that were sent, even if the given configuration would send others', async () => {
    const { config } = await loadScenario('sma-crossover-resend');
    const from = config.simulation.from ?? 0;
    const simulation = { ...config.simulation, from, to: from + 4 * DAY_MS };
    const run = {
      ...config,
      strategy: { ...config.strategy, parameters: { activity: 0.3, money: 50_000_000 } },
      simulation,
    };
    const archive = openArchive(simulation.archive);
    const { entries, make, begin, terms } = await recordRun(run, archive, RandomTrader);
    const engine = make();
    const header = aHeader({ ...begin, checkpoint: engine.checkpoint() });
    const other = { ...run, simulation: { ...simulation, remainder: 'cancel' as const } };
    const given = { config: other, terms, strategyClass: RandomTrader, constructed: 0 };
    const keeper = new Bookkeeper(engineOptions(given), header);
    // Journals of older versions contain no intents.
    for (const { event, commands } of entries) {
      engine.process(event);
      keeper.take({ event, commands });
      const [owned, kept] = [engine.checkpoint(), keeper.checkpoint()];
      const ids = ({ orders }: EngineCheckpoint): readonly string[] =>
        orders.map(({ request }) => request.clientOrderId);
      expect(ids(kept)).toEqual(ids(owned));
      expect(kept.balances).toEqual(owned.balances);
      expect(kept.positions).toEqual(owned.positions);
    }
    engine.stop();
    expect(entries.filter(({ commands }) => commands.length > 0).length).toBeGreaterThan(10);
  });

  it('cannot be rebuilt if a traded instrument is not configured', async () => {
    const { config: scenario } = await loadScenario('sma-crossover-resend');
    const config = { ...scenario, strategy: { ...scenario.strategy, parameters: {} } };
    const archive = openArchive(config.simulation.archive);
    const from = config.simulation.from ?? 0;
    const simulation = { ...config.simulation, from, to: from + DAY_MS };
    const { entries, begin, terms, make } = await recordRun({ ...config, simulation }, archive);
    const instruments = config.instruments.map((each) => ({
      ...each,
      instrumentId: createInstrumentId('spot', 'ETHUSDT'),
      symbol: 'ETHUSDT',
    }));
    const given = { config: { ...config, instruments }, terms, strategyClass: ForgetfulTrader };
    const keeper = new Bookkeeper(
      engineOptions({ ...given, constructed: begin.constructed }),
      aHeader({ ...begin, checkpoint: make().checkpoint() }),
    );

    expect(() => {
      for (const entry of entries) keeper.take(entry);
    }).toThrow(expect.objectContaining({ code: 'E_MISSING' }));
  });
});
