import { describe, expect, it } from 'vitest';
import {
  declaredSpace,
  parseGrid,
  requireListed,
  type SearchSpace,
} from '../../../src/research/index.js';
import { bool, choice, int, number } from '../../../src/strategy/index.js';
import { failureOf } from '../../support/failure.js';

const DECLARED = {
  fast: int(2, 200, 10),
  slow: int(3, 400, 30, { step: 100 }),
  threshold: number(0, 1, 0.5),
  isBold: bool(false),
  mode: choice(['calm', 'bold']),
};

const valuesOf = (text: string): unknown[] => {
  const [axis] = requireListed(parseGrid(text, DECLARED));
  return [...(axis?.values ?? [])];
};

const problemOf = (work: () => unknown): string => failureOf(work).message;

describe('parseGrid', () => {
  it('reads ranges, lists and names in the given order', () => {
    const space = parseGrid('slow=60:240:20,fast=5|10, mode=bold|calm ,isBold=true', DECLARED);

    expect(space.map(({ name }) => name)).toEqual(['slow', 'fast', 'mode', 'isBold']);
    expect(space[0]).toMatchObject({
      values: [60, 80, 100, 120, 140, 160, 180, 200, 220, 240],
      isOrdered: true,
    });
    expect(space[2]).toMatchObject({ values: ['bold', 'calm'], isOrdered: false });
    expect(space[3]).toMatchObject({ values: [true], isOrdered: false });
  });

  it.each([
    ['fast=5:50:15', [5, 20, 35, 50]],
    // The end is a bound, not a value.
    ['fast=5:52:15', [5, 20, 35, 50]],
    ['fast=7:7:1', [7]],
    ['fast=5:8', [5, 6, 7, 8]],
    // The declared step.
    ['slow', [3, 103, 203, 303]],
    ['slow=103:303', [103, 203, 303]],
    // Values are counted in decimals: as floats 0.1 + 0.2 is 0.30000000000000004.
    ['threshold=0.1:0.5:0.1', [0.1, 0.2, 0.3, 0.4, 0.5]],
    ['fast=30|5|10', [5, 10, 30]],
    ['isBold', [false, true]],
    ['mode', ['calm', 'bold']],
  ])('reads %s', (text, values) => {
    expect(valuesOf(text)).toEqual(values);
  });

  it('keeps a range of decimals without a step continuous', () => {
    expect(parseGrid('threshold=0.25:0.75', DECLARED)).toEqual([
      { kind: 'continuous', name: 'threshold', min: 0.25, max: 0.75 },
    ]);
    expect(problemOf(() => requireListed(parseGrid('threshold', DECLARED)))).toBe(
      '--grid threshold: expected a range with a step (threshold=from:to:step) or a list; only random searches, such as --random, accept a range without a step, received 0:1 (E_CONFIG_PARAMETER)',
    );
  });

  it.each([
    ['quick=5:50:5', 'one of the parameters fast, slow, threshold, isBold, mode, received "quick"'],
    ['fast=1:50:5', 'a whole number from 2 to 200, received 1 '],
    ['fast=5:300:100', 'a whole number from 2 to 200, received 205 '],
    ['fast=5:50:2.5', 'a whole number from 2 to 200, received 7.5 '],
    ['fast=5|ten', 'a whole number from 2 to 200, received "ten"'],
    ['fast=five:50:5', 'a plain number, received "five"'],
    ['fast=5:50:1e1', 'a plain number, received "1e1"'],
    ['fast=50:5:5', 'a rising range, received "50:5:5"'],
    ['fast=5:50:0', 'a step above 0, received "5:50:0"'],
    ['fast=5:50:5:1', 'a range from:to or from:to:step, received "5:50:5:1"'],
    ['fast=5|5', 'every value once, received 5 twice'],
    ['threshold=0:1:0.000001', 'at most 100000 values, received 1000001 '],
    ['threshold=0:2', 'a number from 0 to 1, received 2 '],
    ['isBold=yes', 'true or false, received "yes"'],
    ['mode=loud', 'one of calm, bold, received "loud"'],
  ])('refuses %s, naming flag and parameter', (text, problem) => {
    const name = text.split('=')[0] ?? '';

    expect(problemOf(() => parseGrid(text, DECLARED))).toContain(
      `--grid ${name}: expected ${problem}`,
    );
  });

  it.each(['', 'fast=', '=5', 'fast=5:50:5,,slow'])(
    'rejects "%s" with the expected form',
    (text) => {
      expect(problemOf(() => parseGrid(text, DECLARED))).toMatch(
        /^--grid: expected name=from:to:step/,
      );
    },
  );

  it('refuses a parameter that is named twice', () => {
    expect(problemOf(() => parseGrid('fast=5|6,fast=7', DECLARED))).toBe(
      '--grid: expected every parameter once, received "fast" twice',
    );
  });
});

describe('declaredSpace', () => {
  it('returns every parameter over its whole range', () => {
    const space: SearchSpace = declaredSpace(DECLARED);

    expect(space.map(({ name }) => name)).toEqual(Object.keys(DECLARED));
    expect(space[0]).toMatchObject({ kind: 'listed' });
    expect(space[2]).toEqual({ kind: 'continuous', name: 'threshold', min: 0, max: 1 });
  });
});
