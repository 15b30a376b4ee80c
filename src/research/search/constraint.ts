import { suggestWord, UsageError } from '../../domain/index.js';
import type { ParameterDeclarations } from '../../strategy/index.js';
import {
  holds,
  isOperator,
  OPERATOR_NAMES,
  splitComparison,
  type Operator,
} from '../comparison.js';
import { OBJECTIVES, type ObjectiveName } from './objective.js';
import type { Combination } from './search-space.js';

const FLAG = '--constraint';
const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;

/** Figures that are shares of 1. A larger bound was meant in percent. */
const SHARES: ReadonlySet<string> = new Set(['maxDrawdown', 'winRate']);

/** Figures that a constraint can name. */
export type BoundFigure = ObjectiveName | 'trades';
export const BOUND_FIGURES: readonly BoundFigure[] = [...OBJECTIVES, 'trades'];

/** A condition on a combination before its run: a parameter compared with a number or with another parameter. */
export interface ParameterConstraint {
  readonly kind: 'parameters';
  readonly left: string;
  readonly operator: Operator;
  readonly right: string | number;
}

/** A condition on a figure of a trial. A trial that does not meet it is not ranked. */
export interface FigureConstraint<Name extends BoundFigure = BoundFigure> {
  readonly kind: 'figures';
  readonly left: Name;
  readonly operator: Operator;
  readonly right: number;
}

export type Constraint = ParameterConstraint | FigureConstraint;

/** The line of a document's head that shows its constraints; none without any. */
export function constraintLines(constraints: readonly Constraint[] = []): readonly string[] {
  const shown = constraints.map(describeConstraint).join(', ');
  return shown === '' ? [] : [`where ${shown}`];
}

/** Writes a constraint in its original form. */
function describeConstraint({ left, operator, right }: Constraint): string {
  return `${left} ${operator} ${String(right)}`;
}

/**
 * Reads a constraint such as `fast < slow` or `maxDrawdown < 0.2`: a parameter and a number or another parameter, or a figure and a number.
 *
 * @throws {UsageError} `E_USAGE` naming what is expected in its place.
 */
export function parseConstraint(written: string, declarations: ParameterDeclarations): Constraint {
  const fail = (expected: string, received: string): never => {
    throw new UsageError(
      'E_USAGE',
      `${FLAG} "${written}": expected ${expected}, received "${received}"`,
    );
  };
  const parts = splitComparison(written);
  if (parts === undefined)
    return fail("two sides and an operator, as in 'fast < slow' or 'maxDrawdown < 0.2'", written);
  const { left, operator, right } = parts;
  if (!isOperator(operator)) return fail(`one of ${OPERATOR_NAMES.join(' ')}`, operator);
  const numeric = numericNames(declarations);
  if (numeric.includes(left)) {
    if (NUMBER.test(right)) return { kind: 'parameters', left, operator, right: Number(right) };
    if (numeric.includes(right)) return { kind: 'parameters', left, operator, right };
    return fail('a number or a parameter that is a number', right);
  }
  const figure = BOUND_FIGURES.find((known) => known === left);
  const known = [...numeric, ...BOUND_FIGURES];
  if (figure === undefined) return fail(described(left, known), left);
  if (!NUMBER.test(right)) return fail('a number, as in 0.2', right);
  if (SHARES.has(figure) && Number(right) > 1) return fail('a share from 0 to 1, as in 0.2', right);
  return { kind: 'figures', left: figure, operator, right: Number(right) };
}

/** Whether some constraint is on a figure, so that a trial can break it. */
export function hasFigureConstraint(
  constraints: readonly Pick<Constraint, 'kind'>[] = [],
): boolean {
  return constraints.some(({ kind }) => kind === 'figures');
}

/** Whether a combination meets the constraints on its parameters. `fixed`: values of the parameters that are not searched. */
export function keepsTo(
  constraints: readonly Constraint[],
  { parameters }: Pick<Combination, 'parameters'>,
  fixed: Combination['parameters'],
): boolean {
  const valueOf = (name: string | number): number =>
    typeof name === 'number' ? name : Number(parameters[name] ?? fixed[name]);
  return constraints.every(
    (constraint) =>
      constraint.kind === 'figures' ||
      holds(valueOf(constraint.left), constraint.operator, valueOf(constraint.right)),
  );
}

/** Whether figures meet the constraints on them. A missing figure meets none. */
export function isFeasible<Name extends BoundFigure>(
  constraints: readonly (ParameterConstraint | FigureConstraint<Name>)[],
  figureOf: (name: Name) => number | null,
): boolean {
  return constraints.every((constraint) => {
    if (constraint.kind === 'parameters') return true;
    const figure = figureOf(constraint.left);
    return figure !== null && holds(figure, constraint.operator, constraint.right);
  });
}

function numericNames(declarations: ParameterDeclarations): readonly string[] {
  return Object.entries(declarations).flatMap(([name, { kind }]) =>
    kind === 'int' || kind === 'number' ? [name] : [],
  );
}

function described(name: string, known: readonly string[]): string {
  const meant = suggestWord(name, known);
  const suggestion = meant === undefined ? '' : ` (did you mean ${meant}?)`;
  return `one of ${known.join(', ')}${suggestion}`;
}
