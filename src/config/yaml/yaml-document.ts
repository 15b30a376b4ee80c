import {
  Document,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type Alias,
  type Node,
} from 'yaml';
import { ConfigError, type ConfigLocation, type ErrorCode } from '../../domain/index.js';
import { describeNode } from './describe-node.js';
import { childOf, isPrefix, keyText, type KeyPath } from './key-path.js';
import type { PlainValue } from './plain-value.js';
import { describeSyntaxProblem } from './syntax-problem.js';

/** A value given on the command line instead of in the file. */
export interface Override {
  readonly path: readonly string[];
  readonly node: Node | null;
  /** The option that gave the value, for messages: `--set` or `--from`. */
  readonly origin: string;
}

/** A key of the text, by its full path. */
interface WrittenKey {
  readonly name: string;
  readonly offset: number;
  /** From 1. */
  readonly line: number;
}

/** Most values that the aliases of one anchor may expand to. */
const MOST_VALUES = 100;
/** Most aliases of a document. The library searches the document for each alias: with many, that would take minutes. */
const MOST_ALIASES = 1_000;

/** A file's YAML with its positions, or a program's object in its place. Values of the command line are put over it. */
export class YamlDocument {
  readonly #file: string;
  readonly #document: Document;
  /** Undefined if the document was not parsed from text. */
  readonly #lines: LineCounter | undefined;
  readonly #overrides: Override[] = [];

  private constructor(file: string, document: Document, lines?: LineCounter) {
    this.#file = file;
    this.#document = document;
    this.#lines = lines;
  }

  /** Parses text. Returns syntax errors as a list, without errors that only follow from an earlier one. */
  static parse(file: string, text: string): YamlDocument | readonly ConfigError[] {
    const lines = new LineCounter();
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
    const found = [...document.errors, ...document.warnings];
    const firstBreak = found.findIndex(({ code }) => code !== 'DUPLICATE_KEY');
    const independent = firstBreak === -1 ? found : found.slice(0, firstBreak + 1);
    const parsed = new YamlDocument(file, document, lines);
    const { explicit, version } = document.directives.yaml;
    // Version 1.1 reads "no" as false, 010 as 8 and a date as a timestamp.
    if (explicit === true && version !== '1.2')
      return [
        parsed.problem('E_CONFIG_YAML', [], {
          expected: 'YAML 1.2, without a %YAML line',
          received: `YAML ${version}`,
        }),
      ];
    if (independent.length === 0) return parsed;
    const keys = parsed.#writtenKeys(lines);
    return independent.map((problem) => {
      const { line, col } = lines.linePos(problem.pos[0]);
      const here = keys.filter((key) => key.line === line);
      const at = here.findLast(({ offset }) => offset <= problem.pos[0]);
      const first = keys.find(({ name }) => name === at?.name);
      const { expected, received } = describeSyntaxProblem(problem, first);
      const key = at === undefined ? {} : { key: at.name };
      const location = { file, line, column: col, ...key };
      return new ConfigError('E_CONFIG_YAML', { location, expected, received });
    });
  }

