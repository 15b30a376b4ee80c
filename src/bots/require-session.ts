import type { BotConfig, SessionConfig } from '../assembly/index.js';
import { combineProblems, type KeyPath, type LoadedConfig } from '../config/index.js';
import type { ConfigError, ProductKind } from '../domain/index.js';
import type { BotStatus } from '../live/index.js';

/** What else a key must say, and why. */
interface Need {
  readonly place: KeyPath;
  readonly expected: string;
}

/**
 * Checks that a bot's file says all that a session needs: where the venue is, what stands in for it on paper, and live the key.
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

function findNeeds(config: BotConfig, mode: BotStatus['mode']): readonly Need[] {
  const { simulation, venue } = config;
  const needs: Need[] = [];
  if (simulation === undefined) {
    const expected = 'a mapping with the fees, rules and balances that the venue does not tell';
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
  need(spot && venue.spotUrl === undefined, ['venue', 'spotUrl'], 'the address of the venue');
  need(
    futures && venue.futuresUrl === undefined,
    ['venue', 'futuresUrl'],
    'the address of the venue',
  );
  if (mode === 'paper') return needs;
  need(venue.key === undefined, ['venue', 'keyEnv'], 'where the API key is (or keyFile)');
  need(venue.secret === undefined, ['venue', 'secretEnv'], 'where its secret is (or secretFile)');
  need(
    trades('margin') && !config.live.blindMargin,
    ['live', 'blindMargin'],
    'true, because the venue shows no balance or debt of margin accounts',
  );
  return needs;
}
