import {
  TradingError,
  TransportError,
  type EpochMs,
  type Fixed,
  type InstrumentId,
} from '../../domain/index.js';
import type { StopWatch } from '../../engine/index.js';
import type { FeedTime, MarketFeed, ReadOptions, SharedAccount } from '../../feed/index.js';
import { sampleMs, type FuturesAccountSnapshot, type StopPlan } from '../../venue/index.js';
import { nextMultiple } from '../session/session-time.js';
import { marksOf } from './held-contracts.js';
import {
  chooseReading,
  isNearStop,
  type GuardedContract,
  type NextReading,
} from './choose-reading.js';
import { lateSample, SampleTurn } from './unanswered.js';

/** A bot with stops of contracts to sample. */
export interface SampledBot {
  /** Stops that are watched now. Stops of pairs are ignored here. */
  readonly watches: () => readonly StopWatch[];
  /** How near a price has to come to a level for last to be read, as a share of the level. */
  readonly band: Fixed;
  /** Shortest time between two samples of one contract, in ms. */
  readonly leastMs: number;
  readonly onLast: (instrumentId: InstrumentId, last: Fixed) => void;
  /** Takes each reading of the account. */
  readonly onAccount: (snapshot: FuturesAccountSnapshot) => void;
  /** Takes the error of a failed sample, or undefined when all work again. The watched stops are not guarded meanwhile. */
  readonly onState: (error: TradingError | undefined) => void;
  readonly onFailure: (error: unknown) => void;
}

interface ContractSamplesOptions {
  readonly feed: Pick<MarketFeed, 'readTicker'>;
  readonly account: Pick<SharedAccount, 'read' | 'sample'>;
  /** The venue's time. */
  readonly time: FeedTime;
  readonly plan: StopPlan;
}

/** How one contract is sampled now. */
export interface ContractSampling {
  readonly instrumentId: InstrumentId;
  /** `last` if the price is near a level, otherwise `mark`. */
  readonly by: 'last' | 'mark';
  /** Time of the latest reading; undefined before the first. */
  readonly at: EpochMs | undefined;
  /** Sampling interval that the venue's limits allow now, in ms. */
  readonly everyMs: number;
  /** Time between the two latest readings, in ms. */
  readonly latelyMs: number | undefined;
}

interface Price {
  readonly price: Fixed;
  readonly at: EpochMs;
}

/** Latest reading of one kind, and the time since the one before. */
interface Rhythm {
  readonly at: EpochMs;
  readonly latelyMs: number | undefined;
}

/**
 * Samples the stops of contracts of all bots on one key, within the calls that the limits leave for it. One call at a time: for the last price of a
 * contract near a level, or for the account with the marks of all contracts.
 */
export class ContractSamples {
  readonly #options: ContractSamplesOptions;
  readonly #bots = new Set<SampledBot>();
  readonly #lasts = new Map<InstrumentId, Price>();
  readonly #sampled = new Map<InstrumentId, Rhythm>();
  #marks: ReadonlyMap<InstrumentId, Fixed> = new Map();
  /** Time of {@link #marks}. A failed reading does not change it. */
  #marksAt: EpochMs = Number.NEGATIVE_INFINITY;
  #marksRead: Rhythm | undefined;
  readonly #failed = new Map<string, TradingError>();
  #life = new AbortController();
  #isReading = false;
  #calledAt: EpochMs = Number.NEGATIVE_INFINITY;
  #cancel = (): void => undefined;

  constructor(options: ContractSamplesOptions) {
    this.#options = options;
  }

  /** Source of its marks. Other readers may share its calls. */
  get account(): Pick<SharedAccount, 'read'> {
    return this.#options.account;
  }

  /** Whether one reading of the account saves calls. It does not for a single contract. */
  get sharesMarks(): boolean {
    return this.#options.plan.contracts > 1;
  }

