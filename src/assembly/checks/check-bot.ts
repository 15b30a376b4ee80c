import type { Archive } from '../../archive/index.js';
import { combineProblems, type BacktestConfig, type YamlDocument } from '../../config/index.js';
import {
  ConfigError,
  DataError,
  suggestWord,
  type DatedRules,
  type InstrumentId,
  type RuleBook,
} from '../../domain/index.js';
import { parseParameters, STRATEGY, type StrategyClass } from '../../strategy/index.js';
import { createRuleBook } from '../market/create-instruments.js';
import { resolveParameters } from '../plugins/resolve-parameters.js';
import { locateError } from './locate-error.js';

/** A bot's configuration with its document, and its strategy. */
interface CheckedBot {
  readonly config: BacktestConfig;
  readonly document: YamlDocument;
  readonly strategyClass: StrategyClass;
}

type StoredRules = ReadonlyMap<InstrumentId, readonly DatedRules[]>;

/**
 * Checks that a configuration, its strategy and the stored rules fit, and returns the venue's rules: stored ones, otherwise those of the configuration.
 *
 * @throws {ConfigError} or AggregateError of them: `E_CONFIG_PARAMETER`, `E_CONFIG_REQUIREMENTS`, `E_CONFIG_RULES`; {DataError} for an archive that is
 * damaged.
 */
export async function checkBot(bot: CheckedBot, archive: Archive): Promise<RuleBook> {
  const stored = await readStoredRules(bot.config, archive);
  const problems = [...findWrongParameters(bot), ...findMisfits(bot, stored)];
  if (problems.length > 0) throw combineProblems(problems);
  return createRuleBook(bot.config, stored);
}

/** Finds every wrong parameter, with a suggestion for unknown names. */
function findWrongParameters({
  config,
  document,
  strategyClass,
}: CheckedBot): readonly ConfigError[] {
  const declared = strategyClass[STRATEGY].parameters;
  const parsed = parseParameters(declared, config.strategy.parameters);
  if (parsed.ok) return [];
  return parsed.problems.map(({ name, expected, received, unknown }) => {
    const similar = unknown ? suggestWord(name, Object.keys(declared)) : undefined;
    return document.problem('E_CONFIG_PARAMETER', ['strategy', 'parameters', name], {
      expected,
      received,
      suggestion: similar === undefined ? undefined : `did you mean "${similar}"?`,
    });
  });
}

/** Finds unmet requirements of the strategy, and instruments without rules. */
function findMisfits(
  { config, document, strategyClass }: CheckedBot,
  stored: StoredRules,
): readonly ConfigError[] {
  const checks = [
    () => resolveParameters(config, strategyClass),
    // One by one, so that the errors name every instrument without rules.
    ...config.instruments.map(
      (instrument) => () => createRuleBook({ ...config, instruments: [instrument] }, stored),
    ),
  ];
  return checks.flatMap((check) => {
    try {
      check();
      return [];
    } catch (error: unknown) {
      const located = locateError(error, document);
      if (!(located instanceof ConfigError)) throw located;
      return [located];
    }
  });
}

/** Reads the rules in the archive. A missing archive is reported later, by the search for its candles. */
async function readStoredRules(
  { instruments }: BacktestConfig,
  archive: Archive,
): Promise<StoredRules> {
  const stored = new Map<InstrumentId, readonly DatedRules[]>();
  for (const { instrumentId } of instruments) {
    try {
      stored.set(instrumentId, await archive.rules(instrumentId));
    } catch (error: unknown) {
      if (!(error instanceof DataError) || error.code !== 'E_DATA_ARCHIVE') throw error;
    }
  }
  return stored;
}
