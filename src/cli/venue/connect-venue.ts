import { resolve } from 'node:path';

import {
  createCallQueue,
  parseBaseUrl,
  readCredentials,
  VenueClient,
  type BaseUrl,
  type Credentials,
  type SecretSource,
} from '../../client/index.js';
import type { CliContext } from '../cli-context.js';
import { systemTime } from '../../engine/index.js';
import {
  DEFAULT_VENUE_URL,
  URL_VARIABLES,
  type KeyFlags,
  type VenueFlags,
} from './venue-options.js';

/** Addresses of both hosts of a venue. */
export interface VenueHosts {
  readonly spot: BaseUrl;
  readonly futures: BaseUrl;
}

/** Addresses from options, otherwise from the environment, otherwise of the local exchange. @throws {ConfigError} `E_URL`, `E_URL_INSECURE`. */
export function venueHosts(flags: VenueFlags, { env }: CliContext): VenueHosts {
  const read = (name: keyof VenueFlags, option: string): BaseUrl => {
    const variable = URL_VARIABLES[name];
    const given = flags[name];
    const location =
      given === undefined
        ? { file: 'environment', key: variable }
        : { file: 'option', key: option };
    return parseBaseUrl(given ?? env[variable] ?? DEFAULT_VENUE_URL, location);
  };
  return { spot: read('spotUrl', '--spot-url'), futures: read('futuresUrl', '--futures-url') };
}

/** Reads key and secret from the places that the options name. @throws {ConfigError} `E_SECRET_MISSING`, `E_SECRET_MODE`, `E_SECRET_TEXT`. */
export async function venueCredentials(
  flags: KeyFlags,
  { env, cwd, hideSecrets }: CliContext,
): Promise<Credentials> {
  const source = (name: string, file: string | undefined): SecretSource =>
    file === undefined ? { env: name } : { file: resolve(cwd, file) };
  const credentials = await readCredentials(
    {
      key: source(flags.keyEnv, flags.keyFile),
      secret: source(flags.secretEnv, flags.secretFile),
    },
    env,
  );
  hideSecrets?.([credentials.key, credentials.secret]);
  return credentials;
}

/** Makes a client on the machine's clock. The caller must close it. */
export function connectVenue(options: {
  readonly hosts: VenueHosts;
  readonly credentials?: Credentials | undefined;
}): VenueClient {
  const time = { clock: systemTime, wall: systemTime.wall, timers: systemTime };
  const { hosts, credentials } = options;
  return new VenueClient({
    hosts,
    ...(credentials === undefined ? {} : { credentials }),
    ...time,
    queue: createCallQueue(time),
    random: Math.random,
    serverClock: { samples: 1 },
  });
}
