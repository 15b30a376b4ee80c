import type { LoadedExchangeConfig } from '../../config/index.js';
import { ConfigError, DomainError, formatFixed } from '../../domain/index.js';
import { completeAccount, type AccountSettings } from '../../local-exchange/index.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Converts an account to the form of a draft: decimals as text, and no undefined keys. */
function asText(written: object): unknown {
  return JSON.parse(
    JSON.stringify(written, (_key, value: unknown) =>
      typeof value === 'bigint' ? formatFixed(value) : value,
    ),
  );
}

/**
 * Makes the accounts of a config, or one named `tester` if it has none. `randomText` makes keys and secrets that the config takes from no variable.
 *
 * @throws {ConfigError} `E_SECRET_MISSING` for a variable that is not set, `E_CONFIG_VALUE` for an account that is not valid.
 */
export function makeAccounts(
  { config, document }: LoadedExchangeConfig,
  env: Environment,
  randomText: () => string,
): readonly AccountSettings[] {
  const drafts = config.accounts ?? [{ name: 'tester' }];
  const made: AccountSettings[] = [];
  drafts.forEach((draft, index) => {
    const { keyEnv, secretEnv, leverage, ...rest } = {
      keyEnv: undefined,
      secretEnv: undefined,
      leverage: undefined,
      ...draft,
    };
    const place = ['accounts', index];
    const locate = (key: string): ConfigError['problem']['location'] =>
      document?.locate([...place, key]) ?? { file: 'exchange' };
    const fromEnv = (key: string, name: string | undefined): string | undefined => {
      if (name === undefined) return undefined;
      const value = env[name];
      if (value !== undefined && value !== '') return value;
      throw new ConfigError('E_SECRET_MISSING', {
        location: locate(key),
        expected: `the environment variable ${name}`,
        received: 'none of this name',
      });
    };
    const written = {
      ...rest,
      key: fromEnv('keyEnv', keyEnv),
      secret: fromEnv('secretEnv', secretEnv),
      leverage: leverage === undefined ? undefined : String(leverage),
    };
    if (made.some(({ key }) => key === written.key))
      throw new ConfigError('E_CONFIG_DUPLICATE', {
        location: locate('keyEnv'),
        expected: 'a key of its own for each account',
        received: `in ${String(keyEnv)} the key of another account`,
      });
    const taken = made.map(({ userId }) => userId);
    try {
      made.push(completeAccount(asText(written), { randomText, taken }));
    } catch (error: unknown) {
      if (!(error instanceof DomainError)) throw error;
      throw new ConfigError('E_CONFIG_VALUE', {
        location: locate('name'),
        expected: 'an account',
        received: error.message,
      });
    }
  });
  return made;
}
