import { rmSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { onTestFinished } from 'vitest';

import { openArchive, type Archive } from '../../../src/archive/index.js';
import { beginEngine } from '../../../src/assembly/bot/begin-engine.js';
import { toldFills } from '../../../src/assembly/bot/told-fills.js';
import type { SessionConfig } from '../../../src/config/index.js';
import { createInstrument } from '../../../src/assembly/market/create-instruments.js';
import { prepareMarket, type LoadedMarket } from '../../../src/assembly/market/prepare-market.js';
import type {
  BeginLive,
  InterruptedBot,
  Interruption,
} from '../../../src/assembly/parity/interruptions.js';
import { LiveSide, type LiveSideOptions } from '../../../src/assembly/parity/live-side.js';
import { TraceRecorder } from '../../../src/assembly/parity/trace-recorder.js';
import { withVenueVolumes } from '../../../src/assembly/parity/venue-volumes.js';
import { replayMarket } from '../../../src/assembly/run-backtest.js';
import { loadBot } from '../../../src/cli/bot/load-bot.js';
import { systemTime } from '../../../src/engine/system-time.js';
import type { EpochMs } from '../../../src/domain/index.js';
import type { MarketDataSource } from '../../../src/venue/index.js';
import type { StrategyClass } from '../../../src/strategy/index.js';
import type { Journal } from '../../../src/engine/index.js';
import { openJournal, type SqliteJournal } from '../../../src/journal/index.js';
import { GoneInstruments, SILENT_BOT_LOG, type StreamWarming } from '../../../src/live/index.js';
import type { ParityTrace } from '../../../src/report/index.js';
import { aCliContext } from '../cli/cli-context.js';
import { PlainReplay, type Told } from '../plain-replay.js';
import { temporaryFolder } from '../temporary-folder.js';

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
  readonly #folder: string;
  /** Journal of the running process. */
  #journal: SqliteJournal | undefined;
  #strategy: object | undefined;
  /** Whether a start finds stored candles. */
  hasArchive = true;
  /** Warm-ups of the last start, with their needed and received candles. */
  warmings: readonly StreamWarming[] = [];

  private constructor(bot: Bot, run: RestartedRun, market: LoadedMarket, folder: string) {
    this.#run = run;
    this.#market = market;
    this.#folder = folder;
    const { config, plugin } = bot;
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
    const options = { ...this.#options, interruptions, begin: this.#begin };
    try {
      return await new LiveSide(options, this.#market, this.#run.from).play(this.#run.to);
    } finally {
      this.#journal?.close();
    }
  }

  /** Ends it in order, as `stop` does. */
  async stop(bot: InterruptedBot): Promise<void> {
    const { engine } = bot;
    await bot.stop();
    this.#journal?.closeEpoch('stopped', engine.checkpoint());
    this.#journal?.close();
  }

  loseJournal(): void {
    for (const suffix of ['', '-wal', '-shm', '-lock'])
      rmSync(`${this.#file}${suffix}`, { force: true });
  }

  /** Values of the running strategy's indicators, by name. */
  values(): ReadonlyMap<string, number> {
    return new Map(valuesOf(this.#strategy));
  }

  get #file(): string {
    return path.join(this.#folder, 'bot.journal');
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

  readonly #begin: BeginLive = async (options) => {
    const { now, source, journal: traced, terms, strategyClass, sourceHash } = options;
    const config = this.#options.config as SessionConfig;
    const journal = await openJournal({ file: this.#file });
    this.#journal = journal;
    const begun = await beginEngine(
      {
        ...{ config, strategyClass, sourceHash, mode: 'live' },
        journal: this.#file,
        source: { configFile: this.#run.config, set: [] },
        connection: { time: { now: () => now }, venue: { market: source as MarketDataSource } },
        log: SILENT_BOT_LOG,
      },
      {
        archive: this.hasArchive ? this.#options.archive : openArchive(this.#folder),
        terms,
        journal: alsoInto(journal, traced),
        controller: new AbortController(),
        patience: { time: systemTime },
        gone: new GoneInstruments(),
      },
      { onVerdict: () => undefined },
    );
    this.warmings = begun.warmings;
    if (begun.history === undefined) return begun;
    return { ...begun, ...toldFills(begun.engine, begun.history, config) };
  };
}

function archiveOf({ config }: Bot): Archive {
  const archive = openArchive(config.simulation.archive);
  return withVenueVolumes(archive, config.instruments.map(createInstrument));
}

/** A journal that also appends each entry to another journal. */
function alsoInto(journal: SqliteJournal, other: LiveSideOptions['journal']): SqliteJournal {
  return new Proxy(journal, {
    get: (target, name): unknown => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...given: Parameters<Journal['append']>): unknown => {
        const answer: unknown = Reflect.apply(member, target, given);
        if (name === 'append') other?.append(...given);
        return answer;
      };
    },
  });
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
