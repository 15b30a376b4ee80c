import type { EpochMs, InstrumentId, Refusal } from '../../domain/index.js';
import type { RecordedRefusal } from '../records.js';

/** So many of one check and instrument are told apart; a limit that follows the price could make one of each candle. */
const MOST_ALIKE = 1_000;

interface CountedRefusal extends RecordedRefusal {
  lastTime: EpochMs;
  count: number;
}

/** Refusals of a run. Equal ones, of one instrument, check and limit, are one entry that is counted: a strategy may want the same with every candle. */
export class RefusalLog {
  readonly #kept: number;
  readonly #byLimit = new Map<string, CountedRefusal>();
  /** How many entries there are of an instrument's check, and the newest. */
  readonly #alike = new Map<string, { count: number; newest: CountedRefusal }>();
  #entries: CountedRefusal[] = [];
  #latest: CountedRefusal | undefined;

  /** Of the entries the last `kept` are wanted, and at most twice as many are there. */
  constructor(kept = Infinity) {
    this.#kept = kept;
  }

  /** In the order in which each was given first. */
  get entries(): readonly RecordedRefusal[] {
    return this.#entries;
  }

  add(time: EpochMs, instrumentId: InstrumentId, refusal: Refusal): void {
    const latest = this.#latest;
    const entry =
      latest !== undefined && isAlike(latest, instrumentId, refusal)
        ? latest
        : this.#find(instrumentId, refusal);
    if (entry === undefined) {
      this.#latest = this.#begin(time, instrumentId, refusal);
      return;
    }
    entry.count += 1;
    entry.lastTime = time;
    this.#latest = entry;
  }

  #find(instrumentId: InstrumentId, refusal: Refusal): CountedRefusal | undefined {
    const known = this.#byLimit.get(limitKeyOf(instrumentId, refusal));
    if (known !== undefined) return known;
    const alike = this.#alike.get(checkKeyOf(instrumentId, refusal));
    return alike !== undefined && alike.count >= MOST_ALIKE ? alike.newest : undefined;
  }

  #begin(time: EpochMs, instrumentId: InstrumentId, refusal: Refusal): CountedRefusal {
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

function isAlike(entry: CountedRefusal, instrumentId: InstrumentId, refusal: Refusal): boolean {
  const { check, limit, unit } = entry.refusal;
  return (
    entry.instrumentId === instrumentId &&
    check === refusal.check &&
    limit === refusal.limit &&
    unit === refusal.unit
  );
}

function checkKeyOf(instrumentId: InstrumentId, { check }: Refusal): string {
  return `${instrumentId} ${check}`;
}

function limitKeyOf(instrumentId: InstrumentId, { check, limit, unit }: Refusal): string {
  return `${instrumentId} ${check} ${unit} ${limit}`;
}
