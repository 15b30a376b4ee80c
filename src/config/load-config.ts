import path from 'node:path';
import { isScalar } from 'yaml';
import { ConfigError } from '../domain/index.js';
import { botSchema, type BotConfig } from './schemas/bot-schema.js';
import { collectProblems, describeProblem } from './problems/collect-problems.js';
import { combineProblems } from './problems/combine-problems.js';
import { giveKeys, type GivenKey } from './given-keys.js';
import { copyPlainValue } from './yaml/plain-value.js';
import { parseOverrides, type OverrideOptions } from './yaml/overrides.js';
import { readConfigFile } from './yaml/read-config-file.js';
import { resolveReferences } from './schemas/reference.js';
import { YamlDocument } from './yaml/yaml-document.js';

interface LoadConfigOptions extends OverrideOptions {
  /** Path as the user wrote it, for messages. */
  readonly file: string;
  /** Absolute folder that `file` is relative to. */
  readonly cwd: string;
}

/** A parsed bot, and the document it came from, for errors found later. */
export interface LoadedConfig {
  readonly config: BotConfig;
  readonly document: YamlDocument;
}

/**
 * Reads a bot's YAML file. Relative paths in it are relative to the file.
 *
 * @throws {ConfigError} for one problem, AggregateError of them for several. No problem is ignored.
 */
export async function loadConfig(options: LoadConfigOptions): Promise<LoadedConfig> {
  const file = path.resolve(options.cwd, options.file);
  const document = parseText(options.file, await readConfigFile(file, options.file));
  for (const override of parseOverrides(options)) document.override(override);
  return parseConfig(document, path.dirname(file));
}

interface ReadConfigOptions {
  /** Name in messages, instead of a file. */
  readonly name: string;
  /** Absolute folder that relative paths are relative to. */
  readonly directory: string;
  /** Keys whose values a program supplies as objects. The configuration must not have them itself. */
  readonly given?: readonly GivenKey[] | undefined;
}

/**
 * Reads a bot's configuration from an object with the shape of its YAML file, with the same checks.
 *
 * @throws as {@link loadConfig}, and {ConfigError} `E_CONFIG_TYPE` for a value that no YAML file can hold, `E_CONFIG_DUPLICATE` for a key that is
 * also in `given`.
 */
export function readConfig(value: unknown, options: ReadConfigOptions): LoadedConfig {
  const { name, directory, given = [] } = options;
  const plain = giveKeys(copyPlainValue(value, name), given, name);
  return parseConfig(YamlDocument.of(name, plain), directory);
}

function parseConfig(document: YamlDocument, directory: string): LoadedConfig {
  const unfaithful = findUnfaithfulScalars(document);
  const parsed = botSchema.safeParse(document.toValue());
  if (!parsed.success) {
    throw combineProblems([...collectProblems(parsed.error.issues, document), ...unfaithful]);
  }
  if (unfaithful.length > 0) throw combineProblems(unfaithful);
  const problems: ConfigError[] = [];
  const { name, instruments, simulation } = parsed.data;
  const config = resolveReferences(parsed.data, {
    directory,
    name,
    instruments,
    startingBalances: simulation?.balances,
    problem: (place, expected, details) => {
      problems.push(describeProblem(place, expected, details, document));
    },
  });
  if (problems.length > 0) throw combineProblems(problems);
  return { config, document };
}

/** Parses a file's text as a mapping. @throws {ConfigError} `E_CONFIG_YAML`, `E_CONFIG_EMPTY`, or AggregateError of several. */
export function parseText(name: string, text: string, what = 'a bot'): YamlDocument {
  const document = YamlDocument.parse(name, text);
  if (!(document instanceof YamlDocument)) throw combineProblems(document);
  if (document.isEmpty) {
    throw new ConfigError('E_CONFIG_EMPTY', {
      location: { file: name },
      expected: `a YAML mapping that describes ${what}`,
      received: 'an empty file',
    });
  }
  return document;
}

/**
 * Finds numbers that lose digits when read as float64.
 *
 * @throws {ConfigError} `E_CONFIG_KEY` or `E_CONFIG_TYPE`, or AggregateError of several, for keys that are not plain text and for values of types
 * that only YAML has, such as timestamps: what they would become is not what was written.
 */
export function findUnfaithfulScalars(document: YamlDocument): readonly ConfigError[] {
  const problems: ConfigError[] = [];
  const foreign: ConfigError[] = [];
  document.walk((place, node, isKey) => {
    if (isKey) {
      // Keys made by an override are bare text.
      const key = isScalar(node) ? node.value : node;
      if ((typeof key === 'string' && key !== '__proto__') || typeof key === 'number') return;
      foreign.push(
        document.problem('E_CONFIG_KEY', place, {
          expected: 'a key of plain text',
          received: JSON.stringify(place.at(-1)),
        }),
      );
    } else if (isScalar(node) && typeof node.value === 'object' && node.value !== null) {
      foreign.push(
        document.problem('E_CONFIG_TYPE', place, {
          expected: 'text, a number, true or false',
          received: `${node.source ?? ''} as the YAML type ${node.tag ?? 'of this text'}`,
          suggestion: 'write it without the type, or in quotes',
        }),
      );
    } else if (isScalar(node) && losesDigits(node.value, node.source)) {
      problems.push(
        document.problem('E_CONFIG_DIGITS', place, {
          expected: 'a number without loss of digits',
          received: `${node.source ?? ''}, which is read as ${String(node.value)}`,
        }),
      );
    }
  });
  if (foreign.length > 0) throw combineProblems(foreign);
  return problems;
}

function losesDigits(value: unknown, source: string | undefined): boolean {
  if (typeof value !== 'number' || source === undefined) return false;
  const written = significantDigits(source);
  return written !== undefined && written !== significantDigits(String(value));
}

/** Digits and decimal exponent without the zeros around them, so that 1.50, 15e-1 and 1.5 are the same. */
function significantDigits(text: string): string | undefined {
  const match = /^[+-]?(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text);
  if (!match) return undefined;
  const fraction = match[2] ?? '';
  const digits = `${match[1] ?? ''}${fraction}`.replace(/^0+/, '');
  const trimmed = digits.replace(/0+$/, '');
  if (trimmed === '') return '0';
  const exponent = Number(match[3] ?? '0') - fraction.length + digits.length - trimmed.length;
  return `${trimmed}e${String(exponent)}`;
}
