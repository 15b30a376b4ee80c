import path from 'node:path';
import { DAY_MS, parseUtc } from '../../../src/domain/index.js';
import { createRandom } from '../../../src/engine/index.js';
import { momentsOf, TrialLedger, type TrialRecord } from '../../../src/research/index.js';
import { temporaryFolder } from '../temporary-folder.js';
import { aFinishedTrial, aTrialRecord } from './trials.js';

/** One trial for a ledger, over whole days. */
export interface SearchedDays {
  readonly values: Float64Array;
  /** Begin of the first day. @defaultValue 2024-01-01 */
  readonly from?: number;
  readonly over?: Partial<TrialRecord>;
  /** @defaultValue true */
  readonly isKept?: boolean;
}

export const FIRST_DAY = parseUtc('2024-01-01');

/** Daily returns, uniform between −1 % and 1 %, plus `edge` on each. */
export function drawnDays(days: number, random: () => number, edge = 0): Float64Array {
  return Float64Array.from({ length: days }, () => (random() - 0.5) / 50 + edge);
}

/** Trials without an edge, each with its own days. The first trial has the given edge. */
export function drawnTrials(
  trials: number,
  { days = 64, seed = 1, edge = 0 }: { days?: number; seed?: number; edge?: number } = {},
): readonly SearchedDays[] {
  const random = createRandom(seed);
  return Array.from({ length: trials }, (_, index) => ({
    values: drawnDays(days, random, index === 0 ? edge : 0),
  }));
}

export const idOfTrial = (index: number): string => String(index).padStart(64, '0');

/** Writes a ledger with these trials, in a folder that is removed when the test ends unless `file` is given. */
export async function searchedLedger(
  trials: readonly SearchedDays[],
  file?: string,
): Promise<string> {
  const ledger = file ?? path.join(await temporaryFolder(), 'data.trials.jsonl');
  const open = await TrialLedger.open({ file: ledger });
  for (const [index, { values, from = FIRST_DAY, over, isKept = true }] of trials.entries()) {
    const moments = momentsOf(values);
    const record = aTrialRecord({
      id: idOfTrial(index),
      parameters: { fast: index },
      outcome: aFinishedTrial(null, { from, to: from + values.length * DAY_MS }),
      at: FIRST_DAY + index,
      ...(moments && { moments }),
      ...over,
    });
    open.append(record, isKept ? { from: from + DAY_MS, values } : undefined);
  }
  await open.close();
  return ledger;
}
