import { inspect } from 'node:util';
import { CommanderError } from 'commander';
import { ConfigError, reasonOf, TradingError, UsageError, visibleText } from '../domain/index.js';
import type { CliContext, ExitCode } from './cli-context.js';

/** A failure as the user sees it: lines for stderr and the exit code. */
interface ErrorReport {
  readonly lines: readonly string[];
  readonly exitCode: ExitCode;
}

/** Describes any thrown value: one line per problem, the code at its end, no stack. */
export function describeError(error: unknown): ErrorReport {
  if (error instanceof AggregateError) {
    const reports = error.errors.map(describeError);
    return {
      lines: reports.flatMap(({ lines }) => lines),
      exitCode: reports.every(({ exitCode }) => exitCode === 2) ? 2 : 1,
    };
  }
  // Commander has printed its message already.
  if (error instanceof CommanderError) return { lines: [], exitCode: error.exitCode === 0 ? 0 : 2 };
  if (error instanceof TradingError) {
    const isUsage = error instanceof ConfigError || error instanceof UsageError;
    return { lines: [withCode(error)], exitCode: isUsage ? 2 : 1 };
  }
  return {
    lines: [`internal error: ${oneLine(unexpectedText(error))} (E_INTERNAL); --debug shows where`],
    exitCode: 1,
  };
}

function unexpectedText(error: unknown): string {
  if (!(error instanceof Error)) return inspect(error);
  const { syscall, path } = error as NodeJS.ErrnoException;
  return syscall === undefined || path === undefined
    ? `${error.name}: ${error.message}`
    : `cannot ${syscall} ${path}: ${reasonOf(error)}`;
}

/** The message of a failure in one line, with its code at the end. */
export function withCode({
  message,
  code,
}: {
  readonly message: string;
  readonly code: string;
}): string {
  const line = oneLine(message);
  return line.includes(`(${code})`) ? line : `${line} (${code})`;
}

/** Makes one safe line. The text may contain data from files or answers, which must not control the terminal. */
function oneLine(text: string): string {
  return visibleText(text.replace(/\s*\n\s*/g, ' '));
}

/** Writes the lines of a failure, with `--debug` after its stack, and returns the exit code. */
export function reportFailure(
  error: unknown,
  {
    stderr,
    isDebug,
  }: { readonly stderr: Pick<CliContext['stderr'], 'write'>; readonly isDebug: boolean },
): ExitCode {
  if (isDebug && !(error instanceof CommanderError)) stderr.write(`${describeStack(error)}\n`);
  const { lines, exitCode } = describeError(error);
  for (const line of lines) stderr.write(`${line}\n`);
  return exitCode;
}

/** The stack of an error and of its causes. */
export function describeStack(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describeStack).join('\n');
  if (!(error instanceof Error)) return inspect(error);
  const cause = error.cause === undefined ? '' : `\ncaused by: ${describeStack(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}
