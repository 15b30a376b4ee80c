import {
  ConfigError,
  fixedToNumber,
  parseFixed,
  present,
  suggestWord,
  UsageError,
  type Fixed,
} from '../../domain/index.js';
import type { ParameterValue } from '../../report/index.js';
import {
  describeExpected,
  parseParameters,
  type IntParameter,
  type NumberParameter,
  type ParameterDeclaration,
  type ParameterDeclarations,
} from '../../strategy/index.js';
import { MAX_COMBINATIONS, type Axis, type SearchSpace } from './search-space.js';

/** Option that the errors of a grid name. */
const FLAG = '--grid';
const FORM = 'name=from:to:step, name=one|two|three, or only a name for its whole declared range';
const PLAIN_NUMBER = /^[+-]?\d+(?:\.\d{1,18})?$/;

/**
 * Reads a search space such as `fast=5:50:5,slow=60:240:20,mode=calm|bold,trailing`: per parameter a range with its end, a list, or the
 * name alone for the whole declared range. A range of whole numbers without a step takes the declared one; a range of other numbers
 * without a step is continuous, for a random search.
 *
 * @throws {UsageError} `E_USAGE` when the text cannot be understood; {ConfigError} `E_CONFIG_PARAMETER` naming the parameter when it is
 * unknown or a value lies outside of its declaration.
 */
export function parseGrid(text: string, declarations: ParameterDeclarations): SearchSpace {
  const axes = text.split(',').map((part) => parseAxis(part.trim(), declarations));
  const names = axes.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new UsageError(
      'E_USAGE',
      `${FLAG}: expected every parameter once, received "${twice}" twice`,
    );
  return axes;
}

/** The search space that a strategy declares: every parameter over its whole range. */
export function declaredSpace(declarations: ParameterDeclarations): SearchSpace {
  return Object.entries(declarations).map(([name, declaration]) => wholeRange(name, declaration));
}

/**
 * A space without the parameters of a list such as `mode,trailing`.
 *
 * @throws {ConfigError} `E_CONFIG_PARAMETER` naming the parameter when it is unknown.
 */
export function leaveOut(
  space: SearchSpace,
  names: string,
  declarations: ParameterDeclarations,
): SearchSpace {
  const left = names.split(',').map((name) => name.trim());
  for (const name of left) declarationOf(name, declarations, '--fix');
  return space.filter(({ name }) => !left.includes(name));
}

/**
 * Refuses a space with a continuous axis.
 *
 * @throws {ConfigError} `E_CONFIG_PARAMETER` naming the first continuous parameter.
 */
export function requireListed(space: SearchSpace): readonly Extract<Axis, { kind: 'listed' }>[] {
  return space.map((axis) => {
    if (axis.kind === 'listed') return axis;
    const { name, min, max } = axis;
    throw wrongParameter(
      name,
      `a range with a step (${name}=from:to:step) or a list; only random searches, such as --random, accept a range without a step`,
      `${String(min)}:${String(max)}`,
    );
  });
}

function parseAxis(part: string, declarations: ParameterDeclarations): Axis {
  const [name = '', ...rest] = part.split('=');
  const spec = rest.join('=');
  if (name === '' || (rest.length > 0 && spec === ''))
    throw new UsageError('E_USAGE', `${FLAG}: expected ${FORM}, received "${part}"`);
  const declaration = declarationOf(name, declarations);
  if (rest.length === 0) return wholeRange(name, declaration);
  const isNumeric = declaration.kind === 'int' || declaration.kind === 'number';
  if (isNumeric && spec.includes(':')) return parseRange(name, spec, declaration);
  return parseList(name, spec, declaration);
}

function declarationOf(
  name: string,
  declarations: ParameterDeclarations,
  flag = FLAG,
): ParameterDeclaration {
  const declaration = Object.hasOwn(declarations, name) ? declarations[name] : undefined;
  if (declaration !== undefined) return declaration;
  const known = Object.keys(declarations);
  const meant = suggestWord(name.trim(), known);
  const suggestion = meant === undefined ? '' : ` (did you mean ${meant}?)`;
  const expected =
    known.length === 0
      ? 'no parameter, because the strategy declares none'
      : `one of the parameters ${known.join(', ')}${suggestion}`;
  throw wrongParameter(name, expected, `"${name}"`, flag);
}

