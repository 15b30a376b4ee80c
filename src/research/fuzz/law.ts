import { suggestWord, UsageError } from '../../domain/index.js';
import type { RunRecord } from '../../report/index.js';
import {
  holds,
  isOperator,
  OPERATOR_NAMES,
  splitComparison,
  type Operator,
} from '../comparison.js';
import { FIGURE_NAMES, figureOfRun, SHARES, type FigureName } from './figures.js';

/** A condition on a run, such as `drawdown < 0.2`. */
export interface RunLaw {
  /** In written form, with one blank between its parts. */
  readonly text: string;
  readonly figure: FigureName;
  readonly operator: Operator;
  readonly limit: number;
}

/**
 * Reads a law: a figure, an operator, and a number, which may be in percent if the figure is a share.
 *
 * @throws {UsageError} `E_FUZZ_LAW` naming what is expected in its place.
 */
export function parseLaw(written: string): RunLaw {
  const fail = (expected: string, received: string): never => {
    throw new UsageError(
      'E_FUZZ_LAW',
      `--law "${written}": expected ${expected}, received "${received}"`,
    );
  };
  const parts = splitComparison(written);
  if (parts === undefined)
    return fail("a figure, an operator and a number, as in 'drawdown < 0.2'", written);
  const { left: name, operator, right: limit } = parts;
  const figure = FIGURE_NAMES.find((known) => known === name.replace(/\s+/g, ' ').toLowerCase());
  if (figure === undefined) {
    const meant = suggestWord(name, FIGURE_NAMES);
    const suggestion = meant === undefined ? '' : ` (did you mean ${meant}?)`;
    return fail(`one of ${FIGURE_NAMES.join(', ')}${suggestion}`, name);
  }
  if (!isOperator(operator)) return fail(`one of ${OPERATOR_NAMES.join(' ')}`, operator);
  const number = /^([+-]?\d+(?:\.\d+)?)\s*(%?)$/.exec(limit);
  if (number === null) return fail('a number, as in 0.2', limit);
  const [, digits = '', percent = ''] = number;
  if (percent !== '' && !SHARES.has(figure))
    return fail(`a number without %, because ${figure} is not a share`, limit);
  if (figure === 'drawdown' && percent === '' && Number(digits) > 1)
    return fail(`a share such as 0.2, or 20%`, limit);
  return {
    text: `${figure} ${operator} ${limit}`,
    figure,
    operator,
    limit: percent === '' ? Number(digits) : Number(digits) / 100,
  };
}

/** The figure of a run that breaks a law; undefined if the run keeps the law, or has no such figure. */
export function breach(law: RunLaw, record: RunRecord): number | undefined {
  const value = figureOfRun(record, law.figure);
  return value === null || holds(value, law.operator, law.limit) ? undefined : value;
}
