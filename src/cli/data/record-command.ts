import { resolve } from 'node:path';
import { Option, type Command } from 'commander';
import type { ExchangeConnection } from '../../assembly/index.js';
import type { SessionConfig } from '../../config/index.js';
import { formatUtc, present, UsageError } from '../../domain/index.js';
import type { CliContext } from '../cli-context.js';
import { hearStop } from '../live/stop-signal.js';
import { checkOutput } from '../write-output.js';
import { giveResult } from './give-result.js';
import { argument, jsonOption } from './options.js';
import type { RecordedSeries } from './record/record-venue.js';

interface RecordFlags {
  readonly archive?: string;
  readonly share: number;
  readonly json?: string;
}

const DETAILS = `
Stores candles of all intervals of the file, marks and funding rates of contracts, and the
rules of all instruments in the archive of the file. The venue serves its newest 300
candles: at the start, missed candles are fetched as far back as possible. Candles that
the venue no longer serves leave a gap, which is reported at once and at the end. Ctrl-C
or SIGTERM ends the recording and stores waiting rows.

It reads no key. It uses only its --share of the venue's limits. Bots do not subtract this
share from their own limits, so keep it small.

Example:
  evenkeel data record config/my-bot.yaml
`;

const DEFAULT_SHARE = 0.25;

/** Adds `data record`: stores the market data of a venue as they come. */
export function addRecordCommand(data: Command, context: CliContext): void {
  data
    .command('record')
    .summary('record market data of the venue until stopped')
    .description(
      "Polls the venue of a bot's file for candles, marks, funding rates and rules, and stores them.",
    )
    .argument('<config>', "a bot's file")
    .option('--archive <dir>', 'folder of the archive (default: simulation.archive of the file)')
    .addOption(
      new Option('--share <ratio>', "share of the venue's limits that it may use")
        .argParser(argument<number>(parseShare))
        .default(DEFAULT_SHARE),
    )
    .addOption(jsonOption())
    .addHelpText('after', DETAILS)
    .action((file: string, flags: RecordFlags) => runRecord(file, flags, context));
}

/** @throws {UsageError} `E_USAGE`. */
function parseShare(text: string): number {
  const share = Number(text);
  if (text.trim() !== '' && share > 0 && share <= 1) return share;
  throw new UsageError(
    'E_USAGE',
    `expected a ratio above 0 and up to 1, such as 0.25, received ${text}`,
  );
}

async function runRecord(file: string, flags: RecordFlags, context: CliContext): Promise<void> {
  if (flags.json !== undefined) await checkOutput(flags.json, context);
  const config = await loadRecorded(file, flags, context);
  const stop = hearStop(context);
  try {
    const recorded = await recordConfig(config, flags, { ...context, signal: stop.signal });
    const { recordResult } = await import('./record/record-report.js');
    await giveResult(context, recordResult(recorded), flags.json);
  } finally {
    stop.release();
  }
}

/** Loads the configuration. @throws {ConfigError} as for a paper bot's file; `E_CONFIG_BUDGET` if the share of the limits is too small for it. */
async function loadRecorded(
  file: string,
  { share }: RecordFlags,
  { cwd }: CliContext,
): Promise<SessionConfig> {
  const [{ loadConfig }, { requireExchange }, { planRecording }] = await Promise.all([
    import('../../config/index.js'),
    import('../../bots/index.js'),
    import('./record/record-plan.js'),
  ]);
  const loaded = await loadConfig({ file, cwd });
  const config = requireExchange(loaded, 'paper');
  const tooMuch = planRecording(config.instruments, share).find(
    ({ callsPerMinute, mostPerMinute }) => callsPerMinute > mostPerMinute,
  );
  if (tooMuch === undefined) return config;
  const { name, callsPerMinute, mostPerMinute } = tooMuch;
  throw loaded.document.problem('E_CONFIG_BUDGET', ['instruments'], {
    expected: `a recording that needs at most ${mostPerMinute.toFixed(0)} calls per minute of the limit "${name}", with --share ${String(share)}`,
    received: `${String(callsPerMinute)} calls per minute`,
  });
}

/** Connects to the venue without a key, with a share of its limits. */
async function connectRecorder(config: SessionConfig, share: number): Promise<ExchangeConnection> {
  const [{ connectLive }, { createCallQueue }, { openBanMemory }, { socketPlace }, { systemTime }] =
    await Promise.all([
      import('../../assembly/index.js'),
      import('../../client/index.js'),
      import('../../bots/index.js'),
      import('../../bots/control/index.js'),
      import('../../engine/index.js'),
    ]);
  const time = { clock: systemTime, timers: systemTime };
  return connectLive({
    ...{ config, credentials: undefined, machine: systemTime, random: Math.random },
    queue: createCallQueue({ ...time, sendsCommands: false, share }),
    bans: openBanMemory(socketPlace()),
  });
}

/** Waits for the venue's time, until the recording is stopped. */
async function awaitVenue(
  config: SessionConfig,
  connection: ExchangeConnection,
  { signal, say }: { readonly signal: AbortSignal; readonly say: (line: string) => void },
): Promise<void> {
  const [{ verifyClock }, { systemTime }] = await Promise.all([
    import('../../assembly/index.js'),
    import('../../engine/index.js'),
  ]);
  await verifyClock(config, connection, systemTime, {
    tries: Number.POSITIVE_INFINITY,
    signal,
    onFailure: ({ message, code }) => say(`waiting for the venue: ${message} (${code})`),
  }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

async function recordConfig(
  config: SessionConfig,
  flags: RecordFlags,
  { cwd, stderr, signal }: CliContext,
): Promise<readonly RecordedSeries[]> {
  const [{ RestMarketData }, { openArchive }, { recordVenue }, { describeUnserved, seriesOf }] =
    await Promise.all([
      import('../../client/index.js'),
      import('../../archive/index.js'),
      import('./record/record-venue.js'),
      import('./record/record-plan.js'),
    ]);
  const connection = await connectRecorder(config, flags.share);
  const say = (line: string): void => {
    stderr.write(`${formatUtc(connection.time.now())} ${line}\n`);
  };
  const { instruments, simulation, venue } = config;
  const archive = flags.archive === undefined ? simulation.archive : resolve(cwd, flags.archive);
  try {
    await awaitVenue(config, connection, { signal, say });
    if (signal.aborted) return [];
    say(
      `recording ${instruments.map(({ instrumentId }) => instrumentId).join(', ')} into ${archive}`,
    );
    describeUnserved(instruments).forEach(say);
    return await recordVenue({
      archive: openArchive(archive),
      market: new RestMarketData(connection.client, { klinesHaveStartTime: true }),
      feed: connection.venue.feed,
      time: connection.time,
      host: new URL(present(venue.futuresUrl ?? venue.spotUrl, 'an address')).hostname,
      series: seriesOf(instruments),
      instruments: instruments.map(({ instrumentId }) => instrumentId),
      rulesOf: (id) => simulation.rules.get(id),
      funding: {
        intervalMs: simulation.futures.fundingIntervalMs,
        known: simulation.futures.fundingRateKnown,
      },
      signal,
      say,
      onFailure: () => undefined,
    });
  } finally {
    await connection.close();
  }
}
