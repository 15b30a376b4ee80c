import path from 'node:path';
import { listActiveChecks } from '../../assembly/backtest/index.js';
import {
  DomainError,
  formatUtc,
  InvariantError,
  parseUtc,
  TradingError,
  UsageError,
  type EpochMs,
  type InstrumentId,
} from '../../domain/index.js';
import { readJournal } from '../../journal/index.js';
import type { CliContext } from '../cli-context.js';
import { describeError } from '../describe-error.js';
import { openRun, type OpenRun } from '../replay/open-run.js';
import { watchReplay } from '../replay/replay-opened.js';
import type { RunFlags } from '../replay/run-options.js';
import { checkOutput, writeOutput } from '../write-output.js';
import type { Explanation } from './explanation.js';
import { explanationToJson, renderExplanation, type ChecksOf } from './render-explanation.js';
import { RunObserver } from './run-observer.js';

/** Options of `why` as commander parses them. */
export interface WhyFlags extends RunFlags {
  readonly at?: string;
  readonly instrument?: string;
}

/** Runs `why`. */
export async function runWhy(run: string, flags: WhyFlags, context: CliContext): Promise<void> {
  if (flags.json !== undefined) await checkOutput(flags.json, context);
  const at = flags.at === undefined ? await refuseNoInstant(run, context) : readInstant(flags.at);
  const opened = await openRun(run, flags, context, at);
  const explanation = await explainAcross({ run, opened, at }, flags, context).finally(() => {
    opened.reader.close();
  });
  const active = listActiveChecks(opened.bot.config, opened.terms.rules);
  const checksOf: ChecksOf = (id) => (active.get(id) ?? []).map(({ name }) => name);
  if (flags.json !== undefined) {
    const document = explanationToJson(explanation, checksOf);
    await writeOutput(flags.json, `${JSON.stringify(document, undefined, 2)}\n`, context);
  }
  if (flags.json !== '-')
    context.stdout.write(`${renderExplanation(explanation, checksOf).join('\n')}\n`);
}

interface AskedRun {
  /** The journal, as the user wrote it. */
  readonly run: string;
  readonly opened: OpenRun;
  readonly at: EpochMs;
}

/** Explains an instant. If its epoch has no decision up to then, it searches earlier epochs for the last decision. */
async function explainAcross(
  { run, opened, at }: AskedRun,
  flags: WhyFlags,
  context: CliContext,
): Promise<Explanation> {
  const explanation = await explain(opened, at, flags, context);
  if (flags.epoch !== undefined || explanation.decided.length > 0) return explanation;
  const before = opened.reader.epochs().filter(({ id }) => id < opened.epoch.id);
  for (const { id } of before.reverse()) {
    try {
      const earlier = await openRun(run, { ...flags, epoch: id }, context);
      const found = await explain(earlier, at, flags, context).finally(() => {
        earlier.reader.close();
      });
      const { asOf, state, next = found.next } = explanation;
      if (found.decided.length > 0) return { ...found, asOf, state, next };
    } catch (error: unknown) {
      if (!(error instanceof TradingError) || error instanceof InvariantError) throw error;
      // The strategy of that epoch may not exist any more. The explanation from the later epochs is still valid.
      const [line = ''] = describeError(error).lines;
      context.stderr.write(`epoch ${String(id)} cannot be replayed: ${line}\n`);
      break;
    }
  }
  return explanation;
}

async function explain(
  opened: OpenRun,
  at: EpochMs,
  { instrument }: WhyFlags,
  context: CliContext,
): Promise<Explanation> {
  const { reader, epoch, bot } = opened;
  const known = bot.config.instruments.map(({ instrumentId }) => instrumentId);
  const { state } = epoch.header.checkpoint;
  const asked = { instrumentId: findInstrument(instrument, known), first: known[0] };
  const observer = new RunObserver(at, asked, state?.json);
  const { log, onVerdict, onEntry } = observer.watch;
  await watchReplay(opened, { log, onVerdict, onEntry, onReplayed: observer.onReplayed }, context);
  // Orders may end in a later epoch.
  for (const later of reader.epochs())
    if (later.id > epoch.id)
      for (const entry of reader.entries(later)) observer.onLaterEntry(entry);
  return observer.finish();
}

/** Named instants of a journal. */
const MOST_NAMED = 3;

/** @throws {UsageError} `E_USAGE` that names the instants that `--at` may have; {JournalError} as `readJournal`. */
async function refuseNoInstant(run: string, { cwd }: CliContext): Promise<never> {
  const reader = await readJournal(path.resolve(cwd, run));
  try {
    const [first] = reader.epochs();
    const last = reader.lastTime();
    const range =
      first === undefined || last === undefined
        ? `${run} has none yet`
        : `${run} has ${formatUtc(first.header.started)} to ${formatUtc(last)}`;
    const named = reader.commandTimes(MOST_NAMED).map(formatUtc).join(', ');
    const sent = named === '' ? 'and no order was sent' : `the last orders were sent at ${named}`;
    throw new UsageError('E_USAGE', `--at: expected an instant; ${range}; ${sent}`);
  } finally {
    reader.close();
  }
}

function readInstant(text: string): EpochMs {
  try {
    return parseUtc(text);
  } catch (error: unknown) {
    if (!(error instanceof DomainError)) throw error;
    throw new UsageError('E_USAGE', `--at: ${error.message}`, { cause: error });
  }
}

function findInstrument(
  name: string | undefined,
  known: readonly InstrumentId[],
): InstrumentId | undefined {
  if (name === undefined) return undefined;
  const [match, ...others] = known.filter((id) => id === name || id.endsWith(`:${name}`));
  if (match !== undefined && others.length === 0) return match;
  throw new UsageError(
    'E_USAGE',
    `--instrument: expected one of ${known.join(', ')}, received "${name}"`,
  );
}
