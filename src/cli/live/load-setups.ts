import path from 'node:path';
import { journalFile } from '../../assembly/index.js';
import type { Credentials } from '../../client/index.js';
import { combineProblems, type KeyPath } from '../../config/index.js';
import { ConfigError } from '../../domain/index.js';
import type { BotStatus } from '../../live/index.js';
import { loadBot, type LoadedBot } from '../bot/load-bot.js';
import type { CliContext } from '../cli-context.js';
import {
  claimedOf,
  type BotSetup,
  checkBudgets,
  loadCredentials,
  readVenueProfile,
  requireSession,
} from '../../bots/index.js';
import type { LiveFlags } from './live-flags.js';
import { loadOwnVenue } from './own-venue.js';

/** The setup of a bot that is to run, without its log. */
export type UnloggedSetup = Omit<BotSetup, 'log' | 'bot'> & { readonly bot: LoadedBot };

/**
 * Reads the files of all bots, with their plugins and keys, and checks that they can run beside each other. Nothing is sent to a venue.
 *
 * @throws {ConfigError} or AggregateError with the problems of all files.
 */
export async function loadSetups(
  files: readonly string[],
  { mode, flags }: { readonly mode: BotStatus['mode']; readonly flags: LiveFlags },
  context: CliContext,
): Promise<readonly UnloggedSetup[]> {
  const results = await Promise.allSettled(
    files.map((file) => loadSetup(file, { mode, flags }, context)),
  );
  const problems: ConfigError[] = [];
  for (const result of results) {
    if (result.status === 'rejected') problems.push(...problemsOf(result.reason));
  }
  const setups = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  problems.push(...findClashes(setups));
  const bots = setups.map(({ bot }) => bot);
  problems.push(...checkBudgets(bots, mode).problems);
  if (problems.length > 0) throw combineProblems(problems);
  return setups;
}

function problemsOf(reason: unknown): readonly ConfigError[] {
  const all = reason instanceof AggregateError ? (reason.errors as readonly unknown[]) : [reason];
  return all.map((error) => {
    if (error instanceof ConfigError) return error;
    throw reason;
  });
}

/** Reads the file of one bot. @throws {ConfigError} or AggregateError of them. */
export async function loadSetup(
  file: string,
  { mode, flags }: { readonly mode: BotStatus['mode']; readonly flags: LiveFlags },
  context: CliContext,
): Promise<UnloggedSetup> {
  const set = flags.set ?? [];
  let reading: Promise<Credentials | undefined> | undefined;
  const bot = await loadBot(file, context, {
    set,
    // Read the keys before the plugin runs, so that they are masked in everything that it writes. Paper sends nothing that needs a key, so it does
    // not read one.
    beforePlugin: async ({ venue }) => {
      if (mode !== 'live' || venue === undefined) return;
      reading = loadCredentials(venue, context);
      // Problems of the file are reported before those of the keys.
      await reading.catch(() => undefined);
    },
  });
  const config = requireSession(bot, mode);
  const credentials = await reading;
  return {
    config,
    bot,
    mode,
    journal: journalFile(config, flags.dryRun === true ? 'dry-run' : mode),
    source: { configFile: path.resolve(context.cwd, file), set },
    credentials,
    openVenue: await loadOwnVenue(bot, credentials, context),
    profile: await readVenueProfile(config),
  };
}

/** Bots of one process must not share a name, a journal, or, on the same key, a contract. */
function findClashes(setups: readonly UnloggedSetup[]): readonly ConfigError[] {
  const owners = new Map<string, LoadedBot>();
  const problems: ConfigError[] = [];
  const claim = (what: string, bot: LoadedBot, place: KeyPath, expected: string): void => {
    const owner = owners.get(what);
    if (owner === undefined) owners.set(what, bot);
    else {
      const received = `that of the bot ${owner.config.name}`;
      problems.push(bot.document.problem('E_CONFIG_DUPLICATE', place, { expected, received }));
    }
  };
  for (const { bot, journal, credentials, mode } of setups) {
    const { name, instruments } = bot.config;
    const claimed = new Map(
      [...claimedOf(bot.config)].map(([what, { instrumentId }]) => [instrumentId, what]),
    );
    claim(`name ${name}`, bot, ['name'], 'a name that no other bot has');
    claim(`journal ${journal}`, bot, ['live', 'journal'], 'a journal that no other bot has');
    if (mode === 'paper') continue;
    for (const [index, { instrumentId }] of instruments.entries()) {
      const what = claimed.get(instrumentId);
      if (what === undefined) continue;
      const place = ['instruments', index, 'symbol'];
      claim(
        contractOf(credentials, what),
        bot,
        place,
        'an instrument that no other bot on this key trades',
      );
    }
  }
  return problems;
}

function contractOf(credentials: Credentials | undefined, claimed: string): string {
  return `contract ${claimed} of ${credentials?.key.reveal() ?? ''}`;
}
