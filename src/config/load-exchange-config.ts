import path from 'node:path';
import { collectProblems } from './problems/collect-problems.js';
import { combineProblems } from './problems/combine-problems.js';
import { findUnfaithfulScalars, parseText } from './load-config.js';
import { readConfigFile } from './yaml/read-config-file.js';
import type { YamlDocument } from './yaml/yaml-document.js';
import {
  createExchangeJsonSchema,
  exchangeSchema,
  type ExchangeConfig,
} from './schemas/exchange-schema.js';

/** A parsed configuration, its document, and the folder that its paths are relative to. */
export interface LoadedExchangeConfig {
  readonly config: ExchangeConfig;
  /** Undefined if there is no file; then everything has its default. */
  readonly document: YamlDocument | undefined;
  readonly directory: string;
}

/**
 * Reads the YAML file of an exchange. Without a file, everything has its default.
 *
 * @throws {ConfigError} or AggregateError of them, as for a bot's file.
 */
export async function loadExchangeConfig(
  name: string | undefined,
  cwd: string,
): Promise<LoadedExchangeConfig> {
  if (name === undefined) {
    return { config: exchangeSchema.parse({}), document: undefined, directory: cwd };
  }
  const file = path.resolve(cwd, name);
  const document = parseText(name, await readConfigFile(file, name), 'an exchange');
  const unfaithful = findUnfaithfulScalars(document);
  const parsed = exchangeSchema.safeParse(document.toValue());
  const problems = parsed.success
    ? unfaithful
    : [
        ...collectProblems(parsed.error.issues, document, createExchangeJsonSchema()),
        ...unfaithful,
      ];
  if (problems.length > 0 || !parsed.success) throw combineProblems(problems);
  return { config: parsed.data, document, directory: path.dirname(file) };
}
