import type { Command } from 'commander';
import type { ReadBinaryFile } from '../archive/index.js';
import type { AuditRunner, TrialRunner } from '../research/index.js';
import type { AuditSetup } from './audit/audit-ground.js';
import type { TypeCheck } from './check/check-types.js';
import type { GuardLink, OwnerLink } from './live/guard/guard-link.js';
import type { TrialSetup } from './sweep/trial-pool.js';

/**
 * 0 done, 1 failed while running, 2 bad usage or configuration, 3 a check found a violation, 130 interrupted.
 */
export type ExitCode = 0 | 1 | 2 | 3 | 130;

/** Where text goes: a terminal, a pipe, a file, or a buffer in a test. */
export interface TextOutput {
  write(text: string): void;
  readonly isTerminal: boolean;
  /** Width of the terminal in characters; undefined if there is no terminal. */
  readonly columns: number | undefined;
  /** Height of the terminal in lines; undefined if there is no terminal, or the height is not known. */
  readonly rows?: number | undefined;
}

/** Makes the runner of the combinations of a sweep, with `jobs` at once. */
export type CreateTrialRunner = (setup: TrialSetup, jobs: number) => Promise<TrialRunner>;

/** Makes the runner of the jobs of an audit, with `jobs` at once. */
export type CreateAuditRunner = (setup: AuditSetup, jobs: number) => Promise<AuditRunner>;

/** Everything of its process that a command may use. `main.ts` makes the real one, tests make another. */
export interface CliContext {
  /** Results: text that a user may pipe into another program. */
  readonly stdout: TextOutput;
  /** Progress and errors. */
  readonly stderr: TextOutput;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path that relative arguments are relative to. */
  readonly cwd: string;
  /** Aborted by Ctrl-C. A command that sees it stops and throws its reason. */
  readonly signal: AbortSignal;
  /**
   * Runs the action when the process receives SIGTERM, instead of ending at once. This lasts until the returned function is called; a second
   * SIGTERM ends the process. @defaultValue SIGTERM is not handled
   */
  readonly onTerminate?: ((action: () => void) => () => void) | undefined;
  /**
   * Lets the command take its time to end after Ctrl-C, as a bot does that closes its positions. Without this call the process ends a few seconds after
   * Ctrl-C, whatever the command does. @defaultValue nothing ends a command of a test
   */
  readonly endsInOrder?: (() => void) | undefined;
  /**
   * Makes Ctrl-C end the process even if its main thread is blocked: the first one, or the second one of a command that ends in order. Call it before
   * the code of a strategy is loaded, and before other long work that lets no event through.
   * @defaultValue nothing watches; tests have no compiled thread
   */
  readonly watchInterrupts?: (() => void) | undefined;
  /** Counts a strategy file whose loading begins (1) or ends (-1), so that the thread of `watchInterrupts` can say if it does not end. @defaultValue not counted */
  readonly addLoading?: ((change: 1 | -1) => void) | undefined;
  /**
   * Ends the process when its main thread is blocked for `limitMs` milliseconds, until the returned function is called. `say` tells the operator if that is
   * impossible.
   * @defaultValue nothing guards; tests have no compiled thread
   */
  readonly guardAgainstHang?:
    ((limitMs: number, say: (line: string) => void) => () => void) | undefined;
  /**
   * Removes variables that may be secrets from the process's environment, before code runs that does not need them.
   * @defaultValue nothing is removed; tests share their environment
   */
  readonly forgetSecrets?: (() => void) | undefined;
  /** Makes V8 compile a run as suits its length. The returned function receives the progress. @defaultValue nothing changes; tests share their process */
  readonly compileByLength?: (() => (progress: { readonly total: number }) => void) | undefined;
  /** Makes V8 compile less code for speed from now on. Call it after the last replay of a process. @defaultValue nothing changes; tests go on */
  readonly compileSeldom?: (() => void) | undefined;
  /** Masks these secrets in all output of the process from now on, from any code. @defaultValue nothing is masked; tests share their output */
  readonly hideSecrets?:
    ((secrets: readonly { mask: (text: string) => string }[]) => void) | undefined;
  /**
   * Starts a guard process: the command `guard-process` with these arguments. `say` reports its state to the operator.
   * @defaultValue none is started; tests have no compiled program
   */
  readonly startGuard?:
    ((args: readonly string[], say: (line: string) => void) => GuardLink) | undefined;
  /** The process of the bots that this guard process guards. @defaultValue this is no guard process */
  readonly owner?: OwnerLink | undefined;
  /** Asks the user for a line on a terminal; undefined when the input ends. @defaultValue no user can be asked */
  readonly ask?: ((question: string) => Promise<string | undefined>) | undefined;
  /** Reads Feather and Parquet. @defaultValue `readInThread`; tests, which run uncompiled, read in their own thread */
  readonly readBinaryFile?: ReadBinaryFile | undefined;
  /** Runs the combinations of a sweep. @defaultValue `createTrialPool`; tests, which run uncompiled, run them in their own thread */
  readonly createTrialRunner?: CreateTrialRunner | undefined;
  /** Runs the jobs of an audit. @defaultValue threads; tests, which run uncompiled, run them in their own thread */
  readonly createAuditRunner?: CreateAuditRunner | undefined;
  /** Checks the types of a plugin. @defaultValue `checkTypesInThread`; tests, which run uncompiled, check in their own thread */
  readonly checkTypes?: ((plugin: string, signal: AbortSignal) => Promise<TypeCheck>) | undefined;
  /** Sets the exit code for an end without an error; 3 when a check found something. Errors set their own. */
  setExitCode(code: ExitCode): void;
}

/** Whether text for people may be colored: on a terminal, unless the user set `NO_COLOR`. */
export function usesColor({ stdout, env }: Pick<CliContext, 'stdout' | 'env'>): boolean {
  return stdout.isTerminal && (env['NO_COLOR'] ?? '') === '';
}

/**
 * Adds one command, or a group of them, to the program.
 *
 * Called at every start: it imports nothing heavy. Actions import their libraries themselves, and report failures by throwing a
 * TradingError (or an AggregateError of several), which becomes one line each on stderr and the exit code.
 */
export type RegisterCommand = (program: Command, context: CliContext) => void;
