import type { z } from 'zod';
import type { ConfigError } from '../../domain/index.js';
import type { JsonSchema } from '../schemas/json-schema.js';
import { findMisspelling, findVariant, knownKeys, suggestKey } from './known-keys.js';
import { readIssueDetails, type IssueDetails } from '../schemas/scalars.js';
import type { KeyPath } from '../yaml/key-path.js';
import { suggestValue } from './suggest-value.js';
import type { YamlDocument } from '../yaml/yaml-document.js';

/** Turns the issues of a schema into errors that name file, line, column and key. `schema` knows the keys; absent: those of a bot. */
export function collectProblems(
  issues: readonly z.core.$ZodIssue[],
  document: YamlDocument,
  schema?: JsonSchema,
): readonly ConfigError[] {
  return issues.flatMap((issue) => describeIssue(issue, document, schema));
}

function describeIssue(
  issue: z.core.$ZodIssue,
  document: YamlDocument,
  schema: JsonSchema | undefined,
): readonly ConfigError[] {
  const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => describeUnknownKey([...path, key], document, schema));
  }
  if (issue.code === 'custom') {
    return [describeProblem(path, issue.message, readIssueDetails(issue.params), document)];
  }
  if (issue.code === 'invalid_key') {
    const received = JSON.stringify(path.at(-1));
    return [document.problem('E_CONFIG_KEY', path, { expected: issue.message, received })];
  }
  if (issue.code === 'invalid_union') {
    const below = issuesWithin(issue);
    if (below.length > 0)
      return below.flatMap((each) =>
        describeIssue({ ...each, path: [...path, ...each.path] }, document, schema),
      );
  }
  const misspelled = findMisspelledKey(path, document, schema);
  if (misspelled !== undefined) return [describeUnknownKey(misspelled, document, schema)];
  return [describeMismatch(issue, path, document)];
}

/** The issues inside of a mapping that one of the forms of a value allows. Empty if the value has none of the forms. */
function issuesWithin({ errors }: z.core.$ZodIssueInvalidUnion): readonly z.core.$ZodIssue[] {
  const isInside = ({ code, path }: z.core.$ZodIssue): boolean =>
    path.length > 0 || code === 'unrecognized_keys';
  return errors.find((issues) => issues.length > 0 && issues.every(isInside)) ?? [];
}

/** The place of the key that was written for a required one, if its name is only misspelled. One error is then enough. */
function findMisspelledKey(
  path: KeyPath,
  document: YamlDocument,
  schema: JsonSchema | undefined,
): KeyPath | undefined {
  const [parent, key] = [path.slice(0, -1), path.at(-1)];
  const written = document.valueAt(parent);
  if (typeof key !== 'string' || typeof written !== 'object' || written === null) return undefined;
  if (Object.hasOwn(written, key)) return undefined;
  const misspelled = findMisspelling(parent, { key, written: Object.keys(written) }, schema);
  return misspelled === undefined ? undefined : [...parent, misspelled];
}

/** Makes the error of a problem that a schema's own check or a reference found. */
export function describeProblem(
  path: KeyPath,
  expected: string,
  { code, beside, ...details }: IssueDetails,
  document: YamlDocument,
): ConfigError {
  const shown = beside === undefined ? expected : `${expected} (${document.describe(beside)})`;
  return document.problem(code, path, { ...details, expected: shown });
}

function describeMismatch(
  { code, message: expected }: z.core.$ZodIssue,
  path: KeyPath,
  document: YamlDocument,
): ConfigError {
  const wantsQuotes = expected.startsWith('a quoted decimal');
  const suggestion =
    wantsQuotes && document.locate(path).file === '--set'
      ? `quote it for YAML too: '${path.join('.')}="0.001"'`
      : suggestValue(document.valueAt(path), expected);
  const isMissing = document.describe(path) === 'nothing';
  const mismatch = code === 'invalid_type' ? 'E_CONFIG_TYPE' : 'E_CONFIG_VALUE';
  return document.problem(isMissing ? 'E_CONFIG_MISSING' : mismatch, path, {
    expected,
    suggestion,
  });
}

const NO_MERGE = 'keys cannot be merged: write them here, or use an alias for each value';

function describeUnknownKey(
  place: KeyPath,
  document: YamlDocument,
  schema: JsonSchema | undefined,
): ConfigError {
  const path = place.slice(0, -1);
  const key = String(place.at(-1));
  const variant = findVariant(path, { key, written: document.valueAt(path) }, schema);
  if (variant !== undefined) {
    return document.problem('E_CONFIG_KEY', place, {
      expected: `one of ${variant.keys.join(', ')}`,
      received: JSON.stringify(key),
      suggestion: `"${key}" goes with ${variant.discriminator}: ${variant.others.join(' or ')} only`,
    });
  }
  return document.problem('E_CONFIG_KEY', place, {
    expected: `one of ${knownKeys(path, schema).join(', ')}`,
    received: JSON.stringify(key),
    suggestion: key === '<<' ? NO_MERGE : suggestKey(path, key, schema),
  });
}
