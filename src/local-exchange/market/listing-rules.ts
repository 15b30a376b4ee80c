import {
  RuleBook,
  type DatedRules,
  type EpochMs,
  type InstrumentId,
  type InstrumentRules,
  type ResolvedRules,
} from '../../domain/index.js';

/** What of an instrument's rules changes while the exchange runs. */
export type RuleChange = Partial<
  Pick<InstrumentRules, 'tradable' | 'pricePrecision' | 'quantityPrecision'>
>;

/** The rules of all instruments, dated, with changes while the exchange runs. Margin pairs have those of their spot twin. */
export class ListingRules {
  readonly book = new RuleBook();
  readonly #dated = new Map<InstrumentId, DatedRules[]>();

  /** Lists an instrument with the rules it has from the beginning. */
  list(instrumentId: InstrumentId, rules: InstrumentRules): void {
    this.#set(instrumentId, [{ from: 0, rules }]);
  }

  at(instrumentId: InstrumentId, time: EpochMs): ResolvedRules | undefined {
    return this.book.at(instrumentId, time);
  }

  /** The rules in force at an instant as they were given, limits that do not exist left out. */
  inForce(instrumentId: InstrumentId, time: EpochMs): InstrumentRules | undefined {
    return this.#dated.get(instrumentId)?.findLast(({ from }) => from <= time)?.rules;
  }

  /** Changes rules from `time` on, those of its margin twin too. Unlisted instruments have none to change. */
  change(instrumentId: InstrumentId, time: EpochMs, change: RuleChange): void {
    for (const id of twinsOf(instrumentId)) {
      const dated = this.#dated.get(id);
      const before = dated?.findLast(({ from }) => from <= time);
      if (dated === undefined || before === undefined) continue;
      const kept = dated.filter(({ from }) => from < time);
      this.#set(id, [...kept, { from: time, rules: { ...before.rules, ...change } }]);
    }
  }

  /** The rules an instrument was listed with. */
  original(instrumentId: InstrumentId): InstrumentRules | undefined {
    return this.#dated.get(instrumentId)?.[0]?.rules;
  }

  #set(instrumentId: InstrumentId, dated: DatedRules[]): void {
    this.#dated.set(instrumentId, dated);
    this.book.set(instrumentId, dated);
  }
}

function twinsOf(instrumentId: InstrumentId): readonly InstrumentId[] {
  return instrumentId.startsWith('spot:')
    ? [instrumentId, `margin:${instrumentId.slice('spot:'.length)}` as InstrumentId]
    : [instrumentId];
}
