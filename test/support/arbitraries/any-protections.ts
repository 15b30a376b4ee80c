import fc from 'fast-check';

import {
  HOUR_MS,
  MINUTE_MS,
  parseFixed,
  type Asset,
  type InstrumentId,
} from '../../../src/domain/index.js';
import type { ProtectionConfig } from '../../../src/risk/index.js';

const money = (...choices: readonly string[]): fc.Arbitrary<bigint> =>
  fc.constantFrom(...choices.map(parseFixed));

/** Undefined more often than a value. */
const sometimes = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, arbitrary);

/** Values of protections, wide enough that trading continues. */
const LIMITS = {
  maxPositionNotional: money('3000', '9000'),
  maxOrderNotional: money('400', '4000'),
  maxTotalNotional: money('5000', '12000'),
  maxNetExposure: money('4000', '9000'),
  maxLeverage: money('0.9', '2'),
  maxMarginUse: money('0.2', '0.6'),
  maxOpenPositions: fc.constantFrom(1, 2),
  maxOpenOrders: fc.constantFrom(1, 3),
  maxTotalOpenOrders: fc.constantFrom(2, 5),
  priceBand: fc.record(
    { last: money('0.004', '0.02'), mark: money('0.01', '0.03') },
    { requiredKeys: [] },
  ),
  maxPriceAgeMs: fc.constantFrom(90_000, 6 * MINUTE_MS),
  maxOrdersPerMinute: fc.constantFrom(1, 4),
  maxOrdersPerDay: fc.constantFrom(12, 60),
  minEntryIntervalMs: fc.constantFrom(90_000, 7 * MINUTE_MS),
  cooldownAfterStopMs: fc.constantFrom(5 * MINUTE_MS, 30 * MINUTE_MS),
  // Candles begin on a Wednesday, at 00:00 or at 23:00.
  tradingHours: fc.constantFrom(
    [{ days: [3, 4], from: 15, to: 1_420 }],
    [
      { days: [3], from: 1_400, to: 30 },
      { days: [2, 3], from: 10, to: 90 },
    ],
  ),
  fundingBlock: fc.constantFrom({ beforeMs: 2 * MINUTE_MS, afterMs: 90_000 }),
  maxDailyLoss: money('60', '400'),
  maxDailyLossRatio: money('0.01', '0.05'),
  maxDrawdown: money('60', '400'),
  maxDrawdownRatio: money('0.01', '0.05'),
  drawdownWindowMs: fc.constantFrom(20 * MINUTE_MS, HOUR_MS),
  maxConsecutiveLosses: fc.constantFrom(2, 4),
  haltMs: fc.constantFrom(10 * MINUTE_MS, HOUR_MS),
  resetHour: fc.constantFrom(0, 1),
  onHalt: fc.constantFrom('block', 'cancel', 'flatten'),
} as const satisfies {
  readonly [Key in keyof ProtectionConfig]: fc.Arbitrary<ProtectionConfig[Key]>;
};

/** Drawn protections without their instrument and asset. */
export interface DrawnProtections {
  readonly common: ProtectionConfig;
  readonly quantity: bigint | undefined;
  readonly exposure: bigint | undefined;
}

/** Up to six protections of any kind, often none. */
export const anyProtections: fc.Arbitrary<DrawnProtections> = fc
  .record({
    keys: fc.shuffledSubarray(Object.keys(LIMITS), { maxLength: 4 }),
    limits: fc.record(LIMITS),
    quantity: sometimes(money('15', '300')),
    exposure: sometimes(money('2500', '8000')),
  })
  .map(({ keys, limits, ...own }) => ({
    ...own,
    common: Object.fromEntries(
      Object.entries(limits).filter(([key]) => keys.some((chosen) => chosen === key)),
    ),
  }));

/** Makes the configuration of drawn protections for an instrument and its base asset. */
export function protectionsOf(
  { common, quantity, exposure }: DrawnProtections,
  instrument: { readonly instrumentId: InstrumentId; readonly base: Asset },
): ProtectionConfig {
  const { instrumentId, base } = instrument;
  return {
    ...common,
    ...(quantity !== undefined && { maxPositionQuantity: new Map([[instrumentId, quantity]]) }),
    ...(exposure !== undefined && { maxAssetExposure: new Map([[base, exposure]]) }),
  };
}
