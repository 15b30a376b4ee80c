import { parseDocument, Scalar, visit } from 'yaml';
import { ConfigError } from '../../domain/index.js';
import type { Override } from './yaml-document.js';

/** Values given on the command line. */
export interface OverrideOptions {
  /** `path=value`, the value in YAML. */
  readonly set?: readonly string[] | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/**
 * Reads `--set`, `--from` and `--to`.
 *
 * @throws {ConfigError} `E_CONFIG_SET` when an assignment has no path, or its value is no YAML.
 */
export function parseOverrides({ set = [], from, to }: OverrideOptions): readonly Override[] {
  const times = [
    { name: 'from', value: from },
    { name: 'to', value: to },
  ].flatMap(({ name, value }): readonly Override[] =>
    value === undefined
      ? []
      : [{ path: ['simulation', name], node: new Scalar(value), origin: `--${name}` }],
  );
  return [...set.map(parseAssignment), ...times];
}

/** A setting of `--set`, and all texts in its value. */
export interface Setting {
  /** Key path, such as `simulation.archive`. */
  readonly key: string;
  readonly texts: readonly string[];
}

/** Lists the settings of `--set`. @throws as {@link parseOverrides}. */
export function listSettings(set: readonly string[]): readonly Setting[] {
  return parseOverrides({ set }).map(({ path, node }) => {
    const texts: string[] = [];
    visit(node, {
      Scalar: (_, { value }) => {
        if (typeof value === 'string') texts.push(value);
      },
    });
    return { key: path.join('.'), texts };
  });
}

function parseAssignment(assignment: string): Override {
  const equals = assignment.indexOf('=');
  const path = assignment.slice(0, Math.max(0, equals)).split('.');
  if (equals < 1 || path.includes('')) {
    throw assignmentError('an assignment such as strategy.parameters.fast=12', assignment);
  }
  const document = parseDocument(assignment.slice(equals + 1), { prettyErrors: false });
  const problem = document.errors[0] ?? document.warnings[0];
  if (problem !== undefined) {
    throw assignmentError(`a YAML value for ${path.join('.')}`, problem.message);
  }
  return { path, node: document.contents, origin: '--set' };
}

function assignmentError(expected: string, received: string): ConfigError {
  return new ConfigError('E_CONFIG_SET', {
    location: { file: '--set' },
    expected,
    received: JSON.stringify(received),
  });
}
