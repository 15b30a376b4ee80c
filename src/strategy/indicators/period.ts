import { DomainError } from '../../domain/index.js';

const LONGEST_PERIOD = 1_000_000;

/** @throws {DomainError} `E_INDICATOR_PERIOD` unless the period is a whole number of candles from 1 to 1,000,000. */
export function checkPeriod(period: number, name = 'period'): void {
  if (!Number.isSafeInteger(period) || period < 1 || period > LONGEST_PERIOD) {
    throw new DomainError(
      'E_INDICATOR_PERIOD',
      `expected ${name} to be a whole number of candles from 1 to ${String(LONGEST_PERIOD)}, received ${String(period)}`,
    );
  }
}

/** @throws {DomainError} `E_INDICATOR_MULTIPLIER` unless the multiplier is a finite number > 0. */
export function checkMultiplier(multiplier: number, name: string): void {
  if (!Number.isFinite(multiplier) || multiplier <= 0) {
    throw new DomainError(
      'E_INDICATOR_MULTIPLIER',
      `expected ${name} to be a finite number > 0, received ${String(multiplier)}`,
    );
  }
}
