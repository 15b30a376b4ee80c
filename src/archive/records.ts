import {
  DomainError,
  formatFixed,
  parseFixed,
  RuleBook,
  TierBook,
  type DatedRules,
  type DatedTiers,
  type EpochMs,
  type InstrumentId,
  type InstrumentRules,
  type LeverageTier,
  RULE_LIMITS,
} from '../domain/index.js';
import type { JsonObject } from './json-object.js';

/** What is stored as dated records: the venue's rules of an instrument, and the leverage tiers of a contract. */
export const RECORD_KINDS = ['rules', 'tiers'] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/** What an archive knows of stored records. */
export interface RecordsInfo {
  readonly kind: RecordKind;
  readonly instrumentId: InstrumentId;
  readonly sources: readonly string[];
  /** Number of dated records. */
  readonly rows: number;
  /** When the first record came into force. */
  readonly from: EpochMs;
  /** When the last record came into force. */
  readonly to: EpochMs;
  /** Size of the file. */
  readonly bytes: number;
  /** SHA-256 of the records as they are written. */
  readonly entriesSha256: string;
}

/** How records of one kind are checked, and written as JSON. */
export interface RecordCodec<T extends { readonly from: EpochMs }> {
  readonly kind: RecordKind;
  /** @throws {DomainError} when the records contradict themselves or each other. */
  readonly check: (instrumentId: InstrumentId, entries: readonly T[]) => void;
  /** What of an entry is not its date, with amounts as decimal text. */
  readonly format: (entry: T) => Readonly<Record<string, unknown>>;
  /** @throws {DataError} `E_DATA_METADATA` naming file and key. */
  readonly parse: (entry: JsonObject, from: EpochMs) => T;
}

export const RULES_CODEC: RecordCodec<DatedRules> = {
  kind: 'rules',
  check: (instrumentId, entries) => {
    new RuleBook().set(instrumentId, entries);
  },
  format: ({ rules }) => ({ rules: formatRules(rules) }),
  parse: (entry, from) => ({ from, rules: parseRules(entry.object('rules')) }),
};

export const TIERS_CODEC: RecordCodec<DatedTiers> = {
  kind: 'tiers',
  check: (instrumentId, entries) => {
    new TierBook().set(instrumentId, entries);
  },
  format: ({ tiers }) => ({ tiers: tiers.map(formatTier) }),
  parse: (entry, from) => ({ from, tiers: entry.objects('tiers').map(parseTier) }),
};

/** Rules as JSON: amounts as decimal text, what is absent as undefined. */
export function formatRules(rules: InstrumentRules): Readonly<Record<string, unknown>> {
  const { tradable, pricePrecision, quantityPrecision, maxWorkingOrders } = rules;
  const amounts = RULE_LIMITS.map((name) => {
    const amount = rules[name];
    return [name, amount === undefined ? undefined : formatFixed(amount)] as const;
  });
  return {
    tradable,
    pricePrecision,
    quantityPrecision,
    ...Object.fromEntries(amounts),
    maxWorkingOrders,
  };
}

function parseRules(json: JsonObject): InstrumentRules {
  const amounts = RULE_LIMITS.filter((name) => json.has(name)).map(
    (name) => [name, json.parsed(name, parseFixed)] as const,
  );
  return {
    tradable: json.flag('tradable'),
    pricePrecision: json.count('pricePrecision'),
    quantityPrecision: json.count('quantityPrecision'),
    ...Object.fromEntries(amounts),
    ...(json.has('maxWorkingOrders') ? { maxWorkingOrders: json.count('maxWorkingOrders') } : {}),
  };
}

/** A leverage tier as JSON: amounts as decimal text, what is absent as undefined. */
export function formatTier({
  maxValue,
  maxLeverage,
  keepRate,
}: LeverageTier): Readonly<Record<string, string | undefined>> {
  return {
    maxValue: maxValue === undefined ? undefined : formatFixed(maxValue),
    maxLeverage: formatFixed(maxLeverage),
    keepRate: formatFixed(keepRate),
  };
}

function parseTier(json: JsonObject): LeverageTier {
  return {
    maxValue: json.has('maxValue') ? json.parsed('maxValue', parseFixed) : undefined,
    maxLeverage: json.parsed('maxLeverage', parseFixed),
    keepRate: json.parsed('keepRate', parseFixed),
  };
}

/** Says what is wrong with records, or undefined when nothing is. */
export function describeInvalidRecords<T extends { readonly from: EpochMs }>(
  codec: RecordCodec<T>,
  instrumentId: InstrumentId,
  entries: readonly T[],
): string | undefined {
  try {
    codec.check(instrumentId, entries);
    return undefined;
  } catch (error) {
    if (error instanceof DomainError) return error.message;
    throw error;
  }
}
