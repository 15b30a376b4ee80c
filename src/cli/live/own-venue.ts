import path from 'node:path';
import type { Credentials } from '../../client/index.js';
import type { LoadedConfig } from '../../config/index.js';
import type { BotSetup } from '../../bots/index.js';
import { pluginCache } from '../bot/plugin-cache.js';
import type { CliContext } from '../cli-context.js';

/**
 * Loads the function that opens the custom venue of a bot's file; undefined if the file names none.
 *
 * @throws {ConfigError} as `loadVenueModule`.
 */
export async function loadOwnVenue(
  { config, document }: LoadedConfig,
  credentials: Credentials | undefined,
  context: Pick<CliContext, 'cwd' | 'env'>,
): Promise<BotSetup['openVenue']> {
  const { venue } = config;
  if (venue?.path === undefined) return undefined;
  const [{ loadVenueModule }, run] = await Promise.all([
    import('../../assembly/index.js'),
    import('../../run/index.js'),
  ]);
  const open = await loadVenueModule(venue.path, venue, {
    locate: (key) => document.locate(['venue', key]),
    describeFile: (absolute) => path.relative(context.cwd, absolute),
    cacheFolder: await pluginCache(context),
    run,
  });
  const { options } = venue;
  return () =>
    open({ key: credentials?.key.reveal(), secret: credentials?.secret.reveal(), options });
}
