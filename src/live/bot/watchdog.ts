import {
  nominalIntervalMs,
  SECOND_MS,
  secondsText,
  type Clock,
  type EpochMs,
  type InstrumentId,
  type VenueInterval,
} from '../../domain/index.js';
import type { FeedTime } from '../../feed/index.js';
import type { LifeReason } from './bot-life.js';
import { goneCondition } from './health-news.js';

/** A stream to watch. */
export interface WatchedStream {
  readonly name: string;
  /** Time of the latest new data; undefined before the first. */
  readonly lastData: EpochMs | undefined;
  /** Expected time between new data, in ms: the interval of candles, the period of a poll. */
  readonly everyMs: number;
}

/** Candle streams that must bring data: all except those of gone instruments. */
export function listWatched(
  streams: readonly { readonly instrumentId: InstrumentId; readonly interval: VenueInterval }[],
  {
    shown,
    conditions,
  }: {
    readonly shown: ReadonlyMap<string, Pick<WatchedStream, 'lastData'>>;
    readonly conditions: readonly Pick<LifeReason, 'name'>[];
  },
): readonly WatchedStream[] {
  const names = new Set(conditions.map(({ name }) => name));
  return streams
    .filter(({ instrumentId }) => !names.has(goneCondition(instrumentId)))
    .map(({ instrumentId, interval }) => {
      const name = `${instrumentId} ${interval}`;
      const everyMs = nominalIntervalMs(interval);
      return { name, lastData: shown.get(name)?.lastData, everyMs };
    });
}

/** Takes the conditions that the watchdog finds, by name. */
interface ConditionListener {
  degrade(name: string, text: string): void;
  recover(name: string): void;
}

interface WatchdogOptions {
  /** The machine's time. */
  readonly time: FeedTime;
  /** The clock that tells when data came: the venue's. @defaultValue `time` */
  readonly dataClock?: Clock | undefined;
  /** Asked at every look. */
  readonly streams: () => readonly WatchedStream[];
  /** Other problems, by name, with a line for people. Asked at every look. @defaultValue none */
  readonly others?: (() => ReadonlyMap<string, string>) | undefined;
  readonly listener: ConditionListener;
  /** Allowed lateness of data beyond its expected time, in ms. */
  readonly staleAfterMs: number;
  /** Allowed lateness of the process, in ms. */
  readonly loopStallMs: number;
}

const LOOP = 'loop';

/**
 * Notices silent stalls: streams that stop bringing data without a failure, and a process that does not get to its work. It trusts only the clock,
 * not the streams' own states.
 *
 * A timer cannot fire while the loop is blocked: it reports its lateness right afterwards. The condition stays until the process was on time for
 * `loopStallMs`, because data from before the stall is old.
 */
export class Watchdog {
  readonly #options: WatchdogOptions;
  /** Time between two looks. */
  readonly #checkMs: number;
  readonly #reported = new Set<string>();
  #cancel: (() => void) | undefined;
  #startedAt: EpochMs = 0;
  #dueAt: EpochMs = 0;
  #lateUntil: EpochMs = Number.NEGATIVE_INFINITY;
  #worstLagMs = 0;

  constructor(options: WatchdogOptions) {
    this.#options = options;
    this.#checkMs = Math.min(SECOND_MS, Math.ceil(options.loopStallMs / 2));
  }

  /** Starts looking. From now on streams must bring their first data. A second call does nothing. */
  start(): void {
    if (this.#cancel !== undefined) return;
    this.#startedAt = this.#dataNow();
    this.#schedule();
  }

  /** Stops looking. Reported conditions stay. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  /** Largest lateness of the process since the last call, in ms. */
  takeWorstLagMs(): number {
    const worst = this.#worstLagMs;
    this.#worstLagMs = 0;
    return worst;
  }

  #schedule(): void {
    this.#dueAt = this.#options.time.now() + this.#checkMs;
    this.#cancel = this.#options.time.after(this.#checkMs, () => {
      this.#look();
    });
  }

  #look(): void {
    const now = this.#options.time.now();
    this.#lookAtLoop(now);
    this.#lookAtStreams(this.#dataNow());
    // The listener may have stopped the watchdog.
    if (this.#cancel !== undefined) this.#schedule();
  }

  #dataNow(): EpochMs {
    const { time, dataClock = time } = this.#options;
    return dataClock.now();
  }

  #lookAtLoop(now: EpochMs): void {
    const { loopStallMs } = this.#options;
    const lag = Math.max(0, now - this.#dueAt);
    this.#worstLagMs = Math.max(this.#worstLagMs, lag);
    if (lag > loopStallMs) {
      this.#lateUntil = now + loopStallMs;
      this.#degrade(LOOP, `event loop blocked for ${secondsText(lag)}`);
    } else if (now >= this.#lateUntil) this.#recover(LOOP);
  }

  #lookAtStreams(now: EpochMs): void {
    const streams = this.#options.streams();
    const names = new Set(streams.map(({ name }) => nameOf(name)));
    for (const { name, lastData, everyMs } of streams) {
      const age = now - (lastData ?? this.#startedAt);
      if (age <= everyMs + this.#options.staleAfterMs) this.#recover(nameOf(name));
      else {
        const since = lastData === undefined ? 'has brought nothing yet' : 'brings nothing new';
        this.#degrade(nameOf(name), `${name} ${since}, expected every ${secondsText(everyMs)}`);
      }
    }
    for (const [name, text] of this.#options.others?.() ?? []) {
      names.add(name);
      this.#degrade(name, text);
    }
    // A stream that is no longer watched cannot be late.
    for (const name of this.#reported) if (name !== LOOP && !names.has(name)) this.#recover(name);
  }

  #degrade(name: string, text: string): void {
    this.#reported.add(name);
    this.#options.listener.degrade(name, text);
  }

  #recover(name: string): void {
    if (this.#reported.delete(name)) this.#options.listener.recover(name);
  }
}

function nameOf(stream: string): string {
  return `watchdog ${stream}`;
}
