import type {
  EpochMs,
  InstrumentId,
  RecordedRefusal,
  RefusedDecision,
} from '../../domain/index.js';
import { Refused, written, type RefusalGrounds } from '../../risk/index.js';

/** Most entries per check and instrument. A limit that follows the price could otherwise make one entry per candle. */
const MOST_ALIKE = 1_000;

/** The values that distinguish refusals, including refusals by the engine itself. */
type Grounds = Pick<RefusalGrounds, 'limit' | 'unit'> & { readonly check: string };

interface CountedRefusal extends RecordedRefusal {
  lastTime: EpochMs;
  count: number;
}

/** Refusals of a run. Refusals with equal instrument, check and limit are one entry with a count: a strategy may repeat an intent with every candle. */
export class RefusalLog {
  readonly #kept: number;
  readonly #byLimit = new Map<string, CountedRefusal>();
  /** Number of entries per instrument and check, and the newest of them. */
  readonly #alike = new Map<string, { count: number; newest: CountedRefusal }>();
  #entries: CountedRefusal[] = [];
  #latest: CountedRefusal | undefined;
  #latestGrounds: Grounds | undefined;

  /** The log keeps the last `kept` entries; it holds fewer than twice as many. */
  constructor(kept = Infinity) {
    this.#kept = kept;
  }

  /** In the order of the first refusal of each entry. */
  get entries(): readonly RecordedRefusal[] {
    return this.#entries;
  }

  add(time: EpochMs, instrumentId: InstrumentId, decision: RefusedDecision): void {
    const latest = this.#latest;
    // Reading `refusal` of a `Refused` formats its texts. That is needed only for a new entry.
    const grounds = decision instanceof Refused ? decision : decision.refusal;
    const before = this.#latestGrounds;
    const isAgain =
      latest?.instrumentId === instrumentId && before !== undefined && areAlike(before, grounds);
    const entry = isAgain ? latest : this.#find(instrumentId, grounds);
    this.#latestGrounds = grounds;
    if (entry === undefined) {
      this.#latest = this.#begin(time, instrumentId, decision);
      return;
    }
    entry.count += 1;
    entry.lastTime = time;
    this.#latest = entry;
  }

  #find(instrumentId: InstrumentId, grounds: Grounds): CountedRefusal | undefined {
    const known = this.#byLimit.get(limitKeyOf(instrumentId, grounds));
    if (known !== undefined) return known;
    const alike = this.#alike.get(checkKeyOf(instrumentId, grounds));
    return alike !== undefined && alike.count >= MOST_ALIKE ? alike.newest : undefined;
  }

  #begin(time: EpochMs, instrumentId: InstrumentId, decision: RefusedDecision): CountedRefusal {
    const { refusal } = decision;
    const entry = { time, lastTime: time, count: 1, instrumentId, refusal };
    this.#entries.push(entry);
    this.#remember(entry);
    if (this.#entries.length >= 2 * this.#kept) this.#forget();
    return entry;
  }

  #remember(entry: CountedRefusal): void {
    const { instrumentId, refusal } = entry;
    this.#byLimit.set(limitKeyOf(instrumentId, refusal), entry);
    const key = checkKeyOf(instrumentId, refusal);
    const count = (this.#alike.get(key)?.count ?? 0) + 1;
    this.#alike.set(key, { count, newest: entry });
  }

  #forget(): void {
    this.#entries = this.#entries.slice(-this.#kept);
    this.#byLimit.clear();
    this.#alike.clear();
    for (const entry of this.#entries) this.#remember(entry);
  }
}

function areAlike(one: Grounds, other: Grounds): boolean {
  return one.check === other.check && one.limit === other.limit && one.unit === other.unit;
}

function checkKeyOf(instrumentId: InstrumentId, { check }: Pick<Grounds, 'check'>): string {
  return `${instrumentId} ${check}`;
}

function limitKeyOf(instrumentId: InstrumentId, { check, limit, unit }: Grounds): string {
  return `${instrumentId} ${check} ${unit} ${written(limit)}`;
}
