import { describe, expect, it } from 'vitest';

import {
  bool,
  CandleStrategy,
  choice,
  describeExpected,
  int,
  number,
} from '../../../src/strategy/index.js';
import { parseParameters, type ParsedParameters } from '../../../src/strategy/index.js';
import { closes, startStrategy } from '../../../src/testing/index.js';
import { failureOf } from '../../support/failure.js';

const DECLARED = {
  fast: int(2, 200, 10),
  ratio: number(0.5, 2, 1),
  isOn: bool(true),
  mode: choice(['long', 'flat']),
};

/** The problems, one line each. */
function problems(parsed: ParsedParameters): readonly string[] {
  if (parsed.ok) return [];
  return parsed.problems.map(
    ({ name, expected, received }) => `${name}: expected ${expected}, received ${received}`,
  );
}

describe('parseParameters', () => {
  it('gives values that a strategy cannot change, because results name them', async () => {
    class Changes extends CandleStrategy(DECLARED) {
      override onCandle(): void {
        Object.assign(this.parameters, { fast: 5 });
      }
    }
    const run = await startStrategy(Changes, { parameters: { fast: 20 } });

    expect(() => run.play(closes(100, 101))).toThrow(
      /read only property 'fast'.*E_STRATEGY_FAILED/,
    );
    expect(run.strategy.parameters.fast).toBe(20);
  });

  it('fills in defaults', () => {
    const parsed = parseParameters(DECLARED, { fast: 20 });

    expect(parsed).toEqual({
      ok: true,
      values: { fast: 20, ratio: 1, isOn: true, mode: 'long' },
    });
  });

  it('accepts both ends of a range', () => {
    expect(parseParameters(DECLARED, { fast: 2, ratio: 2 }).ok).toBe(true);
    expect(parseParameters(DECLARED, { fast: 200, ratio: 0.5 }).ok).toBe(true);
  });

  it('reports every problem', () => {
    const parsed = parseParameters(DECLARED, {
      fast: 2.5,
      ratio: 3,
      isOn: 'yes',
      mode: 'short',
      fest: 5,
    });

    expect(problems(parsed)).toEqual([
      'fest: expected one of the parameters fast, ratio, isOn, mode, received "fest"',
      'fast: expected a whole number from 2 to 200, received 2.5',
      'ratio: expected a number from 0.5 to 2, received 3',
      'isOn: expected true or false, received "yes"',
      'mode: expected one of long, flat, received "short"',
    ]);
  });

  it.each([Number.NaN, Infinity, '10', null, true, 1, 201])('rejects %s for an int', (value) => {
    expect(parseParameters(DECLARED, { fast: value }).ok).toBe(false);
  });

  it('reports a parameter if no parameters are declared', () => {
    expect(problems(parseParameters({}, { fast: 5 }))).toEqual([
      'fast: expected no parameters, received "fast"',
    ]);
  });

  it('rejects the name of an inherited object member as a parameter', () => {
    expect(problems(parseParameters(DECLARED, { toString: 5 }))).toHaveLength(1);
  });
});

describe('a parameter declaration', () => {
  it.each([
    { name: 'a broken bound', declare: () => int(2.5, 200, 10) },
    { name: 'a default out of range', declare: () => int(2, 200, 1) },
    { name: 'bounds the wrong way round', declare: () => number(2, 1, 1.5) },
    { name: 'a step of nothing', declare: () => int(2, 200, 10, { step: 0 }) },
    { name: 'no number', declare: () => number(0, 1, Number.NaN) },
    { name: 'no options', declare: () => choice([]) },
    { name: 'options that are no list', declare: () => choice('calm' as never) },
    {
      name: 'a default that is no option',
      declare: () => choice(['a', 'b'], { defaultValue: 'c' as 'a' }),
    },
  ])('with $name is refused', ({ declare }) => {
    expect(failureOf(declare)).toMatchObject({
      name: 'DomainError',
      code: 'E_PARAMETER_DECLARATION',
    });
  });

  it('outside of its bounds names each number', () => {
    expect(failureOf(() => int(5, 10, 20))).toMatchObject({
      message:
        'int(min, max, default): expected min <= default <= max, received min 5, max 10, default 20',
    });
  });

  it('is described in one phrase', () => {
    expect(Object.values(DECLARED).map(describeExpected)).toEqual([
      'a whole number from 2 to 200',
      'a number from 0.5 to 2',
      'true or false',
      'one of long, flat',
    ]);
  });
});
