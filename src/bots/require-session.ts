import type { BotConfig, SessionConfig } from '../assembly/index.js';
import { combineProblems, type KeyPath, type LoadedConfig } from '../config/index.js';
import type { ConfigError, ProductKind } from '../domain/index.js';
import type { BotStatus } from '../live/index.js';

/** A missing key, and what it must contain. */
interface Need {
  readonly place: KeyPath;
  readonly expected: string;
}

/**
 * Checks that a bot's file has everything that a session needs: the venue, the simulation, and in live mode the key.
 *
 * @throws {ConfigError} `E_CONFIG_MISSING` or AggregateError of them, each at its key.
 */
export function requireSession(
  { config, document }: LoadedConfig,
  mode: BotStatus['mode'],
): SessionConfig {
  const { simulation, venue } = config;
  const problems = findNeeds(config, mode).map(({ place, expected }): ConfigError =>
    document.problem('E_CONFIG_MISSING', place, { expected }),
  );
  if (problems.length > 0 || simulation === undefined || venue === undefined) {
    throw combineProblems(problems);
  }
  return { ...config, simulation, venue };
}

/**
 * Checks in addition that the venue is an exchange with the specified interface: commands that inspect or record the interface need one.
 *
 * @throws {ConfigError} as {@link requireSession}; `E_CONFIG_VALUE` for a venue of one's own.
 */
export function requireExchange(loaded: LoadedConfig, mode: BotStatus['mode']): SessionConfig {
  const config = requireSession(loaded, mode);
  if (config.venue.path === undefined) return config;
  throw loaded.document.problem('E_CONFIG_VALUE', ['venue', 'path'], {
    expected:
      'the address of an exchange, because a venue of your own may lack what this command reads',
    received: 'the module of a venue of your own',
  });
}

function findNeeds(config: BotConfig, mode: BotStatus['mode']): readonly Need[] {
  const { simulation, venue } = config;
  const needs: Need[] = [];
  if (simulation === undefined) {
    const expected = 'a mapping with the fees, rules and balances that the venue does not show';
    needs.push({ place: ['simulation'], expected });
  }
  if (venue === undefined) {
    return [...needs, { place: ['venue'], expected: 'a mapping that says where to trade' }];
  }
  const trades = (...kinds: readonly ProductKind[]): boolean =>
    config.instruments.some(({ kind }) => kinds.includes(kind));
  const need = (isMissing: boolean, place: KeyPath, expected: string): void => {
    if (isMissing) needs.push({ place, expected });
  };
  const [spot, futures] = [trades('spot', 'margin'), trades('futures')];
  // A venue of one's own knows its addresses, and whether it has keys.
  const isOwn = venue.path !== undefined;
  const lacks = (key: 'spotUrl' | 'futuresUrl'): boolean => !isOwn && venue[key] === undefined;
  need(spot && lacks('spotUrl'), ['venue', 'spotUrl'], 'the address of the venue');
  need(futures && lacks('futuresUrl'), ['venue', 'futuresUrl'], 'the address of the venue');
  if (mode === 'paper') return needs;
  const { key, secret } = venue;
  const needsKey = !isOwn || secret !== undefined;
  need(needsKey && key === undefined, ['venue', 'keyEnv'], 'where the API key is (or keyFile)');
  const needsSecret = !isOwn || key !== undefined;
  need(
    needsSecret && secret === undefined,
    ['venue', 'secretEnv'],
    'where its secret is (or secretFile)',
  );
  need(
    trades('margin') && !config.live.blindMargin,
    ['live', 'blindMargin'],
    'true, because the venue shows no balance or debt of margin accounts',
  );
  return needs;
}
