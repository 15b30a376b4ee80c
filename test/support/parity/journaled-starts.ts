import { rmSync } from 'node:fs';
import path from 'node:path';

import { openArchive, type Archive } from '../../../src/archive/index.js';
import { beginEngine } from '../../../src/assembly/bot/begin-engine.js';
import { toldFills } from '../../../src/assembly/bot/journal/told-fills.js';
import { listOpeningPrices } from '../../../src/assembly/market/opening-prices.js';
import { prepareMarket } from '../../../src/assembly/market/prepare-market.js';
import { SeriesCursor } from '../../../src/assembly/replay/series-cursor.js';
import type {
  BeginLive,
  InterruptedBot,
  LiveBeginning,
} from '../../../src/assembly/parity/interruptions.js';
import type { LiveSideOptions } from '../../../src/assembly/parity/live-side.js';
import type { SessionConfig } from '../../../src/config/index.js';
import type { Engine, Journal } from '../../../src/engine/index.js';
import { systemTime } from '../../../src/engine/system-time.js';
import { openJournal, type SqliteJournal } from '../../../src/journal/index.js';
import { GoneInstruments, SILENT_BOT_LOG, type StreamWarming } from '../../../src/live/index.js';
import type { MarketDataSource } from '../../../src/venue/index.js';

/** Begins the live side of parity from a journal, as a live bot does. */
export class JournaledStarts {
  readonly #folder: string;
  readonly #configFile: string;
  /** Journal of the running process. */
  #journal: SqliteJournal | undefined;
  /** Whether a start finds stored candles. */
  hasArchive = true;
  /** Warm-ups of the last start, with their needed and received candles. */
  warmings: readonly StreamWarming[] = [];
  /** Number of starts that replayed an open epoch. */
  replays = 0;

  constructor(folder: string, configFile: string) {
    this.#folder = folder;
    this.#configFile = configFile;
  }

  /** Ends it in order, as `stop` does. */
  async stop(bot: InterruptedBot): Promise<void> {
    const { engine } = bot;
    await bot.stop();
    this.#journal?.closeEpoch('stopped', engine.checkpoint());
    this.close();
  }

  /** Ends it as the end of its process does: its epoch stays open. */
  async kill(bot: InterruptedBot): Promise<void> {
    await bot.stop();
    this.close();
  }

  close(): void {
    this.#journal?.close();
    this.#journal = undefined;
  }

  loseJournal(): void {
    for (const suffix of ['', '-wal', '-shm', '-lock'])
      rmSync(`${this.#file}${suffix}`, { force: true });
  }

  get #file(): string {
    return path.join(this.#folder, 'bot.journal');
  }

  readonly begin: BeginLive = async (options) => {
    const { now, source, journal: traced, terms, strategyClass, sourceHash } = options;
    const config = options.config as SessionConfig;
    const journal = await openJournal({ file: this.#file });
    this.#journal = journal;
    const begun = await beginEngine(
      {
        ...{ config, strategyClass, sourceHash, mode: 'live' },
        journal: this.#file,
        source: { configFile: this.#configFile, set: [] },
        connection: { time: { now: () => now }, venue: { market: source as MarketDataSource } },
        log: SILENT_BOT_LOG,
      },
      {
        archive: this.hasArchive ? (options.archive as Archive) : openArchive(this.#folder),
        terms,
        journal: alsoInto(journal, traced),
        controller: new AbortController(),
        patience: { time: systemTime },
        gone: new GoneInstruments(),
      },
      { onVerdict: () => undefined },
    );
    this.warmings = begun.warmings;
    if (begun.isReplayed) this.replays += 1;
    if (begun.history === undefined)
      return { ...begun, openingPrices: await openingPricesOf(options, begun.engine) };
    return { ...begun, ...toldFills(begun.engine, begun.history, config) };
  };
}

/** At its very start the exchange of parity does not show the open yet at which a backtest values what is held. */
async function openingPricesOf(
  { config, archive, now }: Parameters<BeginLive>[0],
  { portfolio }: Engine,
): Promise<LiveBeginning['openingPrices']> {
  const market = await prepareMarket(config, archive as Archive);
  const cursors = market.series.map((series) => new SeriesCursor(series));
  const prices = listOpeningPrices(cursors, portfolio, now);
  await market.close();
  return prices;
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
