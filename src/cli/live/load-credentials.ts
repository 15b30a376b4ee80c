import type { ConfiguredSecret, SessionConfig } from '../../assembly/index.js';
import { readSecret, type Credentials, type SecretSource as Source } from '../../client/index.js';
import type { CliContext } from '../cli-context.js';

/** Reads the key that a bot's file names, and its secret; undefined where it names none. */
export async function loadCredentials(
  venue: SessionConfig['venue'],
  { env, hideSecrets }: CliContext,
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
