import { existsSync } from 'node:fs';
import { openRunArchive } from '../../archive/index.js';
import { ConfigError } from '../../domain/index.js';
import { openJournal } from '../../journal/index.js';
import { patiently, type LiveBot } from '../../live/index.js';
import type { SessionConfig } from '../../config/index.js';
import { readTerms, type MarketTerms } from '../market/load-terms.js';
import type { BotParts } from './begin-engine.js';
import type { BotInputs } from './bot-inputs.js';
import { startPatience } from './start-patience.js';
import { clockHostOf } from './live-connection.js';
import { findRuleDifferences } from './verify-rules.js';

/**
 * Gathers what a bot is made of, sees that the venue's rules are those it was tested with, and has it made. Its journal is closed again
 * where that fails. A bot that holds something is made although the rules have changed: it has to be guarded, and enters nothing until its owner has
 * seen the change.
 *
 * @throws {ConfigError} `E_CONFIG_RULES`; {JournalError} as `openJournal`; errors of the archive, of the venue, and of `make`.
 */
export async function prepareBot(
  inputs: BotInputs,
  make: (parts: BotParts) => Promise<LiveBot>,
): Promise<LiveBot> {
  const { config, connection, journal: file, mode } = inputs;
  const patience = startPatience(inputs);
  const archive = openRunArchive(config.simulation.archive);
  const terms = await readTerms(config, archive);
  const controller = new AbortController();
  const { signal } = controller;
  inputs.signal?.addEventListener('abort', () => {
    controller.abort(inputs.signal?.reason);
  });
  inputs.signal?.throwIfAborted();
  await patiently(() => connection.client.serverTime(clockHostOf(config), signal), patience);
  // What is held is guarded by whatever rules.
  const differences =
    inputs.guardOf === undefined
      ? await patiently(() => findDifferences(inputs, terms, signal), patience)
      : [];
  if (differences.length > 0 && !existsSync(file)) throw otherRules(config, differences);
  const journal = await openJournal({ file, isVenuePolled: mode === 'live' });
  try {
    const bot = await make({ archive, terms, journal, controller, patience });
    const { workingOrders, portfolio } = bot.engine;
    if (differences.length === 0 || workingOrders.length > 0 || portfolio.isExposed) return bot;
    throw otherRules(config, differences);
  } catch (error: unknown) {
    journal.close();
    throw error;
  }
}

function findDifferences(
  { config, connection: { venue, time } }: BotInputs,
  terms: MarketTerms,
  signal: AbortSignal,
): Promise<readonly string[]> {
  return findRuleDifferences(config, terms, { source: venue.market, now: time.now(), signal });
}

function otherRules(config: SessionConfig, differences: readonly string[]): ConfigError {
  return new ConfigError('E_CONFIG_RULES', {
    location: { file: config.name, key: 'simulation.rules' },
    expected: "the venue's rules as they are now",
    received: differences.join('; '),
    suggestion: 'bring them up to date and test again',
  });
}
