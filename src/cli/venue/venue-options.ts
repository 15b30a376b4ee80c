import type { Command } from 'commander';

/** Addresses of the venue, for commands without a config. */
export interface VenueFlags {
  readonly spotUrl?: string;
  readonly futuresUrl?: string;
}

/** Default address of the local exchange. */
export const DEFAULT_VENUE_URL = 'http://127.0.0.1:8480';

/** Environment variables with the addresses, used if no option gives them. */
export const URL_VARIABLES = {
  spotUrl: 'EVENKEEL_SPOT_URL',
  futuresUrl: 'EVENKEEL_FUTURES_URL',
} as const satisfies Readonly<Record<keyof VenueFlags, string>>;

/** Adds the options for the addresses of the venue. */
export function addVenueOptions(command: Command): Command {
  return command
    .option(
      '--spot-url <url>',
      `address of spot and margin (default: ${URL_VARIABLES.spotUrl}, otherwise ${DEFAULT_VENUE_URL})`,
    )
    .option(
      '--futures-url <url>',
      `address of futures (default: ${URL_VARIABLES.futuresUrl}, otherwise ${DEFAULT_VENUE_URL})`,
    );
}

/** Places of key and secret. */
export interface KeyFlags {
  readonly keyEnv: string;
  readonly secretEnv: string;
  readonly keyFile?: string;
  readonly secretFile?: string;
}

/** Adds the options for key and secret: names of variables or files, never the values. */
export function addKeyOptions(command: Command): Command {
  return command
    .option('--key-env <name>', 'environment variable that holds the API key', 'EVENKEEL_KEY')
    .option('--secret-env <name>', 'environment variable that holds its secret', 'EVENKEEL_SECRET')
    .option('--key-file <file>', 'file (mode 0600) that holds the API key, instead of a variable')
    .option(
      '--secret-file <file>',
      'file (mode 0600) that holds its secret, instead of a variable',
    );
}
