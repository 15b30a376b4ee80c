import fc from 'fast-check';
import { ignoreElements, interval, merge, tap, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { createEngine, engineOptions } from '../../../src/assembly/create-engine.js';
import type { OrderIntent } from '../../../src/domain/index.js';
import {
  Bookkeeper,
  describeEvent,
  type Engine,
  type EngineEvent,
  type JournalEntry,
} from '../../../src/engine/index.js';
import { isOrderUpdate } from '../../../src/venue/index.js';
import { randomRuns } from '../../support/arbitraries/random-runs.js';
import { createMemoryArchive } from '../../support/memory-archive.js';
import { RandomTrader } from '../../support/strategies/random-trader.js';
import { recordRun, type RecordedRun } from '../../support/replays/recorded-run.js';
import { replayRuns } from '../../support/runs.js';
import { aHeader } from '../../support/journal/journal.js';

/** `at`: the number of the call, of any kind, at which the strategy throws. `calls`: the number of calls so far. */
const defect = { at: Number.POSITIVE_INFINITY, calls: 0 };

function call(): void {
  defect.calls += 1;
  if (defect.calls >= defect.at) throw new Error('a defect of the strategy');
}

/** Makes random intents, and throws in the middle of them. */
class FaultyTrader extends RandomTrader {
  override intents(): Observable<OrderIntent> {
    const ticks$ = interval(37_000).pipe(tap(call), ignoreElements());
    return merge(super.intents(), ticks$);
  }

  override onCandle(): void {
    super.onCandle();
    call();
  }

  override onFill(): void {
    super.onFill();
    call();
  }

  override onOrder(): void {
    call();
  }

  override onVerdict(): void {
    call();
  }

  override onHalt(): void {
    call();
  }
}

/** Whether the engine can take the event: an order update needs a known order. */
function isKnown(engine: Engine, event: EngineEvent): boolean {
  if (event.kind !== 'venue' || !isOrderUpdate(event.update)) return true;
  const { clientOrderId } = event.update;
  return engine.workingOrders.some((order) => order.request.clientOrderId === clientOrderId);
}

type Config = Parameters<typeof recordRun>[0];

function anEngine(config: Config, { terms, begin }: RecordedRun, entries: JournalEntry[]): Engine {
  const engine = createEngine({
    config,
    terms,
    strategyClass: FaultyTrader,
    constructed: begin.constructed,
    outlivesStrategy: true,
    journal: {
      append: (event, commands, intents) => {
        entries.push({ event, commands: [...commands], intents: [...intents] });
      },
    },
  });
  engine.construct();
  engine.start(begin.started);
  return engine;
}

/** Runs a bot whose strategy fails. After the failure it must equal a bookkeeper that has only its journal. */
function fail(config: Config, run: RecordedRun): readonly JournalEntry[] {
  const { terms, begin } = run;
  const entries: JournalEntry[] = [];
  const engine = anEngine(config, run, entries);
  const options = { config, terms, strategyClass: FaultyTrader, constructed: begin.constructed };
  const beginning = aHeader({ ...begin, checkpoint: engine.checkpoint() });
  const keeper = new Bookkeeper(engineOptions(options), beginning);
  let taken = 0;
  const process = (event: EngineEvent): void => {
    engine.process(event);
    for (const entry of entries.slice(taken)) keeper.take(entry);
    taken = entries.length;
  };
  for (const { event } of run.entries) {
    if (!isKnown(engine, event)) continue;
    process(event);
    const failure = engine.failures.untold;
    if (failure !== undefined && taken > 0)
      process({ kind: 'strategy-failed', time: engine.now(), failure });
    if (engine.failures.inForce === undefined) continue;
    expect(keeper.checkpoint(), describeEvent(event)).toEqual(engine.checkpoint());
  }
  expect(engine.nextTimer() - engine.now()).toBeGreaterThanOrEqual(0);
  return entries;
}

describe('an engine that outlives its strategy', () => {
  it('keeps the state of its journal and repeats its commands, wherever the strategy throws', async () => {
    const parameters = fc.record({
      activity: fc.constantFrom(0.3, 0.6),
      money: fc.constantFrom(300, 5_000, 200_000),
      warmup: fc.constantFrom(0, 7),
    });
    const met = { failures: 0, after: 0 };

    await fc.assert(
      fc.asyncProperty(randomRuns(parameters), fc.nat(400), async ({ config, series }, at) => {
        defect.at = Number.POSITIVE_INFINITY;
        const run = await recordRun(config, createMemoryArchive(series), FaultyTrader);

        Object.assign(defect, { at: at + 1, calls: 0 });
        const entries = fail(config, run);
        defect.calls = 0;
        const again = anEngine(config, run, []);
        for (const { event, commands } of entries)
          expect(again.process(event), describeEvent(event)).toEqual(commands);

        const place = entries.findIndex(({ event }) => event.kind === 'strategy-failed');
        if (place < 0) return;
        met.failures += 1;
        met.after += entries.slice(place + 1).flatMap(({ commands }) => commands).length;
      }),
      { numRuns: replayRuns() },
    );

    expect(met.failures).toBeGreaterThan(replayRuns() / 3);
    expect(met.after).toBeGreaterThan(0);
  });
});