  /** Samples for a bot, first at once, until the returned function is called. */
  join(bot: SampledBot): () => void {
    this.#bots.add(bot);
    if (this.#bots.size === 1) this.#begin();
    if (this.#options.time.now() - this.#calledAt >= this.#options.plan.contractCallMs)
      this.#tick();
    return () => {
      this.#bots.delete(bot);
      if (this.#bots.size === 0) this.#end();
    };
  }

  /** Reads the account for a bot before its stops are sampled, with the priority of samples. @throws errors of the source; the signal's reason. */
  async look(bot: SampledBot, how: Pick<ReadOptions, 'signal' | 'onTurn'>): Promise<void> {
    const { account, time } = this.#options;
    const now = time.now();
    this.#calledAt = now;
    const snapshot = await account.sample({ since: now, ...how });
    this.#takeAccount(snapshot, now);
    if (!this.#bots.has(bot)) bot.onAccount(snapshot);
  }

  /** How the bot's contracts with stops are sampled now. */
  samplingOf(bot: SampledBot): readonly ContractSampling[] {
    const { plan } = this.#options;
    const all = this.#guarded();
    const near = all.filter(({ isNear }) => isNear).length;
    const own = new Set(contractsOf(bot.watches()).map(({ instrumentId }) => instrumentId));
    return all
      .filter(({ instrumentId }) => own.has(instrumentId))
      .map(({ instrumentId, isNear }) => {
        const rhythm = isNear ? this.#sampled.get(instrumentId) : this.#marksRead;
        return {
          instrumentId,
          by: isNear ? 'last' : 'mark',
          at: rhythm?.at,
          everyMs: Math.max(bot.leastMs, sampleMs(plan, near, all.length)),
          latelyMs: rhythm?.latelyMs,
        };
      });
  }

  #begin(): void {
    this.#life = new AbortController();
    this.#schedule();
  }

  #end(): void {
    this.#cancel();
    this.#life.abort(new TransportError('E_CLOSED', 'nobody has stops to be sampled any more'));
  }

  #schedule(): void {
    const { time, plan } = this.#options;
    const now = time.now();
    this.#cancel = time.after(nextMultiple(now, plan.contractCallMs) - now, () => {
      this.#schedule();
      this.#tick();
    });
  }

  #tick(): void {
    // A slow call never overlaps itself.
    if (this.#isReading) return;
    const contracts = this.#guarded();
    this.#forget(contracts);
    const next = chooseReading(contracts, {
      at: this.#marksRead?.at,
      areMissing: this.#failed.has(MARKS),
    });
    if (next === undefined) return;
    void this.#read(next);
  }

  /** One call at a time: the next goes out when this one is answered or is late. */
  async #read(next: NextReading): Promise<void> {
    const { time } = this.#options;
    const { signal } = this.#life;
    const now = time.now();
    this.#isReading = true;
    this.#calledAt = now;
    const turn = new SampleTurn(time);
    const lateness = await turn.lateness(this.#take(next, now, { signal, onTurn: turn.onTurn }));
    this.#isReading = false;
    if (lateness === undefined || signal.aborted) return;
    this.#failed.set(nameOf(next), lateSample(describe(next), lateness));
    this.#note(next, now);
    this.#report();
  }

  /** Reads and reports, however long it takes. */
  async #take(
    next: NextReading,
    now: EpochMs,
    how: Pick<ReadOptions, 'signal' | 'onTurn'>,
  ): Promise<void> {
    const { feed, account } = this.#options;
    const { signal } = how;
    try {
      if (next.kind === 'marks') {
        const snapshot = await account.sample({ since: now, ...how });
        if (signal.aborted) return;
        this.#takeAccount(snapshot, now);
      } else {
        const { last } = await feed.readTicker(next.instrumentId, { since: now, ...how });
        if (signal.aborted) return;
        this.#takeLast(next.instrumentId, { price: last, at: now });
      }
      this.#failed.delete(nameOf(next));
    } catch (error: unknown) {
      if (signal.aborted) return;
      if (error instanceof TradingError) this.#failed.set(nameOf(next), error);
      else for (const bot of this.#bots) bot.onFailure(error);
      // A failed reading counts as made, so that other readings get their turn.
      this.#note(next, now);
    }
    this.#report();
  }

  #takeAccount(snapshot: FuturesAccountSnapshot, at: EpochMs): void {
    this.#marks = marksOf(snapshot);
    this.#marksAt = at;
    this.#note({ kind: 'marks' }, at);
    for (const bot of this.#bots) bot.onAccount(snapshot);
  }

  #takeLast(instrumentId: InstrumentId, last: Price): void {
    this.#lasts.set(instrumentId, last);
    this.#note({ kind: 'last', instrumentId }, last.at);
    for (const bot of this.#bots)
      if (bot.watches().some((watch) => watch.instrumentId === instrumentId))
        bot.onLast(instrumentId, last.price);
  }

  #note(reading: NextReading, at: EpochMs): void {
    const before =
      reading.kind === 'marks' ? this.#marksRead : this.#sampled.get(reading.instrumentId);
    // A late reading was already noted.
    if (before?.at === at) return;
    const rhythm = { at, latelyMs: before && at - before.at };
    if (reading.kind === 'marks') this.#marksRead = rhythm;
    else this.#sampled.set(reading.instrumentId, rhythm);
  }

  /** Reports failures of watched contracts only. Otherwise a failed reading would block the very entries that would start the watch again. */
  #report(): void {
    for (const bot of this.#bots) {
      const own = contractsOf(bot.watches()).map(({ instrumentId }) => instrumentId);
      const names = own.length === 0 ? [] : [...own, MARKS];
      const failing = names.find((name) => this.#failed.has(name));
      bot.onState(failing === undefined ? undefined : this.#failed.get(failing));
    }
  }

  #forget(contracts: readonly GuardedContract[]): void {
    const ids = new Set<string>(contracts.map(({ instrumentId }) => instrumentId));
    for (const id of this.#sampled.keys())
      if (!ids.has(id)) {
        this.#sampled.delete(id);
        this.#lasts.delete(id);
      }
    const count = this.#failed.size;
    for (const name of this.#failed.keys())
      if (name === MARKS ? ids.size === 0 : !ids.has(name)) this.#failed.delete(name);
    if (this.#failed.size < count) this.#report();
  }

  /** Every contract with a stop of any bot, in the order in which the bots joined. */
  #guarded(): readonly GuardedContract[] {
    const now = this.#options.time.now();
    const found = new Map<InstrumentId, GuardedContract>();
    for (const bot of this.#bots)
      for (const watch of contractsOf(bot.watches())) {
        const { instrumentId } = watch;
        const known = found.get(instrumentId);
        const price = this.#priceOf(instrumentId);
        const sampledAt = this.#sampled.get(instrumentId)?.at;
        found.set(instrumentId, {
          instrumentId,
          sampledAt,
          isKnown: price !== undefined,
          // Without a mark, only last can show the price.
          isNear:
            known?.isNear === true ||
            price === undefined ||
            this.#failed.has(MARKS) ||
            isNearStop(watch, price, bot.band),
          isDue: known?.isDue === true || sampledAt === undefined || now - sampledAt >= bot.leastMs,
        });
      }
    const all = [...found.values()];
    // For a single contract, last costs as much as the mark.
    return all.length === 1 ? all.map((each) => ({ ...each, isNear: true })) : all;
  }

  /** The newest known price. A contract that the account does not hold has no mark. */
  #priceOf(instrumentId: InstrumentId): Fixed | undefined {
    const last = this.#lasts.get(instrumentId);
    if (last !== undefined && last.at >= this.#marksAt) return last.price;
    return this.#marks.get(instrumentId);
  }
}

const MARKS = 'marks';

function nameOf(reading: NextReading): string {
  return reading.kind === 'marks' ? MARKS : reading.instrumentId;
}

function describe(reading: NextReading): string {
  return reading.kind === 'marks'
    ? 'the account, which has the marks of contracts,'
    : `the last price of ${reading.instrumentId}`;
}

/** Watches of contracts. */
export function contractsOf(watches: readonly StopWatch[]): readonly StopWatch[] {
  return watches.filter(({ instrumentId }) => instrumentId.startsWith('futures:'));
}
