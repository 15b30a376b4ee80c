import { createHash } from 'node:crypto';
import type { Asset, CashWatch, EpochMs, Fixed, ProductKind } from '../../domain/index.js';
import type { InputSubject, StrategyInputs } from '../../engine/index.js';
import type { ExtremeOrder, InstrumentMarket } from '../../simulator/index.js';
import {
  newStretch,
  type BranchState,
  type CandleName,
  type Fork,
  type Junction,
  type Stretch,
} from './branch-points.js';
import { exactText } from './branch-state.js';
import { CashTolerance, toleranceOf, type Cash } from './cash-tolerance.js';
import type { JunctionIndex } from './junction-index.js';

/** A point of a run and what it read from there to the next. */
export interface BranchStep {
  readonly point: Fork | Junction;
  readonly after: Stretch;
}

export interface BranchRunOptions {
  /** Candles that go the other way round than the configured path has them go. */
  readonly flips: readonly CandleName[];
  /** Where other runs have come by; undefined for a run that is to go to its end. */
  readonly junctions: JunctionIndex | undefined;
  /** What equity is counted in. */
  readonly currency: Asset;
  /** Money of contracts that a branch may have less than another and still be joined with it. */
  readonly reserve: Fixed;
}

/** What is looked at of the run's engine. */
export interface WatchedEngine {
  now(): EpochMs;
  readonly judgedIntents: number;
}

/** The state of the run, asked for between two events; undefined while something is on its way. */
export type StateReader = () => BranchState | undefined;

/**
 * One run of a search: it chooses the order of the extremes of each candle, notes where it could have chosen otherwise and where it stands
 * in between, and ends where another branch has been.
 *
 * What a run does follows from the order of a candle's extremes only where that order is asked for, so every candle that is asked about is
 * a fork; it is cheap where it leads nowhere, because both ways meet after it.
 */
export class BranchRun implements CashWatch, StrategyInputs {
  readonly #options: BranchRunOptions;
  readonly #flipped: ReadonlySet<string>;
  /** Flips that were not met yet: before them all is as in the run that this one branches from. */
  #flipsAhead: number;
  /** From the last flip to the first point. */
  readonly first = newStretch();
  #stretch = this.first;
  readonly steps: BranchStep[] = [];
  /** Where it has come to another branch, and with how much more cash. */
  joined: { readonly junction: Junction; readonly offset: Cash } | undefined;
  /** Numbers drawn by {@link countDraws}. */
  draws = 0;
  #isStirred = true;
  #junction: Junction | undefined;
  readonly #inputs = createHash('sha256');
  readonly #answers = new Map<string, string>();
  #engine: WatchedEngine | undefined;
  #judgedIntents = 0;
  /** When it was last looked whether anything had changed. */
  #lastLook: EpochMs = Number.NEGATIVE_INFINITY;

  constructor(options: BranchRunOptions) {
    this.#options = options;
    this.#flipped = new Set(options.flips.map(({ key }) => key));
    this.#flipsAhead = options.flips.length;
    this.#begin(this.first);
  }

