import path from 'node:path';
import { journalFile } from '../../../assembly/index.js';
import { loadConfig } from '../../../config/index.js';
import type { CliContext } from '../../cli-context.js';
import { loadOwnVenue } from '../own-venue.js';
import { type GuardSetup, loadCredentials, requireSession } from '../../../bots/index.js';

/** The setup of a bot in its guard process: without plugin and log. */
export type Guarded = Omit<GuardSetup, 'log' | 'goneForMs'>;

/**
 * Reads the files of the bots of a process, without their plugins: an error in a strategy must not leave its positions without a guard.
 *
 * @throws {ConfigError} or AggregateError for the problems of a file.
 */
export function loadGuarded(
  files: readonly string[],
  set: readonly string[],
  context: CliContext,
): Promise<readonly Guarded[]> {
  return Promise.all(
    files.map(async (file) => {
      const loaded = await loadConfig({ file, cwd: context.cwd, set });
      const config = requireSession(loaded, 'live');
      const credentials = await loadCredentials(config.venue, context);
      return {
        config,
        mode: 'live' as const,
        journal: journalFile(config, 'live'),
        source: { configFile: path.resolve(context.cwd, file), set },
        credentials,
        openVenue: await loadOwnVenue(loaded, credentials, context),
      };
    }),
  );
}