function wholeRange(name: string, declaration: ParameterDeclaration): Axis {
  switch (declaration.kind) {
    case 'int': {
      const { min, max, step } = declaration;
      return range(
        name,
        { from: toFixed(min), to: toFixed(max), step: toFixed(step) },
        declaration,
      );
    }
    case 'number':
      return continuous(name, declaration.min, declaration.max);
    case 'boolean':
      return { kind: 'listed', name, values: [false, true], isOrdered: false };
    case 'choice':
      return { kind: 'listed', name, values: declaration.options, isOrdered: false };
  }
}

function parseRange(name: string, spec: string, declaration: IntParameter | NumberParameter): Axis {
  const [from, to, step, ...more] = spec.split(':').map((text) => parseAmount(name, text));
  if (from === undefined || to === undefined || more.length > 0)
    throw wrongParameter(name, 'a range from:to or from:to:step', `"${spec}"`);
  if (from > to) throw wrongParameter(name, 'a rising range', `"${spec}"`);
  if (step !== undefined && step <= 0n) throw wrongParameter(name, 'a step above 0', `"${spec}"`);
  if (step !== undefined) return range(name, { from, to, step }, declaration);
  if (declaration.kind === 'int')
    return range(name, { from, to, step: toFixed(declaration.step) }, declaration);
  const [min, max] = [from, to].map((end) => accept(name, fixedToNumber(end), declaration));
  return continuous(name, present(min, 'start of a range'), present(max, 'end of a range'));
}

/** The values of a range are multiples of its step, counted exactly: 0.1:0.5:0.1 holds 0.3, not 0.30000000000000004. */
function range(
  name: string,
  { from, to, step }: { readonly from: Fixed; readonly to: Fixed; readonly step: Fixed },
  declaration: ParameterDeclaration,
): Axis {
  const count = Number((to - from) / step) + 1;
  if (count > MAX_COMBINATIONS)
    throw wrongParameter(name, `at most ${String(MAX_COMBINATIONS)} values`, String(count));
  const values = Array.from({ length: count }, (_, index) =>
    accept(name, fixedToNumber(from + BigInt(index) * step), declaration),
  );
  return { kind: 'listed', name, values, isOrdered: true };
}

function continuous(name: string, min: number, max: number): Axis {
  return min === max
    ? { kind: 'listed', name, values: [min], isOrdered: true }
    : { kind: 'continuous', name, min, max };
}

function parseList(name: string, spec: string, declaration: ParameterDeclaration): Axis {
  const values = spec.split('|').map((text) => accept(name, read(text, declaration), declaration));
  const twice = values.find((value, index) => values.indexOf(value) !== index);
  if (twice !== undefined) throw wrongParameter(name, 'every value once', `${String(twice)} twice`);
  const isOrdered = declaration.kind === 'int' || declaration.kind === 'number';
  // Neighbors are the next smaller and the next larger value, so a typed list is sorted.
  if (isOrdered) values.sort((a, b) => Number(a) - Number(b));
  return { kind: 'listed', name, values, isOrdered };
}

/** Reads one value of a list. A text that does not fit the kind stays a text, and the declaration refuses it. */
function read(text: string, { kind }: ParameterDeclaration): ParameterValue {
  if (kind === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return (kind === 'int' || kind === 'number') && PLAIN_NUMBER.test(text) ? Number(text) : text;
}

function parseAmount(name: string, text: string): Fixed {
  if (!PLAIN_NUMBER.test(text)) throw wrongParameter(name, 'a plain number', `"${text}"`);
  return parseFixed(text);
}

function toFixed(value: number): Fixed {
  return parseFixed(String(value));
}

/** Returns the value if the declaration accepts it. */
function accept<T extends ParameterValue>(
  name: string,
  value: T,
  declaration: ParameterDeclaration,
): T {
  const parsed = parseParameters({ [name]: declaration }, { [name]: value });
  if (parsed.ok) return value;
  const received = typeof value === 'string' ? `"${value}"` : String(value);
  throw wrongParameter(name, describeExpected(declaration), received);
}

function wrongParameter(
  name: string,
  expected: string,
  received: string,
  flag = FLAG,
): ConfigError {
  const location = { file: flag, key: name };
  return new ConfigError('E_CONFIG_PARAMETER', { location, expected, received });
}
