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

/** A point of a run, with the run's reads from there to the next point. */
export interface BranchStep {
  readonly point: Fork | Junction;
  readonly after: Stretch;
}

interface BranchRunOptions {
  /** Candles with the opposite order of extremes to that of the configured path. */
  readonly flips: readonly CandleName[];
  /** States that other runs have reached; undefined for a run that must go to its end. */
  readonly junctions: JunctionIndex | undefined;
  /** The equity currency. */
  readonly currency: Asset;
  /** Money of contracts that a branch may lack compared with another and still join it. */
  readonly reserve: Fixed;
}

/** The parts of the run's engine that a branch looks at. */
interface WatchedEngine {
  now(): EpochMs;
  readonly judgedIntents: number;
}

/** Reads the state of the run between two events; undefined while a command or update is on its way. */
type StateReader = () => BranchState | undefined;

/**
 * One run of a search: it chooses the order of extremes of each candle, notes each other possible choice and the states in between, and ends when it
 * reaches a state of another branch.
 *
 * The order of a candle's extremes matters to a run only if the run asks for it. So every candle that is asked about is a fork. A fork without effect
 * costs little, because both ways join after it.
 */
export class BranchRun implements CashWatch, StrategyInputs {
  readonly #options: BranchRunOptions;
  readonly #flipped: ReadonlySet<string>;
  /** Number of flips that are still ahead. Before the last flip, the run equals the run that it branches from. */
  #flipsAhead: number;
  /** The stretch from the last flip to the first point. */
  readonly first = newStretch();
  #stretch = this.first;
  readonly steps: BranchStep[] = [];
  /** The junction with another branch, and how much more cash this run has. */
  joined: { readonly junction: Junction; readonly offset: Cash } | undefined;
  /** Numbers drawn by {@link countDraws}. */
  draws = 0;
  #isStirred = true;
  #junction: Junction | undefined;
  readonly #inputs = createHash('sha256');
  readonly #answers = new Map<string, string>();
  #engine: WatchedEngine | undefined;
  #judgedIntents = 0;
  /** Time of the last check for changes. */
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

  /** Chooses the extreme that the candle visits first. `own` is the choice of the configured path. */
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

  /** Must be called before the run begins. */
  attach(engine: WatchedEngine): void {
    this.#engine = engine;
  }

  /** Whether anything may have changed since the last junction. A judged intent may change more than commands show. */
  get isStirred(): boolean {
    const judged = this.#engine?.judgedIntents ?? 0;
    if (judged !== this.#judgedIntents) {
      this.#judgedIntents = judged;
      // Instants may have passed since the intent was judged. The change may be as early as the last check.
      this.#changeAt(this.#lastLook);
    }
    this.#lastLook = this.#now;
    return this.#isStirred;
  }

  /** Notes that something changes now, or may change. */
  stir(): void {
    this.#changeAt(this.#now);
  }

  #changeAt(time: EpochMs): void {
    this.#isStirred = true;
    const junction = this.#junction;
    if (junction === undefined) return;
    // A change at the instant of the junction comes after the junction.
    junction.until = Math.max(junction.from + 1, time);
    this.#junction = undefined;
  }

  get #now(): EpochMs {
    return this.#engine?.now() ?? Number.NEGATIVE_INFINITY;
  }

  /** Called when nothing is on its way, before the candles that close at `time` are delivered. Returns whether another branch has been in this state. */
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
    // Proofs that contracts are safe hold with this much less money.
    const tolerated = { account: 'futures', asset, available, needed: 0n } as const;
    stretch.tolerance = toleranceOf(asset, tolerated);
    stretch.readsOrders = false;
  }

  #tolerate(tolerance: CashTolerance): void {
    this.#stretch.tolerance = this.#stretch.tolerance.and(tolerance);
  }

  /** Counts the draws from a random source. */
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

  /** An answer that is the same as before adds nothing. */
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

  /** Hash of everything that the strategy has learned, except for the market. */
  get inputs(): string {
    return this.#inputs.copy().digest('base64');
  }
}
