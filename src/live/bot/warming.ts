import {
  closeTimeOf,
  formatUtc,
  nounOf,
  type Candle,
  type EpochMs,
  type VenueInterval,
} from '../../domain/index.js';
import { seedWeight, type EngineEvent, type StreamWarmup } from '../../engine/index.js';
import { WARMING } from './bot-life.js';
import type { BotStatus } from './bot-control.js';

/** Candles that the indicators of a stream need to forget their starting values, and candles that they got before the bot runs. */
export interface StreamWarming extends Pick<
  StreamWarmup,
  'instrumentId' | 'candles' | 'recursive'
> {
  readonly interval: VenueInterval;
  /** Closed candles that they got. */
  readonly told: number;
  /** Open time of the next candle. */
  readonly next: EpochMs;
}

interface WarmingOptions {
  readonly streams: readonly StreamWarming[];
  /** Whether entries wait while candles are missing. */
  readonly waits: boolean;
}

type Tell = (condition: string, text: string | undefined) => void;

/**
 * Counts missing candles of streams whose indicators started with too few. Entries wait for them if configured; exits, stops and other guards never
 * do.
 */
export class Warming {
  readonly #missing: ReadonlyMap<string, MissingCandles>;
  readonly #waits: boolean;
  #tell: Tell | undefined;

  constructor({ streams, waits }: WarmingOptions) {
    this.#waits = waits;
    this.#missing = new Map(
      streams
        .filter(({ told, candles }) => told < candles)
        .map((stream) => [nameOf(stream), new MissingCandles(stream)]),
    );
  }

  /** Starts counting. */
  begin(tell: Tell): void {
    this.#tell = tell;
    if (!this.#waits) return;
    for (const [name, stream] of this.#missing) tell(`${WARMING}${name}`, stream.describe());
  }

  take(event: EngineEvent): void {
    const tell = this.#tell;
    if (tell === undefined || event.kind !== 'candles') return;
    for (const candle of event.candles) {
      const name = nameOf(candle);
      const stream = this.#missing.get(name);
      if (stream?.take(candle) === true && this.#waits) tell(`${WARMING}${name}`, undefined);
    }
  }

  /** Streams that still miss candles. */
  get left(): BotStatus['warmUp'] {
    return [...this.#missing.values()].flatMap((stream) => stream.left);
  }
}

class MissingCandles {
  readonly #stream: StreamWarming;
  #told: number;

  constructor(stream: StreamWarming) {
    this.#stream = stream;
    this.#told = stream.told;
  }

  /** Returns whether that was the last one. */
  take({ openTime }: Candle): boolean {
    // A candle of the warm-up, which the engine gets after the bot has begun.
    if (openTime < this.#stream.next) return false;
    this.#told += 1;
    return this.#told === this.#stream.candles;
  }

  get left(): BotStatus['warmUp'] {
    const { instrumentId, interval, candles, recursive } = this.#stream;
    const told = this.#told;
    if (told >= candles) return [];
    const indicators = recursive
      .filter(({ convergence }) => Number.isFinite(convergence))
      .map((indicator) => ({ name: indicator.name, weight: seedWeight(indicator, told) }));
    return [{ instrumentId, interval, missing: candles - told, candles, indicators }];
  }

  describe(): string {
    const { candles, told, interval, next } = this.#stream;
    let until = next;
    for (let candle = told; candle < candles; candle += 1) until = closeTimeOf(until, interval);
    return `${nameOf(this.#stream)} is warming up: ${String(candles - told)} of ${String(candles)} candles ${nounOf(candles - told, 'was', 'were')} missing at the start, and entries wait for them until ${formatUtc(until)}, or for older ones and another start (warmUp.incomplete: begin does not wait)`;
  }
}

function nameOf({
  instrumentId,
  interval,
}: {
  readonly instrumentId: string;
  readonly interval: string;
}): string {
  return `${instrumentId} ${interval}`;
}
