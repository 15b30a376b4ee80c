import path from 'node:path';
import { writeFileAtomically } from '../../archive/index.js';
import {
  checkOnline,
  connectLive,
  createProcessQueue,
  profileFile,
  withKnown,
  type OnlineReport,
} from '../../assembly/index.js';
import type { LoadedBot } from '../bot/load-bot.js';
import type { CliContext } from '../cli-context.js';
import { loadCredentials, readVenueProfile, requireExchange } from '../../bots/index.js';
import { systemTime } from '../../engine/index.js';

/** The results of the checks of a bot's venue, and the file that stores what the venue can do. */
export interface VenueCheck extends OnlineReport {
  readonly file: string;
  readonly findings: readonly string[];
  /** Capabilities that could not be checked now, and were found by an earlier check. */
  readonly kept: readonly (keyof OnlineReport['profile']['capabilities'])[];
}

/**
 * Checks a bot's venue with its key, without placing an order, and writes the venue's capabilities to a file that `live` reads.
 *
 * @throws {ConfigError} as `requireExchange`; {DataError} `E_DATA_WRITE`; errors of the key's file.
 */
export async function checkVenue(bot: LoadedBot, context: CliContext): Promise<VenueCheck> {
  const config = requireExchange(bot, 'live');
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
      // The check places no order, so Ctrl-C may end the process at once.
      signal: new AbortController().signal,
    });
    const file = profileFile(config);
    const { profile, kept } = withKnown(report.profile, await readVenueProfile(config));
    // A bot that starts meanwhile reads either the complete old file or the complete new one.
    await writeFileAtomically(file, [Buffer.from(`${JSON.stringify(profile, undefined, 2)}\n`)]);
    const findings = report.steps
      .filter(({ status }) => status === 'failed')
      .map(({ name, text }) => `${name}: ${text}`);
    return { ...report, profile, kept, file, findings };
  } finally {
    await connection.close();
  }
}

/** One line for each step of the check, and one for each capability of the venue. */
export function describeVenueCheck(
  { steps, profile, kept, file }: VenueCheck,
  cwd: string,
): readonly string[] {
  const { capabilities } = profile;
  const rows = [
    ['klines from a start', 'klinesHaveStartTime'],
    ['list of triggers', 'conditionalOrderList'],
    ['cancel of triggers', 'conditionalOrderCancel'],
    ['test orders', 'testOrders'],
  ] as const;
  return [
    ...steps.map(({ name, status, text }) => `online      ${name}: ${status}, ${text}`),
    ...rows.map(([name, key]) => {
      const can = capabilities[key];
      const as = kept.includes(key) ? ', from an earlier check: not tested now' : '';
      return `capability  ${name}: ${can === undefined ? 'not known' : can ? 'yes' : 'no'}${as}`;
    }),
    `profile     ${path.relative(cwd, file)}`,
  ];
}
