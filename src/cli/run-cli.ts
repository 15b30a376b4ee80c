import { Command, CommanderError } from 'commander';
import type { CliContext, ExitCode, RegisterCommand } from './cli-context.js';
import { registerData } from './data/register-data.js';
import { describeError, describeStack } from './describe-error.js';
import { registerAudit } from './audit/audit-command.js';
import { registerBacktest } from './backtest/backtest-command.js';
import { registerCall } from './call/call-command.js';
import { registerCheck } from './check/check-command.js';
import { registerExchange } from './exchange/exchange-command.js';
import { registerBundle } from './bundle/bundle-command.js';
import { registerFuzz } from './fuzz/fuzz-command.js';
import { registerCompletion } from './completion/completion-command.js';
import { registerControl } from './live/control-commands.js';
import { registerJournal } from './journal/journal-command.js';
import { registerGuard } from './live/guard/guard-command.js';
import { registerLive } from './live/live-commands.js';
import { registerMcp } from './mcp/mcp-command.js';
import { registerMonteCarlo } from './monte-carlo/monte-carlo-command.js';
import { registerParity } from './parity/parity-command.js';
import { registerReplay } from './replay/replay-command.js';
import { registerQueue } from './queue/queue-command.js';
import { registerWorker } from './queue/worker-command.js';
import { registerNew } from './scaffold/new-command.js';
import { registerReport } from './report/report-command.js';
import { registerResult } from './result/result-command.js';
import { registerRuns } from './runs/runs-command.js';
import { readVersion } from './read-version.js';
import { registerSchema } from './schema/schema-command.js';
import { registerSignificance } from './significance/significance-command.js';
import { registerSweep } from './sweep/sweep-command.js';
import { registerTrials } from './trials/trials-command.js';
import { registerWalkForward } from './walk-forward/walk-forward-command.js';
import { registerWhy } from './why/why-command.js';

/** Everything of the process but the exit code, which {@link runCli} keeps. */
export type CliIo = Omit<CliContext, 'setExitCode'>;

const COMMANDS: readonly RegisterCommand[] = [
  registerBacktest,
  registerSweep,
  registerSignificance,
  registerWalkForward,
  registerTrials,
  registerMonteCarlo,
  registerWorker,
  registerQueue,
  registerAudit,
  registerFuzz,
  registerBundle,
  registerReport,
  registerResult,
  registerRuns,
  registerExchange,
  registerCheck,
  registerParity,
  registerReplay,
  registerWhy,
  registerJournal,
  registerLive,
  registerGuard,
  registerControl,
  registerData,
  registerCall,
  registerMcp,
  registerNew,
  registerSchema,
  registerCompletion,
];

/**
 * Runs one command line, without the program's name, and returns the exit code. Never throws, and never touches the process
 * itself.
 */
export async function runCli(argv: readonly string[], io: CliIo): Promise<ExitCode> {
  const ended: { exitCode: ExitCode } = { exitCode: 0 };
  const program = createProgram({
    ...io,
    setExitCode: (code) => {
      ended.exitCode = code;
    },
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
    // What failed while a command ended in order says more than that it was interrupted.
    return io.signal.aborted && ended.exitCode === 0 ? reportInterrupt(io) : ended.exitCode;
  } catch (error: unknown) {
    if (io.signal.aborted) return reportInterrupt(io);
    if (program.opts<{ debug?: true }>().debug === true && !(error instanceof CommanderError)) {
      io.stderr.write(`${describeStack(error)}\n`);
    }
    const report = describeError(error);
    for (const line of report.lines) io.stderr.write(`${line}\n`);
    return report.exitCode;
  }
}

function reportInterrupt(io: CliIo): ExitCode {
  io.stderr.write('interrupted\n');
  return 130;
}

/** Makes the program with all its commands. */
export function createProgram(context: CliContext): Command {
  const program = new Command('evenkeel')
    .description(
      'Runs algorithmic trading strategies: the orders you tested are the orders you get.',
    )
    .version(readVersion(), '-V, --version', 'print the version')
    .option('--debug', 'show where errors come from')
    .helpCommand(false)
    .showSuggestionAfterError(true)
    .showHelpAfterError('(--help shows what there is)')
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 failed while running, 2 bad usage or configuration, 3 a check found a violation, 130 interrupted.',
    )
    .exitOverride()
    .configureOutput({
      writeOut: (text) => {
        context.stdout.write(text);
      },
      writeErr: (text) => {
        context.stderr.write(text);
      },
      getOutHelpWidth: () => context.stdout.columns ?? 100,
      getErrHelpWidth: () => context.stderr.columns ?? 100,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  for (const register of COMMANDS) register(program, context);
  refuseRepeats(program);
  return program;
}

/** Of two values for one option the first would be dropped without a word. */
function refuseRepeats(command: Command): void {
  for (const option of command.options) {
    if (option.isBoolean() || option.description.includes('repeatable')) continue;
    let isGiven = false;
    command.on(`option:${option.name()}`, () => {
      if (isGiven)
        command.error(`error: expected option '${option.flags}' once, received it again`);
      isGiven = true;
    });
  }
  for (const each of command.commands) refuseRepeats(each);
}
