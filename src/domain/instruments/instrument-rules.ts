import { FIXED_DECIMALS, formatFixed, stepOfPrecision, type Fixed } from '../amounts/fixed.js';
import { DomainError } from '../errors.js';
import type { EpochMs } from '../time.js';
import type { InstrumentId } from './instrument.js';

/**
 * Rules of the venue for one instrument at one time. An absent limit means no limit. Quantities in base (spot, margin) or
 * contracts (futures), money in quote.
 *
 * Source: contract and symbol records of the exchange interface, plus configured extras (spot minimum notional).
 */
export interface InstrumentRules {
  readonly tradable: boolean;
  /** Decimals of a price: 2 means a tick of 0.01. */
  readonly pricePrecision: number;
  /** Decimals of a quantity; 0 on futures, where contracts are whole. */
  readonly quantityPrecision: number;
  readonly minOrderQuantity?: Fixed;
  readonly minOrderMoney?: Fixed;
  readonly maxMarketQuantity?: Fixed;
  readonly maxMarketMoney?: Fixed;
  readonly maxLimitQuantity?: Fixed;
  /** Most orders that may work at once on this instrument. */
  readonly maxWorkingOrders?: number;
}

/** The limits among the rules: quantities and money that an order is compared with. */
export const RULE_LIMITS = [
  'minOrderQuantity',
  'minOrderMoney',
  'maxMarketQuantity',
  'maxMarketMoney',
  'maxLimitQuantity',
] as const satisfies readonly (keyof InstrumentRules)[];

/** Rules with the steps they imply; made once, because every order needs them. */
export interface ResolvedRules extends InstrumentRules {
  /** Smallest price difference, from `pricePrecision`. */
  readonly tick: Fixed;
  /** Smallest quantity difference, from `quantityPrecision`. */
  readonly step: Fixed;
}

/** Rules in force from `from` on, until the next entry. */
export interface DatedRules {
  readonly from: EpochMs;
  readonly rules: InstrumentRules;
}

/**
 * Checks one record and adds its steps.
 *
 * @throws {DomainError} `E_PRECISION` when a precision is no whole number from 0 to 18, or both together exceed 18, because a price times a
 * quantity must be exact; `E_RULES` when a limit is negative, or a minimum exceeds its maximum.
 */
export function resolveRules(rules: InstrumentRules): ResolvedRules {
  for (const name of RULE_LIMITS) {
    const limit = rules[name];
    if (limit !== undefined && (limit < 0n || (limit === 0n && name.startsWith('max')))) {
      throw new DomainError(
        'E_RULES',
        `expected ${name} ${name.startsWith('max') ? '> 0' : '>= 0'}, received ${formatFixed(limit)}`,
      );
    }
  }
  const pairs = [
    ['minOrderQuantity', 'maxMarketQuantity'],
    ['minOrderQuantity', 'maxLimitQuantity'],
    ['minOrderMoney', 'maxMarketMoney'],
  ] as const;
  for (const [low, high] of pairs) {
    const minimum = rules[low];
    const maximum = rules[high];
    if (minimum !== undefined && maximum !== undefined && minimum > maximum) {
      throw new DomainError(
        'E_RULES',
        `expected ${low} <= ${high}, received ${formatFixed(minimum)} and ${formatFixed(maximum)}`,
      );
    }
  }
  if (
    rules.maxWorkingOrders !== undefined &&
    !(Number.isInteger(rules.maxWorkingOrders) && rules.maxWorkingOrders > 0)
  ) {
    throw new DomainError(
      'E_RULES',
      `expected maxWorkingOrders to be a whole number > 0, received ${String(rules.maxWorkingOrders)}`,
    );
  }
  const tick = stepOfPrecision(rules.pricePrecision);
  const step = stepOfPrecision(rules.quantityPrecision);
  if (rules.pricePrecision + rules.quantityPrecision > FIXED_DECIMALS) {
    throw new DomainError(
      'E_PRECISION',
      `expected pricePrecision + quantityPrecision <= ${String(FIXED_DECIMALS)}, received ${String(rules.pricePrecision)} + ${String(rules.quantityPrecision)}`,
    );
  }
  // No member is added after the spread: that would give every record a different shape for the compiler, and each order reads many records.
  const resolved = { tick, step, ...rules };
  // If the rules were resolved before, the spread brings the steps of their former precision.
  resolved.tick = tick;
  resolved.step = step;
  return resolved;
}

