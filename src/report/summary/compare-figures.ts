import type { ResultFigures } from '../result/result-figures.js';
import type { Result } from '../result/result-schema.js';
import { describeResult } from './summary.js';

/** A figure of the summary that differs between two runs, as text for people. */
interface ChangedFigure {
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

/** Figures of the summary that differ between two results, in the order of the summary. */
export function changedFigures(
  before: Result | ResultFigures,
  after: Result | ResultFigures,
): readonly ChangedFigure[] {
  const valuesBefore = new Map(
    describeResult(before).figures.map(({ label, value }) => [label, value]),
  );
  return describeResult(after).figures.flatMap(({ label, value }) => {
    const old = valuesBefore.get(label) ?? '-';
    return old === value ? [] : [{ label, before: old, after: value }];
  });
}