  /** The keys of the text, in its order. */
  #writtenKeys(lines: LineCounter): readonly WrittenKey[] {
    const keys: WrittenKey[] = [];
    this.walk((path, node, isKey) => {
      const offset = isNode(node) ? node.range?.[0] : undefined;
      if (!isKey || offset === undefined) return;
      keys.push({ name: path.join('.'), offset, line: lines.linePos(offset).line });
    });
    return keys;
  }

  /** Makes a document from a program's object. `name` replaces the file name, and no value has a line. */
  static of(name: string, value: PlainValue): YamlDocument {
    return new YamlDocument(name, new Document(value, { aliasDuplicateObjects: false }));
  }

  /** Whether the file holds nothing but comments. */
  get isEmpty(): boolean {
    const root = this.#document.contents;
    return root === null || (isScalar(root) && root.value === null);
  }

  /**
   * Returns the document as plain values.
   *
   * @throws {ConfigError} `E_CONFIG_YAML` when there are too many aliases, or too many values behind them.
   */
  toValue(): unknown {
    if (this.#countAliases() > MOST_ALIASES) throw this.#aliasProblem('more aliases');
    try {
      return this.#document.toJS({ maxAliasCount: MOST_VALUES });
    } catch (error: unknown) {
      const unknown = this.#findAlias((alias) => alias.resolve(this.#document) === undefined);
      if (unknown !== undefined) {
        const expected = 'an alias of an anchor above it';
        throw this.problem('E_CONFIG_YAML', unknown.path, { expected, received: unknown.text });
      }
      throw this.#aliasProblem(error instanceof Error ? error.message : String(error));
    }
  }

  /** Counts the aliases, and stops above the limit. */
  #countAliases(): number {
    let count = 0;
    visit(this.#document, {
      Alias: () => {
        count += 1;
        return count > MOST_ALIASES ? visit.BREAK : undefined;
      },
    });
    return count;
  }

  #aliasProblem(received: string): ConfigError {
    return this.problem('E_CONFIG_YAML', this.#findAlias(() => true)?.path ?? [], {
      expected: `at most ${String(MOST_ALIASES)} aliases, expanding to at most ${String(MOST_VALUES)} values`,
      received,
    });
  }

  /** Puts a value over the one of the file. */
  override(override: Override): void {
    const parent = this.#nodeAt(override.path.slice(0, -1));
    const last = override.path.at(-1);
    if (last === undefined || !this.#canHold(override.path)) {
      throw new ConfigError('E_CONFIG_SET', {
        location: { file: override.origin, key: override.path.join('.') },
        expected: 'a path of keys and list positions that exists in the file',
        received: `"${override.path.join('.')}"`,
        ...(isSeq(parent)
          ? { suggestion: `positions are 0 to ${String(parent.items.length - 1)}` }
          : {}),
      });
    }
    this.#document.setIn(override.path, override.node);
    this.#overrides.push(override);
  }

  /** Returns the text with other values at some keys. The document itself does not change. */
  textWith(values: readonly { readonly path: KeyPath; readonly value: PlainValue }[]): string {
    const copy = this.#document.clone();
    for (const { path, value } of values) copy.setIn(path, value);
    return copy.toString();
  }

  /** Whether every existing step of the path is a mapping, or a list that has the position. */
  #canHold(path: readonly string[]): boolean {
    return path.every((key, depth) => {
      const holder = this.#nodeAt(path.slice(0, depth));
      if (isSeq(holder)) return /^\d+$/.test(key) && Number(key) < holder.items.length;
      return holder === undefined || isMap(holder) || (isScalar(holder) && holder.value === null);
    });
  }

  /** Finds the position of a key, or of the nearest existing key above it. */
  locate(path: KeyPath): ConfigLocation {
    const key = path.length === 0 ? {} : { key: path.join('.') };
    const overridden = this.#overrides.find((override) => isPrefix(override.path, path));
    const offset = this.#offsetOf(path);
    // A key without a position was created for an override.
    const origin = overridden ?? this.#overrides.find(({ path: below }) => isPrefix(path, below));
    if (origin !== undefined && (overridden !== undefined || offset === undefined)) {
      return { file: origin.origin, ...key };
    }
    if (this.#lines === undefined) return { file: this.#file, ...key };
    const { line, col } = this.#lines.linePos(offset ?? 0);
    return { file: this.#file, line, column: col, ...key };
  }

  /** Describes a value as it is written: `the number 0.10`, `"abc"`, `a list`, `nothing`. */
  describe(path: KeyPath): string {
    // A value in the venue block may be a secret that was pasted there by mistake.
    return describeNode(this.#nodeAt(path), { isSecret: path[0] === 'venue' });
  }

  /** The scalar or mapping at a path, as plain values. Undefined for anything else. */
  valueAt(path: KeyPath): unknown {
    const node = this.#nodeAt(path);
    if (isScalar(node)) return node.value;
    return isMap(node)
      ? Object.fromEntries(
          node.items.map(({ key, value }) => [
            String(isScalar(key) ? key.value : key),
            isScalar(value) ? value.value : value,
          ]),
        )
      : undefined;
  }

  problem(
    code: ErrorCode,
    path: KeyPath,
    details: {
      readonly expected: string;
      readonly received?: string | undefined;
      readonly suggestion?: string | undefined;
    },
  ): ConfigError {
    return new ConfigError(code, {
      location: this.locate(path),
      expected: details.expected,
      received: details.received ?? this.describe(path),
      ...(details.suggestion === undefined ? {} : { suggestion: details.suggestion }),
    });
  }

  /** Calls back with every scalar and every key of the document. */
  walk(visitor: (path: KeyPath, node: unknown, isKey: boolean) => void): void {
    const step = (node: unknown, path: KeyPath): void => {
      if (isMap(node)) {
        for (const pair of node.items) {
          const key = [...path, keyText(pair)];
          visitor(key, pair.key, true);
          step(pair.value, key);
        }
      } else if (isSeq(node)) {
        node.items.forEach((item, index) => {
          step(item, [...path, index]);
        });
      } else if (isScalar(node)) visitor(path, node, false);
    };
    step(this.#document.contents, []);
  }

  #resolve(node: unknown): Node | undefined {
    if (isAlias(node)) return node.resolve(this.#document);
    return isNode(node) ? node : undefined;
  }

  #nodeAt(path: KeyPath): Node | undefined {
    let node = this.#resolve(this.#document.contents);
    for (const key of path) node = this.#resolve(childOf(node, key)?.value);
    return node;
  }

  /** Offset of a key, or of the nearest existing key above it. Undefined if that key is not from the file. */
  #offsetOf(path: KeyPath): number | undefined {
    let node = this.#resolve(this.#document.contents);
    let offset: number | undefined = node?.range?.[0] ?? 0;
    for (const key of path) {
      const child = childOf(node, key);
      if (child === undefined) break;
      offset = child.position;
      node = this.#resolve(child.value);
    }
    return offset;
  }

  /** The first alias that is meant, with the path of the nearest key above it. */
  #findAlias(
    isMeant: (alias: Alias) => boolean,
  ): { readonly path: KeyPath; readonly text: string } | undefined {
    let found: { readonly path: KeyPath; readonly text: string } | undefined;
    visit(this.#document, {
      Alias: (_key, alias, ancestors) => {
        if (!isMeant(alias)) return undefined;
        const path = ancestors.filter((ancestor) => isPair(ancestor)).map((pair) => keyText(pair));
        found = { path, text: `*${alias.source}` };
        return visit.BREAK;
      },
    });
    return found;
  }
}
