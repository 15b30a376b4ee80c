import { openArchive } from '../../archive/index.js';
import { ConfigError } from '../../domain/index.js';
import { openJournal } from '../../journal/index.js';
import { patiently, type LiveBot } from '../../live/index.js';
import type { SessionConfig } from '../../config/index.js';
import { readTerms, type MarketTerms } from '../market/load-terms.js';
import type { BotParts } from './begin-engine.js';
import type { BotInputs } from './bot-inputs.js';
import { startPatience } from './start-patience.js';
import { clockHostOf, type LiveConnection } from './live-connection.js';
import { findRuleDifferences } from './verify-rules.js';

/**
 * Gathers what a bot is made of, sees that the venue's rules are those it was tested with, and has it made. Its journal is closed again
 * where that fails.
 *
 * @throws {ConfigError} `E_CONFIG_RULES`; {JournalError} as `openJournal`; errors of the archive, of the venue, and of `make`.
 */
export async function prepareBot(
  inputs: BotInputs,
  make: (parts: BotParts) => Promise<LiveBot>,
): Promise<LiveBot> {
  const { config, connection, journal: file, mode } = inputs;
  const patience = startPatience(inputs);
  const archive = openArchive(config.simulation.archive);
  const terms = await readTerms(config, archive);
  const controller = new AbortController();
  const { signal } = controller;
  inputs.signal?.addEventListener('abort', () => {
    controller.abort(inputs.signal?.reason);
  });
  inputs.signal?.throwIfAborted();
  await patiently(() => connection.client.serverTime(clockHostOf(config), signal), patience);
  // What is held is guarded by whatever rules.
  if (inputs.guardOf === undefined)
    await patiently(() => verifyRules(config, terms, connection, signal), patience);
  const journal = await openJournal({ file, isVenuePolled: mode === 'live' });
  try {
    return await make({ archive, terms, journal, controller, patience });
  } catch (error: unknown) {
    journal.close();
    throw error;
  }
}

async function verifyRules(
  config: SessionConfig,
  terms: MarketTerms,
  { venue, time }: LiveConnection,
  signal: AbortSignal,
): Promise<void> {
  const differences = await findRuleDifferences(config, terms, {
    source: venue.market,
    now: time.now(),
    signal,
  });
  if (differences.length === 0) return;
  throw new ConfigError('E_CONFIG_RULES', {
    location: { file: config.name, key: 'simulation.rules' },
    expected: "the venue's rules as they are now",
    received: differences.join('; '),
    suggestion: 'bring them up to date and test again',
  });
}
