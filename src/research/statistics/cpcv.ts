import { DataError, UsageError } from '../../domain/index.js';

interface CpcvOptions {
  /** Rows of the sample, T. */
  readonly rows: number;
  /** Number N of groups of neighboring rows. They are as even as possible: the first T mod N have one more row. */
  readonly groups: number;
  /** Number k of groups that each split tests. */
  readonly tested: number;
  /** Rows left out of training on both sides of every tested block: the longest time that a position is held. @defaultValue 0 */
  readonly purge?: number | undefined;
  /** Further rows left out after every tested block. @defaultValue 0 */
  readonly embargo?: number | undefined;
}

export interface CpcvSplit {
  /** Tested groups, ascending. */
  readonly groups: readonly number[];
  /** Rows of these groups, ascending. */
  readonly test: Int32Array;
  /** Rows to train on, ascending. */
  readonly train: Int32Array;
}

export interface Cpcv {
  /** N ranges of rows, one after the other; `end` is exclusive. */
  readonly groups: readonly { readonly start: number; readonly end: number }[];
  /** C(N, k), in the order of their groups. */
  readonly splits: readonly CpcvSplit[];
  /** k/N·C(N, k) paths through the whole sample: `paths[p][g]` is the split in which group g of path p is tested. */
  readonly paths: readonly (readonly number[])[];
}

/** Most splits that are laid out: each needs an optimization of its own. */
const MAX_SPLITS = 10_000;

/**
 * Lays out combinatorial purged cross-validation: every choice of k of N groups is tested once. Training rows are out of reach of the tested rows.
 *
 * @throws {UsageError} `E_CPCV_SIZE` when there are more than {@link MAX_SPLITS} choices; {DataError} `E_SAMPLE` when k is not between 1 and N − 1, there are
 * fewer rows than groups, or a split has nothing left to train on.
 * @see Source: López de Prado 2018, Advances in Financial Machine Learning, ch. 12, and 7.4 on purge and embargo
 */
export function layOutCpcv(options: CpcvOptions): Cpcv {
  const { rows, groups, tested } = options;
  const isWhole = [rows, groups, tested].every(Number.isInteger);
  if (!isWhole || tested < 1 || tested >= groups || rows < groups) {
    throw new DataError(
      'E_SAMPLE',
      `expected k of N groups with 1 ≤ k < N, and at least N rows, received ${String(tested)} of ${String(groups)} with ${String(rows)} rows`,
    );
  }
  const size = choose(groups, tested);
  if (size > MAX_SPLITS) {
    throw new UsageError(
      'E_CPCV_SIZE',
      `${String(tested)} of ${String(groups)} groups give ${String(size)} splits, expected at most ${String(MAX_SPLITS)}; choose fewer groups`,
    );
  }
  const choices = listChoices(groups, tested);
  return {
    groups: Array.from({ length: groups }, (_, group) => ({
      start: startOf(group, options),
      end: startOf(group + 1, options),
    })),
    splits: choices.map((choice) => splitOf(choice, options)),
    paths: listPaths(choices, groups),
  };
}

function choose(n: number, k: number): number {
  let count = 1;
  for (let index = 1; index <= Math.min(k, n - k); index += 1)
    count = (count * (n - index + 1)) / index;
  return Math.round(count);
}

function listChoices(groups: number, tested: number, from = 0): readonly (readonly number[])[] {
  if (tested === 0) return [[]];
  const choices: (readonly number[])[] = [];
  for (let first = from; first <= groups - tested; first += 1) {
    for (const rest of listChoices(groups, tested - 1, first + 1)) choices.push([first, ...rest]);
  }
  return choices;
}

/** First row of a group; the number of rows for the group after the last one. */
function startOf(group: number, { rows, groups }: CpcvOptions): number {
  return group * Math.floor(rows / groups) + Math.min(group, rows % groups);
}

function splitOf(choice: readonly number[], options: CpcvOptions): CpcvSplit {
  const { rows, purge = 0, embargo = 0 } = options;
  const isTested = new Uint8Array(rows);
  const isOut = new Uint8Array(rows);
  for (const group of choice) {
    const [start, end] = [startOf(group, options), startOf(group + 1, options)];
    isTested.fill(1, start, end);
    isOut.fill(1, Math.max(0, start - purge), Math.min(rows, end + purge + embargo));
  }
  const train = rowsWhere(isOut, 0);
  if (train.length === 0) {
    throw new DataError(
      'E_SAMPLE',
      `expected training rows outside groups ${choice.join(', ')}, received none: purge ${String(purge)} and embargo ${String(embargo)} leave none of ${String(rows)} rows`,
    );
  }
  return { groups: choice, test: rowsWhere(isTested, 1), train };
}

function rowsWhere(marks: Uint8Array, mark: number): Int32Array {
  const rows: number[] = [];
  for (const [row, value] of marks.entries()) if (value === mark) rows.push(row);
  return Int32Array.from(rows);
}

/** Path p takes each group from the p-th split that tests it. */
function listPaths(
  choices: readonly (readonly number[])[],
  groups: number,
): readonly (readonly number[])[] {
  const splitsOf = Array.from({ length: groups }, (_, group) =>
    choices.flatMap((choice, split) => (choice.includes(group) ? [split] : [])),
  );
  const count = splitsOf[0]?.length ?? 0;
  return Array.from({ length: count }, (_, path) =>
    splitsOf.map((splits) => splits[path] as number),
  );
}
