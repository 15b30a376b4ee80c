import { afterEach, describe, expect, it, vi } from 'vitest';
import { compileByLength } from '../../../src/cli/v8-flags.js';

const DAY_OF_MINUTES = 1_440;
const YEARS_OF_MINUTES = 1_000_000;
const LARGER_PIECES = [
  '--max-inlined-bytecode-size-cumulative=4000',
  '--max-inlined-bytecode-size-small=80',
];

/** The flags that are set while a run reports its progress `steps` times. */
function flagsOf(steps: number, total: number): readonly string[] {
  const set = vi.spyOn(process.getBuiltinModule('node:v8'), 'setFlagsFromString');
  set.mockClear().mockImplementation(() => undefined);
  const tell = compileByLength();
  for (let step = 0; step < steps; step += 1) tell({ total });
  return set.mock.calls.map(([flag]) => flag);
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Makes the process show this version of V8. */
function withV8(v8: string): void {
  vi.stubGlobal('process', Object.create(process, { versions: { value: { v8 } } }));
}

describe('compileByLength', () => {
  it('sets a low interrupt budget in the first steps of a long run, and the usual budget after them', () => {
    withV8('11.3.244.8-node.33');

    expect(flagsOf(4, YEARS_OF_MINUTES)).toEqual(['--interrupt-budget=5000']);
    expect(flagsOf(500, YEARS_OF_MINUTES)).toEqual([
      '--interrupt-budget=5000',
      '--interrupt-budget=67584',
    ]);
  });

  it('sets no flag that V8 does not have', () => {
    withV8('12.4.254.21-node.26');

    expect(flagsOf(500, YEARS_OF_MINUTES)).toEqual([]);
    expect(flagsOf(500, 5 * YEARS_OF_MINUTES)).toEqual(LARGER_PIECES);
  });

  it('lets a very long run be compiled in larger pieces', () => {
    withV8('11.3.244.8-node.33');

    expect(flagsOf(500, 5 * YEARS_OF_MINUTES)).toEqual([
      ...LARGER_PIECES,
      '--interrupt-budget=5000',
      '--interrupt-budget=67584',
    ]);
  });
});

it('compileByLength sets no flag for a short run', () => {
  withV8('11.3.244.8-node.33');

  expect(flagsOf(500, DAY_OF_MINUTES)).toEqual([]);
});
