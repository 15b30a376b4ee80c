import type { z } from 'zod';
import {
  suggestWord,
  type ConfigError,
  type DatedRules,
  type DatedTiers,
  type EpochMs,
} from '../domain/index.js';
import { collectProblems } from './problems/collect-problems.js';
import { combineProblems } from './problems/combine-problems.js';
import { datedTiersSchema } from './schemas/derivative-schema.js';
import type { KeyPath } from './yaml/key-path.js';
import { findMisspelling, knownKeys, suggestKey } from './problems/known-keys.js';
import { isMapping, utcTime } from './schemas/scalars.js';
import { rulesSchema } from './schemas/trading-terms.js';
import { YamlDocument } from './yaml/yaml-document.js';

/** A file in our own layout: symbols, each with its records. The records have the same keys as in a bot's file. */
export interface RecordLayout {
  /** File as the user wrote it, for messages. */
  readonly file: string;
  readonly text: string;
  readonly symbol: string;
  /** The instant from which a record without `from` applies. */
  readonly from: EpochMs;
}

const datedRulesSchema = rulesSchema.extend({ from: utcTime().optional() });

/**
 * Reads the rules of one symbol.
 *
 * @example `BTCUSDT: [{ from: 2024-07-01, pricePrecision: 2, quantityPrecision: 5, minOrderMoney: "5" }]`; a single record needs no list
 * @throws {ConfigError} naming line and key, or AggregateError of several.
 */
export function parseRulesLayout(layout: RecordLayout): readonly DatedRules[] {
  return parseLayout(layout, datedRulesSchema, ['simulation', 'rules', 'SYMBOL'], (written) => {
    const { from, ...rules } = written;
    return { from: from ?? layout.from, rules };
  });
}

/**
 * Reads the leverage tiers of one contract.
 *
 * @example `E-BTC-USDT: [{ from: 2024-07-01, tiers: [{ maxValue: "50000", maxLeverage: 125, keepRate: "0.004" }, { maxLeverage: 20, keepRate: "0.05" }] }]`
 * @throws {ConfigError} as {@link parseRulesLayout}.
 */
export function parseTiersLayout(layout: RecordLayout): readonly DatedTiers[] {
  const place = ['simulation', 'futures', 'tiers', 'SYMBOL', 0];
  return parseLayout(layout, datedTiersSchema, place, ({ from, tiers }) => ({
    from: from ?? layout.from,
    tiers,
  }));
}

function parseLayout<Schema extends z.ZodType, T>(
  { file, text, symbol }: RecordLayout,
  schema: Schema,
  configPlace: KeyPath,
  build: (written: z.output<Schema>) => T,
): readonly T[] {
  const document = YamlDocument.parse(file, text);
  if (!(document instanceof YamlDocument)) throw combineProblems(document);
  const value = valueOf(document, symbol);
  const records: readonly unknown[] = Array.isArray(value) ? value : [value];
  const problems: ConfigError[] = [];
  const entries: T[] = [];
  for (const [index, record] of records.entries()) {
    const place = Array.isArray(value) ? [symbol, index] : [symbol];
    const parsed = schema.safeParse(record);
    if (parsed.success) entries.push(build(parsed.data));
    else problems.push(...describeIssues(parsed.error.issues, { document, place, configPlace }));
  }
  if (problems.length > 0) throw combineProblems(problems);
  if (entries.length > 0) return entries;
  throw document.problem('E_CONFIG_MISSING', [symbol], { expected: 'at least one record' });
}

function valueOf(document: YamlDocument, symbol: string): unknown {
  const value = document.toValue();
  if (!isMapping(value)) {
    throw document.problem('E_CONFIG_TYPE', [], {
      expected: 'a mapping of symbols to records, or a layout of exchanges',
    });
  }
  const symbols = new Map<string, unknown>(Object.entries(value));
  if (symbols.has(symbol)) return symbols.get(symbol);
  const alike = suggestWord(symbol, [...symbols.keys()]);
  throw document.problem('E_CONFIG_MISSING', [symbol], {
    expected: `the records of ${symbol}`,
    received: 'nothing',
    suggestion: alike === undefined ? undefined : `did you mean "${alike}"?`,
  });
}

interface IssuePlace {
  readonly document: YamlDocument;
  /** Path of the record in the file. */
  readonly place: KeyPath;
  /** Path of a record with the same keys in a bot's file. */
  readonly configPlace: KeyPath;
}

/** Whether a key is missing because its name is misspelled, which is a problem of its own. */
function isMisspelled(path: KeyPath, { document, place, configPlace }: IssuePlace): boolean {
  const [parent, key] = [path.slice(0, -1), path.at(-1)];
  const written = document.valueAt([...place, ...parent]);
  if (typeof key !== 'string' || typeof written !== 'object' || written === null) return false;
  if (Object.hasOwn(written, key)) return false;
  const names = Object.keys(written);
  return findMisspelling([...configPlace, ...parent], { key, written: names }) !== undefined;
}

function describeIssues(
  issues: readonly z.core.$ZodIssue[],
  { document, place, configPlace }: IssuePlace,
): readonly ConfigError[] {
  return issues.flatMap((issue) => {
    const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
    if (issue.code !== 'unrecognized_keys') {
      if (isMisspelled(path, { document, place, configPlace })) return [];
      return collectProblems([{ ...issue, path: [...place, ...path] }], document);
    }
    const undated = knownKeys([...configPlace, ...path]);
    const isRecord = path.length === 0 && !undated.includes('from');
    const known = isRecord ? ['from', ...undated] : undated;
    return issue.keys.map((key) =>
      document.problem('E_CONFIG_KEY', [...place, ...path, key], {
        expected: `one of ${known.join(', ')}`,
        received: JSON.stringify(key),
        suggestion: suggestKey([...configPlace, ...path], key),
      }),
    );
  });
}
