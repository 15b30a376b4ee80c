import { isDeepStrictEqual } from 'node:util';
import { isMap, isScalar, parseDocument, stringify, type Pair, type YAMLMap } from 'yaml';
import { ConfigError } from '../domain/index.js';

type Value = string | number | boolean;

/** Replaces the text from `start` to `end` with `text`. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Blanks of one level of indentation, if the file shows no other. */
const INDENT = 2;
/** Words that mean the same with and without quotes. */
const PLAIN_WORD = /^[A-Za-z][\w-]*$/;

/**
 * Sets parameters of the strategy in the text of a bot's file. Everything else stays as it is, including comments.
 *
 * @throws {ConfigError} `E_CONFIG_VALUE` if the file has no strategy, or if a parameter is written in a form that cannot be replaced, such as an alias.
 */
export function setParameters(
  file: string,
  text: string,
  parameters: Readonly<Record<string, Value>>,
): string {
  const document = parseDocument(text, { prettyErrors: false });
  const strategy = document.get('strategy', true);
  if (document.errors.length > 0 || !isMap(strategy))
    throw wrong(file, 'strategy', 'a block with the strategy of a bot');
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const edits = editsOf({ file, text, eol, strategy }, Object.entries(parameters));
  const edited = apply(text, edits);
  if (isSameBeside(text, edited, parameters)) return edited;
  throw wrong(file, 'strategy.parameters', 'a block with a line for each parameter');
}

interface Place {
  readonly file: string;
  readonly text: string;
  readonly eol: string;
  readonly strategy: YAMLMap;
}

type Entries = readonly (readonly [name: string, value: Value])[];

function editsOf({ strategy, ...place }: Place, entries: Entries): readonly Edit[] {
  const { file, text, eol } = place;
  const found = strategy.get('parameters', true);
  const lines = (indent: number, of: Entries): string =>
    of.map(([name, value]) => `${eol}${' '.repeat(indent)}${line(name, value)}`).join('');
  if (isMap(found) && found.items.length > 0) {
    const known = entries.filter(([name]) => found.has(name));
    const edits = known.map(([name, value]) => replace(file, found, name, value));
    const added = entries.filter(([name]) => !found.has(name));
    if (added.length === 0) return edits;
    const end = endOf(found.items.at(-1));
    if (found.flow === true)
      return [
        ...edits,
        insert(end, added.map(([name, value]) => `, ${line(name, value)}`).join('')),
      ];
    const indent = columnOf(text, startOf(found.items[0]));
    return [...edits, insert(lineEnd(text, end), lines(indent, added))];
  }
  if (isMap(found) && found.range) {
    const all = entries.map(([name, value]) => line(name, value)).join(', ');
    const [start, end] = found.range;
    return [{ start, end, text: `{ ${all} }` }];
  }
  if (strategy.flow === true)
    throw wrong(file, 'strategy.parameters', 'a block with a line for each parameter');
  const indent = columnOf(text, startOf(strategy.items[0]));
  const below = lines(indent + INDENT, entries);
  const pair = strategy.items.find(({ key }) => isScalar(key) && key.value === 'parameters');
  if (pair !== undefined) return [insert(lineEnd(text, startOf(pair)), below)];
  const head = `${eol}${' '.repeat(indent)}parameters:`;
  return [insert(lineEnd(text, endOf(strategy.items.at(-1))), head + below)];
}

function replace(file: string, parameters: YAMLMap, name: string, value: Value): Edit {
  const node = parameters.get(name, true);
  if (!isScalar(node) || !node.range || node.anchor !== undefined)
    throw wrong(file, `strategy.parameters.${name}`, 'a value without an anchor or alias');
  const [start, end] = node.range;
  return { start, end, text: written(value) };
}

const insert = (at: number, text: string): Edit => ({ start: at, end: at, text });
const line = (name: string, value: Value): string => `${written(name)}: ${written(value)}`;

function written(value: Value): string {
  if (typeof value !== 'string') return String(value);
  const isPlain = PLAIN_WORD.test(value) && stringify(value).trim() === value;
  return isPlain ? value : JSON.stringify(value);
}

function apply(text: string, edits: readonly Edit[]): string {
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce(
      (whole, { start, end, text: part }) => whole.slice(0, start) + part + whole.slice(end),
      text,
    );
}

function startOf(pair: Pair | undefined): number {
  return isScalar(pair?.key) ? (pair.key.range?.[0] ?? 0) : 0;
}

/** Offset of the end of a pair's value, without a comment behind it. */
function endOf(pair: Pair | undefined): number {
  const value = pair?.value;
  if (isMap(value) && value.flow !== true && value.items.length > 0)
    return endOf(value.items.at(-1));
  const range = (value as { readonly range?: readonly number[] | null } | null)?.range;
  return range?.[1] ?? startOf(pair);
}

function columnOf(text: string, at: number): number {
  return at - (text.lastIndexOf('\n', at - 1) + 1);
}

/** Offset of the end of the line that contains `at`, without its line break. */
function lineEnd(text: string, at: number): number {
  const feed = text.indexOf('\n', at);
  if (feed === -1) return text.length;
  return text[feed - 1] === '\r' ? feed - 1 : feed;
}

/** Whether the edit changed the given parameters and nothing else. */
function isSameBeside(
  before: string,
  after: string,
  parameters: Readonly<Record<string, Value>>,
): boolean {
  const read = (text: string): Record<string, unknown> =>
    parseDocument(text).toJS() as Record<string, unknown>;
  const old = read(before);
  const strategy = old['strategy'] as Record<string, unknown>;
  const wanted = { ...(strategy['parameters'] as object | null), ...parameters };
  const expected = { ...old, strategy: { ...strategy, parameters: wanted } };
  return isDeepStrictEqual(expected, read(after));
}

function wrong(file: string, key: string, expected: string): ConfigError {
  return new ConfigError('E_CONFIG_VALUE', {
    location: { file, key },
    expected,
    received: 'something else',
  });
}
