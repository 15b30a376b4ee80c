import {
  AuthError,
  formatFixed,
  RULE_LIMITS,
  TradingError,
  type EpochMs,
  type Instrument,
  type InstrumentId,
  type InstrumentRules,
  type OrderReason,
} from '../domain/index.js';
import type { Listing, MarketDataSource } from '../venue/index.js';
import type { Activity } from './activity.js';
import type { SessionTime } from './session-time.js';

export interface InstrumentWatchOptions {
  readonly source: Pick<MarketDataSource, 'listings'>;
  /** Those that are traded. */
  readonly instruments: readonly Instrument[];
  /** Rules in force, as the bot knows them. */
  readonly rulesOf: (instrumentId: InstrumentId) => InstrumentRules | undefined;
  readonly time: SessionTime;
  readonly activity: Activity;
  readonly signal: AbortSignal;
  /** What the bot was closed for before. */
  readonly closings: ReadonlyMap<
    InstrumentId,
    { readonly text: string; readonly untilResumed?: boolean }
  >;
  /** The venue has other rules now. */
  readonly onRules: (instrumentId: InstrumentId, rules: InstrumentRules, text: string) => void;
  /** Why nothing is to be entered in an instrument, until it is so no more (undefined). */
  readonly onClosed: (instrumentId: InstrumentId, text: string | undefined) => void;
  readonly onFailure: (error: unknown) => void;
}

/** Between two readings of what the venue lists: as a rule, and while something is amiss. */
const LOOK_MS = 300_000;
const CLOSE_LOOK_MS = 30_000;
/** After a refused order entries wait: twice as long with each one in a row, up to a bound. */
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 300_000;

/**
 * Refusals by which the venue says that it is not the order that is wrong, but what the bot knows of the instrument: precision, unknown symbol,
 * quantity out of bounds, no MARKET orders, not tradable.
 */
const SUSPECT: ReadonlySet<string> = new Set([
  '-1111',
  '-1121',
  '-1136',
  '-1137',
  '-1139',
  '-1146',
]);

/** What is amiss with one instrument. */
interface Trouble {
  /** What the venue's list says. */
  listed: string | undefined;
  /** Refusals in a row, of which the last is said. */
  refusals: number;
  refused: string | undefined;
  cancelWait: () => void;
  told: string | undefined;
}

/**
 * Watches whether instruments can be traded, and by which rules: at intervals, and at once when the venue refuses an order for them. Nothing is
 * entered in an instrument that is not tradable or gone; the others go on, and so do exits of what is held.
 */
export class InstrumentWatch {
  readonly #options: InstrumentWatchOptions;
  readonly #troubles = new Map<InstrumentId, Trouble>();
  #cancel = (): void => undefined;
  #isReading = false;
  #isStopped = false;
  #due: EpochMs = Number.POSITIVE_INFINITY;

  constructor(options: InstrumentWatchOptions) {
    this.#options = options;
  }

