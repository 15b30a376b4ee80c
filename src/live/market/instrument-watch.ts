import {
  formatFixed,
  RULE_LIMITS,
  TradingError,
  type EpochMs,
  type Instrument,
  type InstrumentId,
  type InstrumentRules,
  type OrderReason,
} from '../../domain/index.js';
import { VenueRefusalError, type Listing, type MarketDataSource } from '../../venue/index.js';
import type { Activity } from '../bot/activity.js';
import { contractDifferences } from './contract-differences.js';
import { findGone, readListings, type GoneInstruments } from './gone-instruments.js';
import type { SessionTime } from '../session/session-time.js';

export interface InstrumentWatchOptions {
  readonly source: Pick<MarketDataSource, 'listings' | 'ticker'>;
  readonly instruments: readonly Instrument[];
  /** Rules in force in the bot. */
  readonly rulesOf: (instrumentId: InstrumentId) => InstrumentRules | undefined;
  readonly time: SessionTime;
  readonly activity: Activity;
  readonly signal: AbortSignal;
  /** Reasons why instruments were closed before this start. */
  readonly closings: ReadonlyMap<
    InstrumentId,
    { readonly text: string; readonly untilResumed?: boolean }
  >;
  /** Known gone instruments. This watch keeps them up to date. */
  readonly gone: GoneInstruments;
  /** Differences that the start has found between the venue's rules and those of the bot. They hold until the first look. @defaultValue none */
  readonly differing?: ReadonlyMap<InstrumentId, string> | undefined;
  /** Called when an instrument has gone. */
  readonly onGone: (instrumentId: InstrumentId) => void;
  /** Called when an instrument is listed again. It counts as returned when this resolves; orders and executions are read meanwhile. */
  readonly onBack: (instrumentId: InstrumentId) => Promise<void>;
  /** Called when the instrument counts as returned. */
  readonly onReturned: (instrumentId: InstrumentId) => void;
  /** Called when the venue's rules have changed. */
  readonly onRules: (instrumentId: InstrumentId, rules: InstrumentRules, text: string) => void;
  /** Takes the reason why an instrument may not be entered; undefined when it may be again. */
  readonly onClosed: (instrumentId: InstrumentId, text: string | undefined) => void;
  readonly onFailure: (error: unknown) => void;
}

/** Time between two readings of the venue's list: normally, and while an instrument is in trouble. */
const LOOK_MS = 300_000;
const CLOSE_LOOK_MS = 30_000;
/** Wait for entries after a refused order. It doubles with each refusal in a row, up to a limit. */
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 300_000;

/**
 * Refusals that suggest outdated knowledge of the instrument, not a wrong order: precision, unknown symbol, quantity out of bounds, no MARKET orders,
 * not tradable.
 */
const SUSPECT: ReadonlySet<string> = new Set([
  '-1111',
  '-1121',
  '-1136',
  '-1137',
  '-1139',
  '-1146',
]);

/** Problems of one instrument. */
interface Trouble {
  /** Problem from the venue's list. */
  listed: string | undefined;
  /** Refusals in a row, and the text of the last. */
  refusals: number;
  refused: string | undefined;
  cancelWait: () => void;
  told: string | undefined;
}

/**
 * Watches whether instruments can be traded, and by which rules: at intervals, and at once when the venue refuses an order. An instrument that is
 * gone or not tradable gets no entries. Other instruments, and exits of held positions, go on.
 */
export class InstrumentWatch {
  readonly #options: InstrumentWatchOptions;
  readonly #troubles = new Map<InstrumentId, Trouble>();
  #cancel = (): void => undefined;
  #isReading = false;
  #isStopped = false;
  #due: EpochMs = Number.POSITIVE_INFINITY;
  /** Until this time a refused reading causes no further look. */
  #calmUntil: EpochMs = Number.NEGATIVE_INFINITY;

  constructor(options: InstrumentWatchOptions) {
    this.#options = options;
  }

  /** Reports the instruments that are known to be gone, or to differ. */
  announce(): void {
    const { instruments, gone, differing } = this.#options;
    for (const { id, isReadOnly } of instruments) {
      const difference = isReadOnly === true ? undefined : differing?.get(id);
      if (!gone.has(id) && difference === undefined) continue;
      const trouble = this.#troubleOf(id);
      // The earlier text was about an instrument that was still there.
      trouble.told = undefined;
      trouble.listed = gone.has(id) ? goneText(id) : difference;
      this.#tell(id, trouble);
    }
  }

  start(): void {
    this.#lookAt(0);
  }

  /** Takes the error of a failed reading. If the venue does not know the instrument, it may be gone. */
  failed(error: TradingError | undefined): void {
    if (error instanceof VenueRefusalError && SUSPECT.has(error.venueCode)) this.suspect();
  }

  /** Looks at once, because something may be wrong; limited in frequency. */
  suspect(): void {
    const now = this.#options.time.now();
    if (now < this.#calmUntil) return;
    this.#calmUntil = now + CLOSE_LOOK_MS;
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
    const listed = await readListings(instruments, (product) =>
      source.listings(product, { signal }),
    );
    const gone = await findGone(source, instruments, { listed, signal });
    for (const instrument of instruments) {
      const { id, isReadOnly } = instrument;
      await this.#follow(id, gone.has(id));
      if (gone.has(id) || isReadOnly !== true) this.#judge(instrument, listed.get(id));
      else this.#close(id, undefined);
    }
  }

  async #follow(id: InstrumentId, isGone: boolean): Promise<void> {
    const { gone, onGone, onBack, onReturned } = this.#options;
    if (gone.has(id) === isGone) return;
    if (!isGone) await onBack(id);
    gone.set(id, isGone);
    if (isGone) onGone(id);
    else onReturned(id);
  }

  #judge(instrument: Instrument, listing: Listing | undefined): void {
    const { id } = instrument;
    this.#close(id, this.#whyClosed(instrument, listing));
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

  #whyClosed(instrument: Instrument, listing: Listing | undefined): string | undefined {
    const { id } = instrument;
    if (this.#options.gone.has(id)) return goneText(id);
    if (listing === undefined) return `${id}: the venue lists it no more`;
    const [difference] = contractDifferences(instrument, listing);
    if (difference !== undefined)
      return `${id}: ${difference}: amounts of money are wrong; correct the file, then start the bot again`;
    return listing.rules.tradable ? undefined : `${id}: is not tradable now`;
  }

  #close(id: InstrumentId, text: string | undefined): void {
    const trouble = this.#troubleOf(id);
    trouble.listed = text;
    this.#tell(id, trouble);
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
      // A failed reading says nothing about an instrument. If the venue refuses key or address, other parts degrade the bot until it does not.
      if (!(error instanceof TradingError) && !signal.aborted) onFailure(error);
    } finally {
      this.#isReading = false;
      this.#due = Number.POSITIVE_INFINITY;
      const isAmiss = [...this.#troubles.values()].some(({ told }) => told !== undefined);
      this.#lookAt(isAmiss ? CLOSE_LOOK_MS : LOOK_MS);
    }
  }
}

function goneText(id: InstrumentId): string {
  return `${id}: the venue lists it no more, knows no price of it, and takes no order for it`;
}

/** Merges the venue's rules into the known ones. A limit that the venue does not state stays, because the configuration may set it. */
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
