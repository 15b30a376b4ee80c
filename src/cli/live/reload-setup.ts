import { isDeepStrictEqual } from 'node:util';
import { UsageError } from '../../domain/index.js';
import type { BotStatus } from '../../live/index.js';
import type { CliContext } from '../cli-context.js';
import type { BotSetup } from '../../bots/index.js';
import { findObstacles } from './find-obstacles.js';
import type { LiveFlags } from './live-flags.js';
import { loadSetup } from './load-setups.js';

/** Most findings that the message lists. */
const NAMED = 3;

/**
 * Reads the file and the plugin of a running bot again, for a changed strategy or changed parameters.
 *
 * @throws {UsageError} `E_RELOAD` if another part of the file has changed, or if `check` has findings and the bot was started without `--accept-findings`;
 * {ConfigError} or AggregateError of them as `loadSetups`.
 */
export async function reloadSetup(
  running: BotSetup,
  { mode, file, flags }: { mode: BotStatus['mode']; file: string; flags: LiveFlags },
  context: CliContext,
): Promise<BotSetup> {
  const setup = await loadSetup(file, { mode, flags }, context);
  const changed = Object.keys({ ...running.config, ...setup.config }).filter(
    (key) =>
      key !== 'strategy' &&
      !isDeepStrictEqual(Reflect.get(running.config, key), Reflect.get(setup.config, key)),
  );
  if (changed.length > 0)
    throw new UsageError(
      'E_RELOAD',
      `${file}: only the strategy and its parameters can be replaced while the bot runs; ${changed.join(', ')} also changed: stop the bot and start it again`,
    );
  const found = flags.acceptFindings === true ? [] : await findObstacles([setup], context);
  if (found.length > 0) {
    const more = found.length > NAMED ? ` and ${String(found.length - NAMED)} more` : '';
    throw new UsageError(
      'E_RELOAD',
      `findings of check (${String(found.length)}): ${found.slice(0, NAMED).join('; ')}${more}`,
    );
  }
  return { ...running, ...setup };
}
