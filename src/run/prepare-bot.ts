import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openRunArchive } from '../archive/index.js';
import {
  checkBot,
  checkStrategy,
  journalFile,
  requireSimulation,
  resolveFile,
} from '../assembly/backtest/index.js';
import type { BotSetup } from '../bots/index.js';
import { combineProblems, readConfig, type GivenKey, type LoadedConfig } from '../config/index.js';
import { UsageError } from '../domain/index.js';
import type { RunBotOptions } from './run-bot-options.js';
import { findStrategy } from './run-strategy.js';

/** A checked bot that is ready to start. */
export interface PreparedBot {
  readonly setup: Omit<BotSetup, 'log'>;
  /** Removes the folder of a temporary journal. A kept journal stays. */
  readonly clear: () => Promise<void>;
}

/** The origin of the bot, as the epochs of its journal record it. */
const PROGRAM = 'a program';

/**
 * Reads and checks everything about a bot before anything is sent.
 *
 * @throws as `runBot`.
 */
export async function readPreparedBot(options: RunBotOptions): Promise<PreparedBot> {
  const { mode, strategy: strategyClass, strategyFile, env = {} } = options;
  if (mode === 'live' && options.journal === 'temporary')
    throw new UsageError(
      'E_USAGE',
      "journal: expected 'kept' for a live bot, which needs it to find its orders after a crash, received 'temporary'",
    );
  const { checkBudgets, loadCredentials, readVenueProfile, requireSession } =
    await import('../bots/index.js');
  const directory = path.resolve(options.directory ?? '.');
  if (strategyClass !== undefined) checkStrategy(strategyClass);
  const file = strategyFile === undefined ? undefined : resolveFile(strategyFile, directory);
  const given = givenKeys(options, file);
  const loaded = readConfig(options.config, { name: 'config', directory, given });
  const { document } = loaded;
  const simulated = requireSimulation(loaded);
  const config = requireSession(loaded, mode);
  refuseGuard(loaded, options);
  // Before a plugin runs, so that no output of the plugin can show the credentials.
  const credentials = mode === 'live' ? await loadCredentials(config.venue, { env }) : undefined;
  const { findings, ...plugin } = await findStrategy(
    strategyClass && { strategy: strategyClass, file },
    loaded,
    directory,
  );
  const archive = openRunArchive(config.simulation.archive);
  await checkBot({ config: simulated, document, strategyClass: plugin.strategyClass }, archive);
  const { problems } = checkBudgets([{ config: simulated, document }], mode);
  if (problems.length > 0) throw combineProblems(problems);
  const kept = journalFile(config, mode);
  const folder = options.journal === 'temporary' ? await mkdtemp(TEMPORARY) : undefined;
  return {
    setup: {
      config,
      mode,
      bot: { plugin, scan: { findings } },
      journal: folder === undefined ? kept : path.join(folder, path.basename(kept)),
      source: { configFile: PROGRAM, set: [] },
      credentials,
      profile: await readVenueProfile(config),
    },
    clear: async () => {
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

const TEMPORARY = path.join(tmpdir(), 'evenkeel-bot-');

function givenKeys(
  { strategy, venue }: RunBotOptions,
  strategyFile: string | undefined,
): readonly GivenKey[] {
  return [
    ...(strategy === undefined
      ? []
      : [{ block: 'strategy', key: 'path', value: strategyFile ?? 'strategy', by: 'a class' }]),
    ...(venue === undefined
      ? []
      : [{ block: 'venue', key: 'path', value: 'venue', by: 'a venue passed as option' }]),
  ];
}

/** A bot in a program cannot have a guard process: if this process dies, nothing else would notice that its stops are no longer watched. */
function refuseGuard({ config, document }: LoadedConfig, { mode, venue }: RunBotOptions): void {
  const { live, venue: named } = config;
  if (venue === undefined && named?.path !== undefined)
    throw document.problem('E_CONFIG_VALUE', ['venue', 'path'], {
      expected: 'nothing: a program opens its venue itself and passes it as venue',
      received: 'the module of a venue',
    });
  if (mode === 'paper' || live.guard === 'off') return;
  throw document.problem('E_CONFIG_VALUE', ['live', 'guard'], {
    expected:
      'off: a guard process reads the file and venue module of a bot, but this bot runs in a program; to guard a bot, run it with "evenkeel live" and venue.path',
    received: 'on',
  });
}
