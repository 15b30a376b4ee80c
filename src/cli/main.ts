#!/usr/bin/env node
import { isatty } from 'node:tty';
import { reasonOf } from '../domain/index.js';
import type { TextOutput } from './cli-context.js';
import { keepCompiledCode } from './compile-cache.js';
import { sendConsoleToStderr } from './console-to-stderr.js';
import { reportFailure } from './describe-error.js';
import { interruptPatience } from './interrupt/interrupt-patience.js';
import { watchInterrupts } from './interrupt/watch-interrupts.js';
import { GUARD_PROCESS, ownerLink, spawnGuard } from './live/guard/spawn-guard.js';
import { startHangGuard } from './live/hang-guard.js';
import { OutputMask } from './output-mask.js';
import { runCli } from './run-cli.js';
import {
  collectYoungAlone,
  compileByLength,
  compileSeldom,
  keepYoungObjectsYoung,
} from './v8-flags.js';

/** Rights of other users on a file. */
const OF_OTHERS = 0o077;
const STDIN = 0;

const interrupt = new AbortController();
const patience = interruptPatience();
let isTerminating = false;
let isWatching = false;

process.on('SIGINT', onInterrupt);

function onInterrupt(): void {
  // The second request to end, of either kind, ends the process at once.
  if (interrupt.signal.aborted || isTerminating) process.exit(130);
  interrupt.abort(new Error('interrupted'));
  setTimeout(() => {
    if (patience.isEndless) return;
    process.stderr.write('interrupted\n');
    process.exit(130);
  }, patience.limitMs);
}

// Such an error comes from no call of a command: a plugin's promise or timer, for example. Only its stack names the file.
process.on('uncaughtException', (error: unknown) => {
  reportFailure(error, { stderr: process.stderr, isDebug: process.argv.includes('--debug') });
  process.exit(1);
});

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // The reader has closed the pipe, as `| head` does. This is no failure.
    if (error.code === 'EPIPE') process.exit();
    if (stream === process.stdout) {
      process.stderr.write(`cannot write to standard output: ${reasonOf(error)} (E_OUTPUT)\n`);
    }
    process.exit(1);
  });
}

const outputMask = new OutputMask();
outputMask.guard(process.stdout);
outputMask.guard(process.stderr);
sendConsoleToStderr();
const words = process.argv.slice(2);
// Journals, results and archives show what the user holds. Only `new` makes files with the user's normal rights: they are the user's own code.
if (words[0] !== 'new') process.umask(OF_OTHERS);
// Options such as help and version run nothing.
if (words.some((word) => !word.startsWith('-'))) {
  keepYoungObjectsYoung();
  if (words[0] === 'backtest') collectYoungAlone();
  keepCompiledCode(process.env);
}
process.exitCode = await runCli(words, {
  stdout: textOutput(process.stdout),
  stderr: textOutput(process.stderr),
  env: process.env,
  cwd: process.cwd(),
  signal: interrupt.signal,
  onTerminate: (action) => {
    const listener = (): void => {
      isTerminating = true;
      action();
    };
    process.once('SIGTERM', listener);
    return () => process.off('SIGTERM', listener);
  },
  watchInterrupts: () => {
    if (!isWatching) watchInterrupts(onInterrupt, patience);
    isWatching = true;
  },
  addLoading: patience.addLoading,
  endsInOrder: () => {
    patience.isEndless = true;
  },
  guardAgainstHang: (limitMs, say) => startHangGuard({ limitMs, say }),
  forgetSecrets,
  compileByLength,
  compileSeldom,
  hideSecrets: (secrets) => {
    outputMask.hide(secrets);
  },
  startGuard: spawnGuard,
  owner: words[0] === GUARD_PROCESS ? ownerLink() : undefined,
  // `isatty` needs no stream: making the stream of the input takes time, and few commands read it.
  ask: isatty(STDIN) && process.stderr.isTTY ? askOnTerminal : undefined,
});
// Timers that a plugin left behind must not keep the process alive.
await drain(process.stdout);
await drain(process.stderr);
process.exit();

/** Deletes all environment variables except those that Node, the terminal and the user's folders need. None of these names holds a secret. */
function forgetSecrets(): void {
  const harmless =
    /^(?:PATH|HOME|USER|TMPDIR|TEMP|TMP|LANG|LC_[A-Z]+|TZ|TERM|COLUMNS|NO_COLOR|XDG_[A-Z]+_(?:HOME|DIR))$/;
  for (const name of Object.keys(process.env))
    if (!harmless.test(name)) Reflect.deleteProperty(process.env, name);
}

/** Asks a question. Ctrl-C and the end of input give undefined. */
async function askOnTerminal(question: string): Promise<string | undefined> {
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new AbortController();
  terminal.once('close', () => ended.abort());
  terminal.once('SIGINT', onInterrupt);
  try {
    const signal = AbortSignal.any([ended.signal, interrupt.signal]);
    return await terminal.question(question, { signal });
  } catch {
    return undefined;
  } finally {
    terminal.close();
  }
}

/** Waits until everything is written, or its failure has been reported. */
async function drain(stream: NodeJS.WriteStream): Promise<void> {
  await new Promise<void>((resolve) => {
    // The callback comes before the error event of the same write.
    stream.write('', () => setImmediate(resolve));
  });
}

function textOutput(stream: NodeJS.WriteStream): TextOutput {
  return {
    write: (text) => void stream.write(text),
    isTerminal: stream.isTTY,
    columns: stream.isTTY ? knownSize(stream.columns) : undefined,
    get rows() {
      return stream.isTTY ? knownSize(stream.rows) : undefined;
    },
  };
}

/** A terminal that does not know its size says 0, such as one of a container or of a program that opens it. */
function knownSize(size: number): number | undefined {
  return size > 0 ? size : undefined;
}
