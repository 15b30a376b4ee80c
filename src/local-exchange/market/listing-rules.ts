import {
  RuleBook,
  type DatedRules,
  type EpochMs,
  type InstrumentId,
  type InstrumentRules,
  type ResolvedRules,
} from '../../domain/index.js';

/** The parts of an instrument's rules that may change while the exchange runs. */
export type RulePatch = Partial<
  Pick<InstrumentRules, 'tradable' | 'pricePrecision' | 'quantityPrecision'>
>;

/** The dated rules of all instruments, with changes while the exchange runs. Margin pairs have the rules of their spot pair. */
export class ListingRules {
  readonly book = new RuleBook();
  readonly #dated = new Map<InstrumentId, readonly DatedRules[]>();
  readonly #listed = new Map<InstrumentId, readonly DatedRules[]>();

  /**
   * Lists an instrument with its dated rules, in any order. The earliest rules also apply before their date.
   *
   * @throws {DomainError} as `RuleBook.set`.
   */
  list(instrumentId: InstrumentId, rules: readonly DatedRules[]): void {
    const dated = rules.toSorted((a, b) => a.from - b.from);
    this.#listed.set(instrumentId, dated);
    this.#set(instrumentId, dated);
  }

  at(instrumentId: InstrumentId, time: EpochMs): ResolvedRules | undefined {
    return this.book.at(instrumentId, time);
  }

  /** The rules in force at an instant, as they were given; limits that do not exist are left out. */
  inForce(instrumentId: InstrumentId, time: EpochMs): InstrumentRules | undefined {
    return inForceAt(this.#dated.get(instrumentId), time)?.rules;
  }

  /** Changes rules from `time` on, including those that are dated later and those of the margin pair. Does nothing for an unlisted instrument. */
  change(instrumentId: InstrumentId, time: EpochMs, change: RulePatch): void {
    this.#changeFrom(this.#dated, instrumentId, { time, change });
  }

  /** As {@link change}, but changes the rules with which the instrument was listed: earlier changes end at `time`. */
  restore(instrumentId: InstrumentId, time: EpochMs, change: RulePatch): void {
    this.#changeFrom(this.#listed, instrumentId, { time, change });
  }

  #changeFrom(
    base: ReadonlyMap<InstrumentId, readonly DatedRules[]>,
    instrumentId: InstrumentId,
    { time, change }: { readonly time: EpochMs; readonly change: RulePatch },
  ): void {
    for (const id of twinsOf(instrumentId)) {
      const dated = base.get(id);
      const before = inForceAt(dated, time);
      if (dated === undefined || before === undefined) continue;
      const changed = ({ from, rules }: DatedRules): DatedRules => ({
        from: Math.max(from, time),
        rules: { ...rules, ...change },
      });
      const kept = this.#dated.get(id)?.filter(({ from }) => from < time) ?? [];
      const later = dated.filter(({ from }) => from > time && from !== before.from);
      this.#set(id, [...kept, ...[before, ...later].map(changed)]);
    }
  }

  /** The rules for an instant with which an instrument was listed. */
  original(instrumentId: InstrumentId, time: EpochMs): InstrumentRules | undefined {
    return inForceAt(this.#listed.get(instrumentId), time)?.rules;
  }

  #set(instrumentId: InstrumentId, dated: readonly DatedRules[]): void {
    this.#dated.set(instrumentId, dated);
    this.book.set(instrumentId, dated);
  }
}

/** The record in force at an instant. The earliest also applies before its date. */
function inForceAt(
  dated: readonly DatedRules[] | undefined,
  time: EpochMs,
): DatedRules | undefined {
  return dated?.findLast(({ from }) => from <= time) ?? dated?.[0];
}

function twinsOf(instrumentId: InstrumentId): readonly InstrumentId[] {
  return instrumentId.startsWith('spot:')
    ? [instrumentId, `margin:${instrumentId.slice('spot:'.length)}` as InstrumentId]
    : [instrumentId];
}
