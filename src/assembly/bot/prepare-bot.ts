import { existsSync } from 'node:fs';
import { openRunArchive } from '../../archive/index.js';
import type { SessionConfig } from '../../config/index.js';
import { ConfigError, mayPass } from '../../domain/index.js';
import { keepLostCommits, openJournal } from '../../journal/index.js';
import {
  findGone,
  GoneInstruments,
  patiently,
  readListings,
  type LiveBot,
  type PatienceOptions,
} from '../../live/index.js';
import { readTerms, type MarketTerms } from '../market/load-terms.js';
import type { BotParts } from './begin-engine.js';
import type { BotInputs } from './bot-inputs.js';
import { onAbort } from './on-abort.js';
import { startPatience, whenLetGo } from './start-patience.js';
import {
  compareListings,
  namedInstruments,
  type ListingDifference,
  type ListingDifferences,
} from './terms/verify-rules.js';

/**
 * Collects the parts of a bot, checks that the venue's rules are those of its tests, and makes it. If that fails, its journal is closed again. A bot with
 * a position is made although the rules have changed: it must be guarded, and makes no entry until its owner has seen the change. A bot that has run
 * before is made although instruments are not listed or not tradable: it trades the others.
 *
 * @throws {ConfigError} `E_CONFIG_RULES`; {JournalError} as `openJournal`; errors of the archive, of the venue, and of `make`.
 */
export async function prepareBot(
  inputs: BotInputs,
  make: (parts: BotParts) => Promise<LiveBot>,
): Promise<LiveBot> {
  const controller = new AbortController();
  // Only while it is prepared: after that, its control stops it.
  const unhear = onAbort(inputs.signal, () => {
    controller.abort(inputs.signal?.reason);
  });
  try {
    return await prepare(inputs, controller, make);
  } finally {
    unhear();
  }
}

async function prepare(
  inputs: BotInputs,
  controller: AbortController,
  make: (parts: BotParts) => Promise<LiveBot>,
): Promise<LiveBot> {
  const { config, connection, journal: file } = inputs;
  const patience = startPatience(inputs);
  const archive = openRunArchive(config.simulation.archive);
  const terms = await readTerms(config, archive);
  const { signal } = controller;
  signal.throwIfAborted();
  await patiently(() => connection.clock.now(signal), patience);
  const { gone, closed, rules } = await lookAtListings(inputs, { terms, signal, patience });
  const hasRun = existsSync(file);
  const differences = hasRun ? rules : [...closed, ...rules];
  if (differences.length > 0 && !hasRun) throw otherRules(config, terms, differences);
  const lost = await keepLostCommits(file);
  if (lost !== undefined) {
    const text = `${lost}. The comparison with the venue finds what came of their orders`;
    inputs.log.warning({ time: connection.time.now(), code: 'E_JOURNAL_CORRUPT', text });
  }
  const journal = await whenLetGo(() => openJournal({ file }), inputs);
  try {
    const differing = new Map(rules.map(({ instrumentId, text }) => [instrumentId, text]));
    const parts = { archive, terms, journal, controller, patience, gone, differing };
    const bot = await make(parts);
    const { workingOrders, portfolio } = bot.engine;
    if (differences.length === 0 || workingOrders.length > 0 || portfolio.isExposed) return bot;
    throw otherRules(config, terms, differences);
  } catch (error: unknown) {
    journal.close();
    throw error;
  }
}

interface Looking {
  readonly terms: MarketTerms;
  readonly signal: AbortSignal;
  readonly patience: PatienceOptions;
}

/**
 * Finds differences to the venue's listings, and instruments that it no longer has. A guard looks only once and only for the latter: it guards under any
 * rules.
 */
async function lookAtListings(
  { config, connection: { venue, time }, guardOf }: BotInputs,
  { terms, signal, patience }: Looking,
): Promise<ListingDifferences & { readonly gone: GoneInstruments }> {
  const instruments = namedInstruments(config);
  const look = async () => {
    // All bots of the connection that begin now share one answer. Otherwise, if calls are scarce, the last bot would begin to guard only after the others have
    // read their accounts.
    const listed = await readListings(instruments, (product) =>
      venue.feed.readListings(product, { since: time.now(), signal }),
    );
    const gone = new GoneInstruments(await findGone(venue.market, instruments, { listed, signal }));
    return { gone, ...compareListings(config, terms, { listed, now: time.now() }) };
  };
  if (guardOf === undefined) return patiently(look, patience);
  try {
    return { ...(await look()), closed: [], rules: [] };
  } catch (error: unknown) {
    if (!mayPass(error)) throw error;
    return { gone: new GoneInstruments(), closed: [], rules: [] };
  }
}

/** Makes the error for changed rules. It names the source of the tested rules: the archive if it has rules, otherwise the file. */
function otherRules(
  config: SessionConfig,
  { stored }: Pick<MarketTerms, 'stored'>,
  differences: readonly ListingDifference[],
): ConfigError {
  const keys = differences.map(({ saidBy, instrumentId }) => {
    if (saidBy === 'instruments') return 'instruments';
    const isStored = (stored.get(instrumentId)?.rules.length ?? 0) > 0;
    return isStored ? 'simulation.archive' : 'simulation.rules';
  });
  const how = keys.includes('simulation.archive')
    ? 'update those of the archive (data record, or data import --kind rules)'
    : 'update them';
  return new ConfigError('E_CONFIG_RULES', {
    location: { file: config.name, key: [...new Set(keys)].join(', ') },
    expected: 'the current rules of the venue',
    received: differences.map(({ text }) => text).join('; '),
    suggestion: `${how} and test again`,
  });
}
