import type { ConfiguredSecret, SessionConfig } from '../assembly/index.js';
import {
  readSecret,
  type Credentials,
  type Secret,
  type SecretSource as Source,
} from '../client/index.js';

/** Source of keys, and the function that hides them. */
interface SecretPlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Hides these secrets in all output of the process from now on. @defaultValue nothing is hidden */
  readonly hideSecrets?: ((secrets: readonly Secret[]) => void) | undefined;
}

/** Reads the key and its secret that a bot's file names; undefined if it names none. */
export async function loadCredentials(
  venue: SessionConfig['venue'],
  { env, hideSecrets }: SecretPlace,
): Promise<Credentials | undefined> {
  if (venue.key === undefined || venue.secret === undefined) return undefined;
  const [key, secret] = await Promise.all(
    [venue.key, venue.secret].map((source) => readSecret(sourceOf(source), env)),
  );
  if (key === undefined || secret === undefined) return undefined;
  hideSecrets?.([key, secret]);
  return { key, secret };
}

function sourceOf(source: ConfiguredSecret): Source {
  return source.kind === 'environment' ? { env: source.name } : { file: source.path };
}
