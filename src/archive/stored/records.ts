import { z } from 'zod';
import {
  DomainError,
  RuleBook,
  TierBook,
  type DatedRules,
  type DatedTiers,
  type EpochMs,
  type InstrumentId,
  type InstrumentRules,
  type LeverageTier,
} from '../../domain/index.js';
import { storedAmount, storedCount, storedFlag, storedTime } from '../files/stored-json.js';

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
  /** A record in a file: amounts as decimal text, absent values left out. */
  readonly schema: z.ZodType<T, { readonly from: string }>;
}

const rulesSchema = z.object(
  {
    tradable: storedFlag,
    pricePrecision: storedCount,
    quantityPrecision: storedCount,
    minOrderQuantity: storedAmount.exactOptional(),
    minOrderMoney: storedAmount.exactOptional(),
    maxMarketQuantity: storedAmount.exactOptional(),
    maxMarketMoney: storedAmount.exactOptional(),
    maxLimitQuantity: storedAmount.exactOptional(),
    maxWorkingOrders: storedCount.exactOptional(),
  },
  { error: 'an object' },
);

/** The last tier may have no `maxValue`. */
const tierSchema = z.codec(
  z.object(
    {
      maxValue: storedAmount.optional(),
      maxLeverage: storedAmount,
      keepRate: storedAmount,
    },
    { error: 'an object' },
  ),
  z.custom<LeverageTier>(),
  { decode: ({ maxValue, ...tier }) => ({ maxValue, ...tier }), encode: (tier) => tier },
);

export const RULES_CODEC: RecordCodec<DatedRules> = {
  kind: 'rules',
  check: (instrumentId, entries) => {
    new RuleBook().set(instrumentId, entries);
  },
  schema: z.object({ from: storedTime, rules: rulesSchema }, { error: 'an object' }),
};

export const TIERS_CODEC: RecordCodec<DatedTiers> = {
  kind: 'tiers',
  check: (instrumentId, entries) => {
    new TierBook().set(instrumentId, entries);
  },
  schema: z.object(
    { from: storedTime, tiers: z.array(tierSchema, { error: 'a list' }).readonly() },
    { error: 'an object' },
  ),
};

/** Rules as JSON: amounts as decimal text. */
export function formatRules(rules: InstrumentRules): Readonly<Record<string, unknown>> {
  return z.encode(rulesSchema, rules);
}

/** A leverage tier as JSON: amounts as decimal text. */
export function formatTier(tier: LeverageTier): Readonly<Record<string, string | undefined>> {
  return z.encode(tierSchema, tier);
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
