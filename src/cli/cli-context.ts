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
  /** Width of the terminal in characters; undefined where there is none. */
  readonly columns: number | undefined;
  /** Height of the terminal in lines; undefined where there is none, or nobody knows. */
  readonly rows?: number | undefined;
}

/** Makes what runs the combinations of a sweep, `jobs` at once. */
export type CreateTrialRunner = (setup: TrialSetup, jobs: number) => Promise<TrialRunner>;

/** Makes what runs the jobs of an audit, `jobs` at once. */
export type CreateAuditRunner = (setup: AuditSetup, jobs: number) => Promise<AuditRunner>;

/** Everything a command may touch of the process it runs in. `main.ts` makes the real one, tests make another. */
export interface CliContext {
  /** Results: what a user would pipe into another program. */
  readonly stdout: TextOutput;
  /** Progress and errors. */
  readonly stderr: TextOutput;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path that relative arguments are relative to. */
  readonly cwd: string;
  /** Aborted by Ctrl-C. A command that sees it stops and throws its reason. */
  readonly signal: AbortSignal;
  /**
   * Has the action run when the process is asked to terminate (SIGTERM), instead of ending it at once; until the returned function is
   * called, or a second one ends the process. @defaultValue nothing is heard
   */
  readonly onTerminate?: ((action: () => void) => () => void) | undefined;
  /**
   * Has the second Ctrl-C end the process also while it does not get to its work. To be called before the code of a strategy is loaded.
   * @defaultValue nobody watches; tests bring no compiled thread
   */
  readonly watchInterrupts?: (() => void) | undefined;
  /**
   * Ends the process when it does not get to its work for this many milliseconds, until the returned function is called.
   * @defaultValue nobody guards it; tests bring no compiled thread
   */
  readonly guardAgainstHang?: ((limitMs: number) => () => void) | undefined;
  /**
   * Takes out of the process's environment what may be a secret, before code runs that needs none of it.
   * @defaultValue nothing is taken out; tests share their environment
   */
  readonly forgetSecrets?: (() => void) | undefined;
  /** Has a long run compiled for speed earlier: returns what hears of its progress. @defaultValue nothing changes; tests share their process */
  readonly compileEarly?: (() => (progress: { readonly total: number }) => void) | undefined;
  /** Has less of what follows compiled for speed: called after the last replay of a process. @defaultValue nothing changes; tests go on */
  readonly compileSeldom?: (() => void) | undefined;
  /** Has no output of the process show these from now on, whoever writes it. @defaultValue nothing is hidden; tests share their output */
  readonly hideSecrets?:
    ((secrets: readonly { mask: (text: string) => string }[]) => void) | undefined;
  /**
   * Starts a guard process: of the command `guard` with these arguments. `say` tells the operator what becomes of it.
   * @defaultValue none is started; tests bring no compiled program
   */
  readonly startGuard?:
    ((args: readonly string[], say: (line: string) => void) => GuardLink) | undefined;
  /** Whose guard process this is. @defaultValue it is none */
  readonly owner?: OwnerLink | undefined;
  /** Asks for a line on a terminal; undefined when input ends instead. @defaultValue nobody can be asked */
  readonly ask?: ((question: string) => Promise<string | undefined>) | undefined;
  /** Reads Feather and Parquet. @defaultValue `readInThread`; tests, which run uncompiled, read in their own thread */
  readonly readBinaryFile?: ReadBinaryFile | undefined;
  /** Runs the combinations of a sweep. @defaultValue `createTrialPool`; tests, which run uncompiled, run them in their own thread */
  readonly createTrialRunner?: CreateTrialRunner | undefined;
  /** Runs the jobs of an audit. @defaultValue threads; tests, which run uncompiled, run them in their own thread */
  readonly createAuditRunner?: CreateAuditRunner | undefined;
  /** Checks the types of a plugin before a session. @defaultValue `checkTypesInThread`; tests, which run uncompiled, check in their own thread */
  readonly checkTypes?: ((plugin: string) => Promise<TypeCheck>) | undefined;
  /** Sets the code for an end without an error; 3 when a check found something. Errors set their own. */
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
