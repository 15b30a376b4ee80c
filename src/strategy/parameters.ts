import { DomainError, isObject } from '../domain/index.js';
import { requireKeys, shownType } from './option-keys.js';

interface DeclarationCommon<T> {
  readonly defaultValue: T;
  readonly description: string;
}

/** A whole number from `min` to `max`; a sweep walks it by `step`. */
export interface IntParameter extends DeclarationCommon<number> {
  readonly kind: 'int';
  readonly min: number;
  readonly max: number;
  readonly step: number;
}

/** A float64 from `min` to `max`, for thresholds and multipliers; never for money. */
export interface NumberParameter extends DeclarationCommon<number> {
  readonly kind: 'number';
  readonly min: number;
  readonly max: number;
}

export interface BooleanParameter extends DeclarationCommon<boolean> {
  readonly kind: 'boolean';
}

/** One of a list of words. */
export interface ChoiceParameter<T extends string = string> extends DeclarationCommon<T> {
  readonly kind: 'choice';
  readonly options: readonly T[];
}

export type ParameterDeclaration =
  IntParameter | NumberParameter | BooleanParameter | ChoiceParameter;

/** Declarations of a strategy: one entry per parameter. Validation, editor schemas, search spaces and help are made from them. */
export type ParameterDeclarations = Readonly<Record<string, ParameterDeclaration>>;

type ValueOf<D extends ParameterDeclaration> = D extends IntParameter | NumberParameter
  ? number
  : D extends BooleanParameter
    ? boolean
    : D extends ChoiceParameter<infer T>
      ? T
      : never;

/** The values a strategy reads, typed from its declarations. */
export type ParameterValues<D extends ParameterDeclarations> = {
  readonly [Name in keyof D]: ValueOf<D[Name]>;
};

interface ParameterOptions {
  /** @defaultValue '' */
  readonly description?: string;
}

/**
 * Declares a whole-number parameter.
 *
 * @throws {DomainError} `E_PARAMETER_DECLARATION` when a bound, the default or the step is not a whole number, the step is below 1, or the default is
 * outside the bounds, or for an unknown option.
 */
export function int(
  min: number,
  max: number,
  defaultValue: number,
  options: ParameterOptions & { readonly step?: number } = {},
): IntParameter {
  requireKeys('int', options, ['description', 'step'], 'E_PARAMETER_DECLARATION');
  const step = options.step ?? 1;
  if (![min, max, defaultValue, step].every(Number.isSafeInteger) || step < 1) {
    throw new DomainError(
      'E_PARAMETER_DECLARATION',
      `expected whole numbers, received int(${[min, max, defaultValue, step].join(', ')})`,
    );
  }
  checkRange('int', min, max, defaultValue);
  return { kind: 'int', min, max, step, defaultValue, description: options.description ?? '' };
}

/**
 * Declares a float64 parameter.
 *
 * @throws {DomainError} `E_PARAMETER_DECLARATION` when the default is outside the bounds.
 */
export function number(
  min: number,
  max: number,
  defaultValue: number,
  options: ParameterOptions = {},
): NumberParameter {
  requireKeys('number', options, ['description'], 'E_PARAMETER_DECLARATION');
  checkRange('number', min, max, defaultValue);
  return { kind: 'number', min, max, defaultValue, description: options.description ?? '' };
}

/** Declares a switch. */
export function bool(defaultValue: boolean, options: ParameterOptions = {}): BooleanParameter {
  requireKeys('bool', options, ['description'], 'E_PARAMETER_DECLARATION');
  return { kind: 'boolean', defaultValue, description: options.description ?? '' };
}

/**
 * Declares a choice between words; the first is the default unless another is named.
 *
 * @throws {DomainError} `E_PARAMETER_DECLARATION` when there are no options, or the default is not one of them.
 */
export function choice<const T extends string>(
  options: readonly T[],
  details: ParameterOptions & { readonly defaultValue?: NoInfer<T> } = {},
): ChoiceParameter<T> {
  const given: unknown = options;
  if (!Array.isArray(given))
    throw new DomainError(
      'E_PARAMETER_DECLARATION',
      `choice: expected a list such as ['calm', 'bold'], received ${describeReceived(given)}`,
    );
  requireKeys('choice', details, ['description', 'defaultValue'], 'E_PARAMETER_DECLARATION');
  const defaultValue = details.defaultValue ?? options[0];
  if (defaultValue === undefined || !options.includes(defaultValue)) {
    throw new DomainError(
      'E_PARAMETER_DECLARATION',
      `expected a default among ${options.join(', ')}, received ${String(defaultValue)}`,
    );
  }
  return { kind: 'choice', options, defaultValue, description: details.description ?? '' };
}

