import { DomainError, formatFixed } from '../../domain/index.js';
import type { ProtectionConfig, TradingHours } from './protection-config.js';

const AMOUNTS = [
  'maxPositionNotional',
  'maxOrderNotional',
  'maxTotalNotional',
  'maxNetExposure',
  'maxLeverage',
  'maxMarginUse',
  'maxDailyLoss',
  'maxDailyLossRatio',
  'maxDrawdown',
  'maxDrawdownRatio',
] as const satisfies readonly (keyof ProtectionConfig)[];

const COUNTS = [
  'maxOpenPositions',
  'maxOpenOrders',
  'maxTotalOpenOrders',
  'maxPriceAgeMs',
  'maxOrdersPerMinute',
  'maxOrdersPerDay',
  'minEntryIntervalMs',
  'cooldownAfterStopMs',
  'drawdownWindowMs',
  'maxConsecutiveLosses',
  'haltMs',
] as const satisfies readonly (keyof ProtectionConfig)[];

/**
 * Checks that every limit is valid: money and ratios above 0, counts and durations whole and above 0, hours of a day.
 *
 * @throws {DomainError} `E_PROTECTION`; names the key, what was expected and received.
 */
export function validateProtections(config: ProtectionConfig): void {
  for (const key of AMOUNTS) checkAmount(key, config[key]);
  for (const key of COUNTS) checkWhole(key, config[key], 1);
  for (const key of ['maxPositionQuantity', 'maxAssetExposure'] as const) {
    for (const [name, limit] of config[key] ?? []) checkAmount(`${key}.${name}`, limit);
  }
  checkAmount('priceBand.last', config.priceBand?.last);
  checkAmount('priceBand.mark', config.priceBand?.mark);
  checkWhole('fundingBlock.beforeMs', config.fundingBlock?.beforeMs, 0);
  checkWhole('fundingBlock.afterMs', config.fundingBlock?.afterMs, 0);
  checkWhole('resetHour', config.resetHour, 0, 23);
  config.tradingHours?.forEach(checkHours);
}

function checkHours({ days, from, to }: TradingHours, index: number): void {
  const key = `tradingHours.${String(index)}`;
  if (days.length === 0) fail(`${key}.days`, 'at least one day', 'none');
  for (const day of days) checkWhole(`${key}.days`, day, 0, 6);
  checkWhole(`${key}.from`, from, 0, 1_439);
  checkWhole(`${key}.to`, to, 0, 1_440);
}

function checkAmount(key: string, value: bigint | undefined): void {
  if (value !== undefined && value <= 0n) fail(key, 'a limit > 0', formatFixed(value));
}

function checkWhole(key: string, value: number | undefined, least: number, most = Infinity): void {
  if (value === undefined) return;
  if (Number.isInteger(value) && value >= least && value <= most) return;
  const range =
    most === Infinity ? `>= ${String(least)}` : `from ${String(least)} to ${String(most)}`;
  fail(key, `a whole number ${range}`, String(value));
}

function fail(key: string, expected: string, received: string): never {
  throw new DomainError('E_PROTECTION', `expected ${key} to be ${expected}, received ${received}`);
}
