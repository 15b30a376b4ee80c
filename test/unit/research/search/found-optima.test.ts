import { describe, expect, it } from 'vitest';
import { CmaEsSearch } from '../../../../src/research/search/cma-es.js';
import { drawCombinations, drawSobol } from '../../../../src/research/search/combinations.js';
import { NsgaSearch } from '../../../../src/research/search/nsga.js';
import {
  ListSearch,
  type SearchLimits,
  type SearchMethod,
} from '../../../../src/research/search/search-method.js';
import type { SearchSpace } from '../../../../src/research/search/search-space.js';
import { TpeSearch } from '../../../../src/research/search/tpe.js';
import {
  branin,
  cube,
  gapOf,
  hartmann6,
  hypervolume,
  medianOf,
  playSearch,
  rastrigin,
  rosenbrock,
  sphere,
  zdt1,
  type TestFunction,
} from '../../../support/research/test-functions.js';

type Create = (space: SearchSpace, limits: SearchLimits) => SearchMethod;

const METHODS = {
  random: (space, limits) => new ListSearch(drawCombinations(space, limits)),
  sobol: (space, limits) => new ListSearch(drawSobol(space, limits)),
  tpe: (space, limits) => new TpeSearch(space, limits),
  'cma-es': (space, limits) => new CmaEsSearch(space, limits),
  'nsga-ii': (space, limits) => new NsgaSearch(space, limits),
} as const satisfies Readonly<Record<string, Create>>;
type Name = keyof typeof METHODS;

/** The table of docs/search.md has 20 seeds and 200 trials; it takes minutes. */
const isLong = process.env['EVENKEEL_LONG'] === '1';
const SEEDS = isLong ? 20 : 3;
const COUNT = isLong ? 200 : 80;

const seeds = Array.from({ length: SEEDS }, (_, index) => index + 1);

/** Median over the seeds of the gap between the best value of a search and the minimum. */
const medianGap = (name: Name, of: TestFunction): number =>
  medianOf(seeds.map((seed) => gapOf(METHODS[name](of.space, { count: COUNT, seed }), of)));

const ALL = [
  sphere(5),
  rosenbrock(2),
  rosenbrock(5),
  rastrigin(2),
  rastrigin(5),
  branin,
  hartmann6,
];

describe('the test functions', () => {
  it.each(ALL)('$name has its minimum at the stated point', ({ of, at, least }) => {
    expect(of(at)).toBeCloseTo(least, 4);
  });

  it('ZDT1 has its front where all coordinates except the first are 0', () => {
    const [x, y] = zdt1([0.25, 0, 0]);

    expect([x, y]).toEqual([0.25, 0.5]);
  });
});

describe.runIf(isLong)('the best of 200 trials, medians of 20 seeds', () => {
  it.each(ALL)('TPE and CMA-ES are closer than random draws on $name', (of) => {
    const gaps = (['random', 'sobol', 'tpe', 'cma-es'] as const).map(
      (name) => [name, medianGap(name, of)] as const,
    );
    const found = Object.fromEntries(gaps) as Record<Name, number>;

    console.log(of.name, gaps.map(([name, gap]) => `${name} ${gap.toPrecision(2)}`).join(', '));
    expect(found.tpe).toBeLessThan(found.random);
    expect(found['cma-es']).toBeLessThan(found.random);
  });
});

describe.skipIf(isLong)('the best of 80 trials, medians of 3 seeds', () => {
  it.each([branin, hartmann6])(
    'TPE and CMA-ES more than halve the gap of random draws on $name',
    (of) => {
      const drawn = medianGap('random', of);

      expect(medianGap('tpe', of)).toBeLessThan(drawn / 2);
      expect(medianGap('cma-es', of)).toBeLessThan(drawn / 2);
    },
  );
});

describe('the front of ZDT1', () => {
  it('is covered better by NSGA-II than by Sobol or random draws after as many trials', () => {
    const space = cube(5, 0, 1);
    const covered = (name: Name): number =>
      medianOf(
        seeds.map((seed) => {
          const { costs } = playSearch(METHODS[name](space, { count: COUNT, seed }), zdt1);
          return hypervolume(costs, [1.1, 8]);
        }),
      );
    const [nsga, sobol, random] = [covered('nsga-ii'), covered('sobol'), covered('random')];

    if (isLong) console.log('ZDT1 5', { nsga, sobol, random });
    expect(nsga).toBeGreaterThan(sobol + 0.3);
    expect(nsga).toBeGreaterThan(random + 0.3);
  });
});
