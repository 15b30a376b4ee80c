import { nounOf } from '../../domain/index.js';
import type { ReplayOutcome } from '../../assembly/backtest/index.js';
import { divergenceError, type Epoch, type StoredEntry } from '../../journal/index.js';
import type { CliContext } from '../cli-context.js';
import { describeError } from '../describe-error.js';
import { ProgressLine } from '../progress.js';
import { checkOutput, writeOutput } from '../write-output.js';
import { openRun, type OpenRun } from './open-run.js';
import { replayOpened } from './replay-opened.js';
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

async function replayRun(opened: OpenRun, context: CliContext): Promise<ReplayOutcome> {
  const progress = new ProgressLine(context.stderr);
  try {
    const onEntry = ({ id }: StoredEntry): void => {
      if (id % 10_000 === 0) progress.show(`event ${String(id)}`);
    };
    return await replayOpened(opened, { onEntry }, context);
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
