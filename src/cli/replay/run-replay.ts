import { nounOf } from '../../domain/index.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { replayJournal, type ReplayOutcome } from '../../assembly/backtest/index.js';
import { divergenceError, type Epoch } from '../../journal/index.js';
import type { CliContext } from '../cli-context.js';
import { describeError } from '../describe-error.js';
import { ProgressLine } from '../progress.js';
import { checkOutput, writeOutput } from '../write-output.js';
import { openRun, type OpenRun } from './open-run.js';
import type { RunFlags } from './run-options.js';

/** Runs `replay`. */
export async function runReplay(run: string, flags: RunFlags, context: CliContext): Promise<void> {
  if (flags.json !== undefined) await checkOutput(flags.json, context);
  const opened = await openRun(run, flags, context);
  const outcome = await replayRun(opened, context).finally(() => {
    opened.reader.close();
  });
  if (flags.json !== undefined)
    await writeOutput(flags.json, renderJson(opened.epoch, outcome), context);
  if (outcome.kind === 'diverged') {
    context.setExitCode(3);
    const { lines } = describeError(divergenceError(outcome.divergence));
    for (const line of lines) context.stderr.write(`${line}\n`);
  }
  if (flags.json !== '-') context.stdout.write(renderText(opened.epoch, outcome));
}

async function replayRun(
  { reader, epoch, bot, terms }: OpenRun,
  context: CliContext,
): Promise<ReplayOutcome> {
  const progress = new ProgressLine(context.stderr);
  try {
    return await replayJournal({
      config: bot.config,
      strategyClass: bot.plugin.strategyClass,
      sourceHash: bot.plugin.sourceHash,
      terms,
      epoch,
      entries: reader.entries(epoch),
      onEntry: ({ id }) => {
        if (id % 10_000 === 0) progress.show(`event ${String(id)}`);
      },
      signal: context.signal,
      breathe: () => nextTurn(),
    });
  } finally {
    progress.clear();
  }
}

function renderText({ id, header }: Epoch, { kind, events, commands }: ReplayOutcome): string {
  const verdict = kind === 'identical' ? 'identical' : 'diverged after';
  return `${header.bot}, epoch ${String(id)}: ${verdict} ${String(events)} ${nounOf(events, 'event')} and ${String(commands)} ${nounOf(commands, 'command')}\n`;
}

function renderJson({ id, header }: Epoch, outcome: ReplayOutcome): string {
  const result = { bot: header.bot, epoch: id, ...outcome };
  return `${JSON.stringify(result, undefined, 2)}\n`;
}
