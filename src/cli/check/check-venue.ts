import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  checkOnline,
  connectLive,
  createProcessQueue,
  profileFile,
  type OnlineReport,
} from '../../assembly/index.js';
import { DataError } from '../../domain/index.js';
import type { LoadedBot } from '../bot/load-bot.js';
import type { CliContext } from '../cli-context.js';
import { loadCredentials } from '../live/load-credentials.js';
import { requireSession } from '../live/require-session.js';
import { systemTime } from '../venue/system-time.js';

/** What was found out of a bot's venue, and the file that says what it can do. */
export interface VenueCheck extends OnlineReport {
  readonly file: string;
  readonly findings: readonly string[];
}

/**
 * Looks at a bot's venue with its key, without an order, and writes what the venue can do for `live` to read.
 *
 * @throws {ConfigError} as `requireSession`; {DataError} `E_DATA_WRITE`; errors of the key's file.
 */
export async function checkVenue(bot: LoadedBot, context: CliContext): Promise<VenueCheck> {
  const config = requireSession(bot, 'live');
  const credentials = await loadCredentials(config.venue, context);
  const connection = connectLive({
    config,
    credentials,
    machine: systemTime,
    random: Math.random,
    queue: createProcessQueue(systemTime),
  });
  try {
    const report = await checkOnline({
      config,
      terms: bot,
      connection,
      machine: systemTime,
      // Nothing is placed: Ctrl-C ends the process as it is.
      signal: new AbortController().signal,
    });
    const file = profileFile(config);
    await writeProfile(file, report, context);
    const findings = report.steps
      .filter(({ status }) => status === 'failed')
      .map(({ name, text }) => `${name}: ${text}`);
    return { ...report, file, findings };
  } finally {
    await connection.close();
  }
}

async function writeProfile(
  file: string,
  { profile }: OnlineReport,
  { cwd }: CliContext,
): Promise<void> {
  try {
    await writeFile(file, `${JSON.stringify(profile, undefined, 2)}\n`);
  } catch (cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new DataError('E_DATA_WRITE', `cannot write ${path.relative(cwd, file)}: ${why}`, {
      cause,
    });
  }
}

/** One line for each look, and one for each thing that the venue can or cannot do. */
export function describeVenue(
  { steps, profile, file }: VenueCheck,
  cwd: string,
): readonly string[] {
  const { capabilities } = profile;
  const rows: readonly (readonly [string, boolean | undefined])[] = [
    ['klines from a start', capabilities.klinesHaveStartTime],
    ['list of triggers', capabilities.conditionalOrderList],
    ['cancel of triggers', capabilities.conditionalOrderCancel],
    ['test orders', capabilities.testOrders],
  ];
  return [
    ...steps.map(({ name, status, text }) => `online      ${name}: ${status}, ${text}`),
    ...rows.map(
      ([name, can]) =>
        `capability  ${name}: ${can === undefined ? 'not known' : can ? 'yes' : 'no'}`,
    ),
    `profile     ${path.relative(cwd, file)}`,
  ];
}