  get #isOwn(): boolean {
    return this.#flipsAhead === 0 && this.#options.junctions !== undefined;
  }

  /** Which extreme the candle visits first, where the configured path says `own`. */
  choose(market: InstrumentMarket, own: ExtremeOrder): ExtremeOrder {
    const { openTime, source } = market;
    const key = `${source.instrument.id} ${String(openTime)}`;
    const isFlipped = this.#flipped.has(key);
    if (!isFlipped && this.#isOwn) this.#add({ kind: 'fork', key, openTime });
    this.stir();
    if (!isFlipped) return own;
    this.#flipsAhead -= 1;
    if (this.#flipsAhead === 0) this.#begin(this.first);
    return own === 'high-first' ? 'low-first' : 'high-first';
  }

  /** To be called before the run begins. */
  attach(engine: WatchedEngine): void {
    this.#engine = engine;
  }

  /** Whether anything may have changed since the last junction. An intent that was judged may change something that is no command. */
  get isStirred(): boolean {
    const judged = this.#engine?.judgedIntents ?? 0;
    if (judged !== this.#judgedIntents) {
      this.#judgedIntents = judged;
      // Instants may have passed since it was: from the last look on it is not known.
      this.#changeAt(this.#lastLook);
    }
    this.#lastLook = this.#now;
    return this.#isStirred;
  }

  /** Something changes now, or may. */
  stir(): void {
    this.#changeAt(this.#now);
  }

  #changeAt(time: EpochMs): void {
    this.#isStirred = true;
    const junction = this.#junction;
    if (junction === undefined) return;
    // What changes at the instant at which it was met changes after that.
    junction.until = Math.max(junction.from + 1, time);
    this.#junction = undefined;
  }

  get #now(): EpochMs {
    return this.#engine?.now() ?? Number.NEGATIVE_INFINITY;
  }

  /** Nothing is on its way, before the candles that close at `time` are told. Returns whether another branch has been here. */
  settle(time: EpochMs, read: StateReader): boolean {
    const { junctions } = this.#options;
    if (!this.#isOwn || junctions === undefined) {
      this.#isStirred = false;
      return false;
    }
    const state = read();
    if (state === undefined) return false;
    this.#isStirred = false;
    this.joined = junctions.find(state, time);
    if (this.joined !== undefined) return true;
    const junction: Junction = {
      ...{ kind: 'junction', state, from: time },
      until: Number.POSITIVE_INFINITY,
      outcome: undefined,
    };
    junctions.add(junction);
    this.#add(junction);
    this.#junction = junction;
    return false;
  }

  #add(point: Fork | Junction): void {
    const after = newStretch();
    this.steps.push({ point, after });
    this.#begin(after);
  }

  #begin(stretch: Stretch): void {
    this.#stretch = stretch;
    const { currency: asset, reserve: available } = this.#options;
    // Proofs that contracts are safe hold with so much less money.
    const tolerated = { account: 'futures', asset, available, needed: 0n } as const;
    stretch.tolerance = toleranceOf(asset, tolerated);
    stretch.readsOrders = false;
  }

  #tolerate(tolerance: CashTolerance): void {
    this.#stretch.tolerance = this.#stretch.tolerance.and(tolerance);
  }

  /** Counts what is drawn of a source of chance. */
  countDraws(random: () => number): () => number {
    return () => {
      this.draws += 1;
      return random();
    };
  }

  // CashWatch.

  read(): void {
    this.#tolerate(CashTolerance.NONE);
  }

  compared(account: ProductKind, asset: Asset, available: Fixed, needed: Fixed): void {
    this.#tolerate(toleranceOf(this.#options.currency, { account, asset, available, needed }));
  }

  reserveOf(asset: Asset): Fixed {
    return asset === this.#options.currency ? this.#options.reserve : 0n;
  }

  // StrategyInputs.

  told(news: unknown, subject: InputSubject): void {
    this.#noteSubject(subject);
    this.#learn(exactText(news));
  }

  /** An answer that is the same as before is nothing new. */
  answered(question: string, answer: unknown, subject: InputSubject): void {
    this.#noteSubject(subject);
    const text = exactText(answer);
    if (this.#answers.get(question) === text) return;
    this.#answers.set(question, text);
    this.#learn(`${question} ${text}`);
  }

  #noteSubject(subject: InputSubject): void {
    if (subject === 'money') this.read();
    if (subject === 'orders') this.#stretch.readsOrders = true;
  }

  #learn(text: string): void {
    this.#inputs.update(`${String(this.#now)} ${text}\n`);
    this.stir();
  }

  /** Hash of everything that the strategy has learned besides the market. */
  get inputs(): string {
    return this.#inputs.copy().digest('base64');
  }
}