interface ResolvedEntry {
  readonly from: EpochMs;
  readonly rules: ResolvedRules;
}

const NO_ENTRIES: readonly ResolvedEntry[] = [];

/** The rules of many instruments over time: a backtest uses the rule that was in force then. */
export class RuleBook {
  readonly #entries = new Map<InstrumentId, readonly ResolvedEntry[]>();
  /** The last look-up. */
  #latestId: InstrumentId | undefined;
  #latest = NO_ENTRIES;
  /** When rules change, earliest first. */
  #changes: readonly EpochMs[] = [];

  /** @throws {DomainError} `E_RULES` when there is no entry, or two start at the same time; the errors of {@link resolveRules}. */
  set(instrumentId: InstrumentId, entries: readonly DatedRules[]): void {
    const sorted = [...entries].sort((a, b) => a.from - b.from);
    if (sorted.length === 0)
      throw new DomainError('E_RULES', `there is no rule record for ${instrumentId}`);
    for (let index = 1; index < sorted.length; index += 1) {
      if (sorted[index]?.from === sorted[index - 1]?.from) {
        throw new DomainError('E_RULES', `two rule records for ${instrumentId} begin at one time`);
      }
    }
    this.#latestId = undefined;
    this.#entries.set(
      instrumentId,
      sorted.map((entry) => ({ from: entry.from, rules: resolveRules(entry.rules) })),
    );
    // The first record also holds for earlier times, so its start is no change.
    this.#changes = [...this.#entries.values()]
      .flatMap((records) => records.slice(1).map(({ from }) => from))
      .sort((one, other) => one - other);
  }

  /** Adds rules that the venue has changed, in force from `from` on. A repeated call changes nothing. */
  change(instrumentId: InstrumentId, { from, rules }: DatedRules): void {
    const others = this.entriesOf(instrumentId).filter((entry) => entry.from !== from);
    this.set(instrumentId, [...others, { from, rules }]);
  }

  /** The dated records of an instrument, oldest first; empty for an unknown instrument. */
  entriesOf(instrumentId: InstrumentId): readonly DatedRules[] {
    return this.#entriesOf(instrumentId);
  }

  /** Remembers the last look-up, because one order reads the rules of its instrument many times. */
  #entriesOf(instrumentId: InstrumentId): readonly ResolvedEntry[] {
    if (instrumentId !== this.#latestId) {
      this.#latestId = instrumentId;
      this.#latest = this.#entries.get(instrumentId) ?? NO_ENTRIES;
    }
    return this.#latest;
  }

  /** Rules in force at `time`; the earliest record also holds for earlier times. Undefined for an unknown instrument. */
  at(instrumentId: InstrumentId, time: EpochMs): ResolvedRules | undefined {
    const entries = instrumentId === this.#latestId ? this.#latest : this.#entriesOf(instrumentId);
    let found = entries[0];
    if (entries.length <= 1) return found?.rules;
    for (const entry of entries) {
      if (entry.from > time) break;
      found = entry;
    }
    return found?.rules;
  }

  /** Whether the rules of an instrument have changed after `since`, up to and including `time`. */
  hasChanged(instrumentId: InstrumentId, since: EpochMs, time: EpochMs): boolean {
    // The first record also holds for earlier times, so its start is no change.
    return this.#entriesOf(instrumentId).some(
      ({ from }, place) => place > 0 && from > since && from <= time,
    );
  }

  /** When the rules of any instrument change next after `time`; Infinity if they do not. */
  changeAfter(time: EpochMs): EpochMs {
    for (const change of this.#changes) if (change > time) return change;
    return Number.POSITIVE_INFINITY;
  }
}