  start(): void {
    this.#lookAt(0);
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
    for (const { cancelWait } of this.#troubles.values()) cancelWait();
  }

  /** The venue has refused an order. */
  refused(instrumentId: InstrumentId, { code, text }: OrderReason): void {
    if (!SUSPECT.has(code) || this.#isStopped) return;
    const trouble = this.#troubleOf(instrumentId);
    const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** trouble.refusals);
    trouble.refusals += 1;
    trouble.refused = `${instrumentId}: the venue refuses its orders (${code} ${text}), ${String(trouble.refusals)} in a row; entries wait for ${String(waitMs / 1_000)} s`;
    trouble.cancelWait();
    trouble.cancelWait = this.#options.time.after('account', waitMs, () => {
      trouble.refused = undefined;
      this.#tell(instrumentId, trouble);
    });
    this.#tell(instrumentId, trouble);
    this.#lookAt(0);
  }

  /** The venue has taken an order. */
  accepted(instrumentId: InstrumentId): void {
    const trouble = this.#troubles.get(instrumentId);
    if (trouble === undefined || trouble.refusals === 0) return;
    trouble.refusals = 0;
    trouble.refused = undefined;
    trouble.cancelWait();
    this.#tell(instrumentId, trouble);
  }

  /** Reads the venue's list now. */
  async look(): Promise<void> {
    const { instruments, source, signal } = this.#options;
    const listed = new Map<string, Listing>();
    for (const kind of new Set(instruments.map((instrument) => instrument.kind)))
      for (const listing of (await source.listings(kind, { signal })).listings)
        listed.set(`${kind} ${listing.symbol}`, listing);
    for (const { id, kind, symbol } of instruments)
      this.#judge(id, listed.get(`${kind} ${symbol}`));
  }

  #judge(id: InstrumentId, listing: Listing | undefined): void {
    const trouble = this.#troubleOf(id);
    trouble.listed = undefined;
    if (listing === undefined) trouble.listed = `${id}: the venue lists it no more`;
    else if (!listing.rules.tradable) trouble.listed = `${id}: is not tradable now`;
    this.#tell(id, trouble);
    const known = this.#options.rulesOf(id);
    if (listing === undefined || known === undefined) return;
    const changes = listChanges(known, listing.rules);
    if (changes.length === 0) return;
    const rules = mergeRules(known, listing.rules);
    this.#options.onRules(
      id,
      rules,
      `${id}: the venue's rules have changed: ${changes.join(', ')}`,
    );
  }

  #troubleOf(instrumentId: InstrumentId): Trouble {
    let trouble = this.#troubles.get(instrumentId);
    if (trouble === undefined) {
      const before = this.#options.closings.get(instrumentId);
      const told = before?.untilResumed === true ? undefined : before?.text;
      trouble = {
        listed: undefined,
        refusals: 0,
        refused: undefined,
        cancelWait: () => undefined,
        told,
      };
      this.#troubles.set(instrumentId, trouble);
    }
    return trouble;
  }

  #tell(instrumentId: InstrumentId, trouble: Trouble): void {
    const text = trouble.listed ?? trouble.refused;
    if (text === trouble.told) return;
    trouble.told = text;
    this.#options.onClosed(instrumentId, text);
  }

  #lookAt(delayMs: number): void {
    const { time, activity } = this.#options;
    const due = time.now() + delayMs;
    if (this.#isStopped || this.#isReading || this.#due <= due) return;
    this.#cancel();
    this.#due = due;
    this.#cancel = time.after('account', delayMs, () => {
      void activity.during(() => this.#read());
    });
  }

  async #read(): Promise<void> {
    const { onFailure, signal } = this.#options;
    this.#isReading = true;
    try {
      await this.look();
    } catch (error: unknown) {
      // What cannot be read says nothing about an instrument.
      if (!(error instanceof TradingError) || error instanceof AuthError)
        if (!signal.aborted) onFailure(error);
    } finally {
      this.#isReading = false;
      this.#due = Number.POSITIVE_INFINITY;
      const isAmiss = [...this.#troubles.values()].some(({ told }) => told !== undefined);
      this.#lookAt(isAmiss ? CLOSE_LOOK_MS : LOOK_MS);
    }
  }
}

/** What the venue does not state may still be asked of orders by the configuration. */
function mergeRules(known: InstrumentRules, actual: InstrumentRules): InstrumentRules {
  const { tradable, maxWorkingOrders = actual.maxWorkingOrders } = known;
  const { pricePrecision, quantityPrecision } = actual;
  const limits = RULE_LIMITS.flatMap((name) => {
    const limit = actual[name] ?? known[name];
    return limit === undefined ? [] : [[name, limit] as const];
  });
  return {
    ...{ tradable, pricePrecision, quantityPrecision },
    ...Object.fromEntries(limits),
    ...(maxWorkingOrders !== undefined && { maxWorkingOrders }),
  };
}

function listChanges(known: InstrumentRules, actual: InstrumentRules): readonly string[] {
  const changes: string[] = [];
  for (const name of ['pricePrecision', 'quantityPrecision'] as const)
    if (known[name] !== actual[name])
      changes.push(`${name} ${String(known[name])} is ${String(actual[name])} now`);
  for (const name of RULE_LIMITS) {
    const [before, now] = [known[name], actual[name]];
    if (now === undefined || before === now) continue;
    changes.push(
      `${name} ${before === undefined ? 'none' : formatFixed(before)} is ${formatFixed(now)} now`,
    );
  }
  return changes;
}
