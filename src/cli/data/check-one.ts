import {
  checkHolding,
  describeHolding,
  type CheckStoredOptions,
  type HoldingKey,
} from '../../archive/index.js';
import { DataError } from '../../domain/index.js';
import type { CheckedCandles } from './checked-candles.js';

/** The folder of the stored series, and the options of their check. */
export interface CheckWhere extends CheckStoredOptions {
  readonly directory: string;
}

/** Series that one thread checks, one after the other. */
export interface CheckBatch extends Omit<CheckWhere, 'memory'> {
  readonly keys: readonly HoldingKey[];
}

/** Checks one stored series. Damage is a result of the check, not an error. */
export async function checkOne(
  key: HoldingKey,
  { directory, ...options }: CheckWhere,
): Promise<CheckedCandles> {
  const name = describeHolding(key);
  try {
    const check = await checkHolding(directory, key, options);
    return { status: 'readable', name, check, unreadable: [] };
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    const { code, message } = error;
    return { status: 'damaged', name, error: { code, message } };
  }
}
