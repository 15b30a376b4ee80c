import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { layOutCpcv } from '../../../../src/research/statistics/cpcv.js';

describe('layOutCpcv', () => {
  it.each([
    [6, 2, 15, 5],
    [10, 2, 45, 9],
    [10, 8, 45, 36],
    [12, 6, 924, 462],
  ])(
    'returns for %d groups, %d tested, %d splits and %d paths',
    (groups, tested, splits, paths) => {
      const plan = layOutCpcv({ rows: 100, groups, tested });
      expect([plan.splits.length, plan.paths.length]).toEqual([splits, paths]);
    },
  );

  it.each([
    { rows: 60, groups: 6, tested: 2, purge: 0, embargo: 0 },
    { rows: 63, groups: 6, tested: 2, purge: 2, embargo: 3 },
    { rows: 107, groups: 10, tested: 2, purge: 3, embargo: 1 },
  ])('returns the rows that a row-by-row enumeration finds: %o', (options) => {
    const { splits, paths } = layOutCpcv(options);
    const found = splits.map(({ groups, test, train }) => ({
      groups,
      test: [...test],
      train: [...train],
    }));
    expect(found).toEqual(enumerate(options));
    for (const path of paths)
      for (const [group, split] of path.entries()) expect(splits[split]?.groups).toContain(group);
  });

  it('cuts all rows into groups, one after the other', () => {
    const { groups } = layOutCpcv({ rows: 11, groups: 4, tested: 2 });
    expect(groups.map(({ start, end }) => end - start).sort()).toEqual([2, 3, 3, 3]);
    expect(groups.map(({ start }) => start)).toEqual([
      0,
      ...groups.slice(0, -1).map(({ end }) => end),
    ]);
    expect(groups.at(-1)?.end).toBe(11);
  });

  it('uses another split for every group of every path', () => {
    const { splits, paths } = layOutCpcv({ rows: 20, groups: 6, tested: 2 });
    const used = paths.flatMap((path) =>
      path.map((split, group) => `${String(split)}/${String(group)}`),
    );
    expect(new Set(used).size).toBe(splits.length * 2);
  });

  it('law: no training row is within purge or embargo of a test row', () => {
    const options = fc.record({
      rows: fc.integer({ min: 40, max: 60 }),
      groups: fc.integer({ min: 2, max: 7 }),
      tested: fc.constant(1),
      purge: fc.integer({ min: 0, max: 4 }),
      embargo: fc.integer({ min: 0, max: 4 }),
    });
    fc.assert(
      fc.property(options, ({ purge, embargo, ...layout }) => {
        const isFar = (row: number, tested: number): boolean =>
          row < tested ? tested - row > purge : row - tested > purge + embargo;
        for (const { test, train } of layOutCpcv({ ...layout, purge, embargo }).splits)
          expect(train.every((row) => test.every((tested) => isFar(row, tested)))).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  it.each([
    [{ rows: 10, groups: 4, tested: 0 }, 'E_SAMPLE'],
    [{ rows: 10, groups: 4, tested: 4 }, 'E_SAMPLE'],
    [{ rows: 3, groups: 4, tested: 1 }, 'E_SAMPLE'],
    [{ rows: 10, groups: 4.5, tested: 1 }, 'E_SAMPLE'],
    [{ rows: 12, groups: 4, tested: 2, purge: 3 }, 'E_SAMPLE'],
    [{ rows: 1000, groups: 20, tested: 10 }, 'E_CPCV_SIZE'],
  ])('refuses %o', (options, code) => {
    expect(() => layOutCpcv(options)).toThrow(expect.objectContaining({ code }));
  });
});

/** A slow reference: tries every subset of groups as a binary number, and checks each row by itself. */
function enumerate({
  rows,
  groups,
  tested,
  purge,
  embargo,
}: {
  readonly rows: number;
  readonly groups: number;
  readonly tested: number;
  readonly purge: number;
  readonly embargo: number;
}): readonly { readonly groups: number[]; readonly test: number[]; readonly train: number[] }[] {
  const groupOf: number[] = [];
  for (let group = 0; group < groups; group += 1) {
    const size = Math.floor(rows / groups) + (group < rows % groups ? 1 : 0);
    for (let count = 0; count < size; count += 1) groupOf.push(group);
  }
  const found = [];
  for (let bits = 0; bits < 2 ** groups; bits += 1) {
    const chosen = groupOf.map((group) => ((bits >> (groups - 1 - group)) & 1) === 1);
    const names = [...new Set(groupOf.filter((_, row) => chosen[row]))];
    if (names.length !== tested) continue;
    const train = groupOf.flatMap((_, row) => {
      const near = Array.from({ length: rows }, (__, other) => other).some(
        (other) => chosen[other] && other - row <= purge && row - other <= purge + embargo,
      );
      return near ? [] : [row];
    });
    found.push({
      groups: names,
      test: groupOf.flatMap((_, row) => (chosen[row] ? [row] : [])),
      train,
    });
  }
  // The highest bit is the first group, so reverse order sorts the choices in rising order.
  return found.reverse();
}
