import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { onTestFinished } from 'vitest';

import { openArchive, type Archive } from '../../../src/archive/index.js';
import { createInstrument } from '../../../src/assembly/market/create-instruments.js';
import { prepareMarket, type LoadedMarket } from '../../../src/assembly/market/prepare-market.js';
import type { InterruptedBot, Interruption } from '../../../src/assembly/parity/interruptions.js';
import { LiveSide, type LiveSideOptions } from '../../../src/assembly/parity/live-side.js';
import { TraceRecorder } from '../../../src/assembly/parity/trace-recorder.js';
import { withVenueVolumes } from '../../../src/assembly/parity/venue-volumes.js';
import { replayMarket } from '../../../src/assembly/run-backtest.js';
import { loadBot } from '../../../src/cli/bot/load-bot.js';
import { systemTime } from '../../../src/engine/system-time.js';
import type { EpochMs } from '../../../src/domain/index.js';
import type { StrategyClass } from '../../../src/strategy/index.js';
import type { StreamWarming } from '../../../src/live/index.js';
import type { ParityTrace } from '../../../src/report/index.js';
import { aCliContext } from '../cli/cli-context.js';
import { PlainReplay, type Told } from '../replays/plain-replay.js';
import { temporaryFolder } from '../temporary-folder.js';
import { JournaledStarts } from './journaled-starts.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');

export interface RestartedRun {
  /** From the repository's root. */
  readonly config: string;
  readonly from: EpochMs;
  readonly to: EpochMs;
}

type Bot = Awaited<ReturnType<typeof loadBot>>;

/** A bot of this repository over HTTP, in lockstep with its exchange, with the journal and the starts of a live bot. */
export class RestartedBot {
  readonly #run: RestartedRun;
  readonly #market: LoadedMarket;
  readonly #options: Omit<LiveSideOptions, 'interruptions' | 'begin'>;
  readonly #starts: JournaledStarts;
  #strategy: object | undefined;

  private constructor(bot: Bot, run: RestartedRun, market: LoadedMarket, folder: string) {
    this.#run = run;
    this.#market = market;
    const { config, plugin } = bot;
    this.#starts = new JournaledStarts(folder, run.config);
    this.#options = {
      config,
      strategyClass: this.#watched(plugin.strategyClass),
      sourceHash: plugin.sourceHash,
      archive: archiveOf(bot),
      breathe: () => nextTurn(),
      timers: systemTime,
    };
  }

  /** Loads a bot. Its market data stays open until the test ends. */
  static async of(run: RestartedRun): Promise<RestartedBot> {
    const { context } = aCliContext({ cwd: ROOT });
    const bot = await loadBot(run.config, context, {
      set: ['simulation.closeAtEnd=false'],
      from: new Date(run.from).toISOString(),
      to: new Date(run.to).toISOString(),
    });
    const market = await prepareMarket(bot.config, archiveOf(bot));
    onTestFinished(() => market.close());
    return new RestartedBot(bot, run, market, await temporaryFolder());
  }

  /** The trace of the backtest, which never stops; `told`: external events to give it. */
  async backtest(told: readonly Told[] = []): Promise<ParityTrace> {
    const { config, strategyClass, sourceHash } = this.#options;
    const recorder = new TraceRecorder();
    const { refusals, finalBalances: balances } = await replayMarket(this.#market, {
      ...{ config, strategyClass, sourceHash },
      journal: recorder,
      ...(told.length > 0 && { createReplay: (options) => new PlainReplay(options, told) }),
    });
    return recorder.trace({ refusals, worked: [], balances });
  }

  /** The trace of the bot over HTTP, with interruptions. */
  async live(interruptions: readonly Interruption[]): Promise<ParityTrace> {
    this.loseJournal();
    const options = { ...this.#options, interruptions, begin: this.#starts.begin };
    try {
      return await new LiveSide(options, this.#market, this.#run.from).play(this.#run.to);
    } finally {
      this.#starts.close();
    }
  }

  /** Ends it in order, as `stop` does. */
  async stop(bot: InterruptedBot): Promise<void> {
    await this.#starts.stop(bot);
  }

  loseJournal(): void {
    this.#starts.loseJournal();
  }

  /** Whether a start finds stored candles. */
  set hasArchive(hasArchive: boolean) {
    this.#starts.hasArchive = hasArchive;
  }

  /** Warm-ups of the last start, with their needed and received candles. */
  get warmings(): readonly StreamWarming[] {
    return this.#starts.warmings;
  }

  /** Values of the running strategy's indicators, by name. */
  values(): ReadonlyMap<string, number> {
    return new Map(valuesOf(this.#strategy));
  }

  #watched(strategyClass: StrategyClass): StrategyClass {
    const watch = (strategy: object): void => {
      this.#strategy = strategy;
    };
    return class extends strategyClass {
      constructor(...given: ConstructorParameters<StrategyClass>) {
        super(...given);
        watch(this);
      }
    };
  }
}

function archiveOf({ config }: Bot): Archive {
  const archive = openArchive(config.simulation.archive);
  return withVenueVolumes(archive, config.instruments.map(createInstrument));
}

/** Numbers in fields `value`, up to three levels deep, with their paths. */
function* valuesOf(given: unknown, at = '', depth = 0): Generator<[string, number]> {
  if (typeof given !== 'object' || given === null || depth > 3) return;
  const value: unknown = Reflect.get(given, 'value');
  if (typeof value === 'number') yield [at, value];
  if (depth === 0 || Array.isArray(given) || Object.getPrototypeOf(given) === Object.prototype)
    for (const [name, member] of Object.entries(given))
      yield* valuesOf(member, `${at}.${name}`, depth + 1);
}