function checkRange(kind: string, min: number, max: number, defaultValue: number): void {
  if (!(min <= defaultValue && defaultValue <= max)) {
    throw new DomainError(
      'E_PARAMETER_DECLARATION',
      `${kind}(min, max, default): expected min <= default <= max, received min ${String(min)}, max ${String(max)}, default ${String(defaultValue)}`,
    );
  }
}

const KINDS: ReadonlySet<unknown> = new Set<ParameterDeclaration['kind']>([
  'int',
  'number',
  'boolean',
  'choice',
]);

/**
 * Refuses declarations that no function above has made: JavaScript may pass a bare default, and no value fits that.
 *
 * @param place - the function that takes the declarations, for messages.
 * @throws {DomainError} `E_PARAMETER_DECLARATION`.
 */
export function requireDeclarations(place: string, declarations: unknown): void {
  if (!isObject(declarations))
    throw new DomainError(
      'E_PARAMETER_DECLARATION',
      `${place}: expected parameters such as { period: int(2, 200, 14) }, received ${shownType(declarations)}`,
    );
  for (const [name, declared] of Object.entries(declarations)) {
    if (isObject(declared) && KINDS.has(declared['kind'])) continue;
    throw new DomainError(
      'E_PARAMETER_DECLARATION',
      `${place}: ${name}: expected a parameter made by int, number, bool or choice, received ${shownType(declared)}`,
    );
  }
}

interface ParameterProblem {
  readonly name: string;
  readonly expected: string;
  readonly received: string;
  readonly unknown: boolean;
}

export type ParsedParameters =
  | { readonly ok: true; readonly values: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly problems: readonly ParameterProblem[] };

/**
 * Checks given values against the declarations and fills in defaults. All problems are reported, not only the first. The values are frozen: a result names
 * the run by them, so a strategy in JavaScript may not change them either.
 */
export function parseParameters(
  declarations: ParameterDeclarations,
  given: Readonly<Record<string, unknown>>,
): ParsedParameters {
  const problems: ParameterProblem[] = [];
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(declarations, name)) {
      const known = Object.keys(declarations);
      problems.push({
        name,
        expected:
          known.length === 0 ? 'no parameters' : `one of the parameters ${known.join(', ')}`,
        received: `"${name}"`,
        unknown: true,
      });
    }
  }
  for (const [name, declaration] of Object.entries(declarations)) {
    const value = Object.hasOwn(given, name) ? given[name] : declaration.defaultValue;
    if (accepts(declaration, value)) values[name] = value;
    else
      problems.push({
        name,
        expected: describeExpected(declaration),
        received: describeReceived(value),
        unknown: false,
      });
  }
  return problems.length > 0
    ? { ok: false, problems }
    : { ok: true, values: Object.freeze(values) };
}

function accepts(declaration: ParameterDeclaration, value: unknown): boolean {
  switch (declaration.kind) {
    case 'int':
      return Number.isSafeInteger(value) && isWithin(value, declaration);
    case 'number':
      return Number.isFinite(value) && isWithin(value, declaration);
    case 'boolean':
      return typeof value === 'boolean';
    case 'choice':
      return typeof value === 'string' && declaration.options.includes(value);
  }
}

function isWithin(value: unknown, range: { readonly min: number; readonly max: number }): boolean {
  return typeof value === 'number' && value >= range.min && value <= range.max;
}

/** One phrase for messages and help: `a whole number from 2 to 200`. */
export function describeExpected(declaration: ParameterDeclaration): string {
  switch (declaration.kind) {
    case 'int':
      return `a whole number from ${String(declaration.min)} to ${String(declaration.max)}`;
    case 'number':
      return `a number from ${String(declaration.min)} to ${String(declaration.max)}`;
    case 'boolean':
      return 'true or false';
    case 'choice':
      return `one of ${declaration.options.join(', ')}`;
  }
}

function describeReceived(value: unknown): string {
  return typeof value === 'string' ? `"${value}"` : String(value);
}
