import { spawn } from 'node:child_process';
import { mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { hasSystemCode } from '../../archive/index.js';
import { UsageError } from '../../domain/index.js';
import { commandWords, listOf, type ToolInput } from './command-words.js';
import { findLedger } from './find-ledger.js';
import { cutLists } from './cut-lists.js';
import type { CommandTool } from './list-tools.js';
import { isWithin, requireInputWithin, requireWithin } from './require-within.js';

const MAIN = new URL('../main.js', import.meta.url);
/** Most characters of a command's messages that are passed on; of longer text, the end. */
const MOST_TEXT = 20_000;
/** Most characters of a document that is read. */
const MOST_OUTPUT = 64_000_000;
/** Time for a command to end after its call is canceled; then it is killed. */
const MOST_ENDING_MS = 10_000;

export interface CallGround {
  /** Absolute folder that commands run in. */
  readonly root: string;
  /** Absolute folder of kept documents. */
  readonly results: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Runs a command in a process of its own, and answers with its messages and its document. A canceled call ends the process; a call canceled before
 * its start does nothing.
 */
export async function callCommand(
  tool: CommandTool,
  input: ToolInput,
  ground: CallGround,
  signal: AbortSignal,
): Promise<CallToolResult> {
  signal.throwIfAborted();
  const { root, results } = ground;
  requireWords(input);
  requireInputWithin(tool, input, root);
  // A strategy can have changed it to a link.
  requireWithin(root, { name: 'results', given: results });
  const found = await findLedger(input, root);
  // The configuration may name an archive elsewhere, with the ledger beside it.
  if (found !== undefined && isWithin(root, found))
    requireWithin(root, { name: 'ledger', given: found });
  const kept = tool.isKept ? await reserveFile(ground.results, tool.name) : undefined;
  const ledger = tool.name === 'backtest' ? found : undefined;
  const words = commandWords(tool, input, { json: kept ?? '-', ledger, results });
  const ended = await run(words, ground, signal).catch(async (error: unknown) => {
    if (kept !== undefined) await rm(kept, { force: true });
    throw error;
  });
  const text = kept === undefined ? documentText(ended) : await readKept(kept);
  const isFailed = (ended.code !== 0 && ended.code !== FOUND) || (kept ?? text) === undefined;
  return {
    content: [
      ...told(ended, kept !== undefined),
      ...documentOf(text, kept && path.relative(ground.root, kept)),
    ],
    ...(isFailed && { isError: true }),
  };
}

/** @throws {UsageError} `E_USAGE` for a text with a NUL, which ends a word of a command line, and the path of a file. */
function requireWords(input: ToolInput): void {
  for (const [name, value] of Object.entries(input))
    for (const text of listOf(value))
      if (text.includes('\0'))
        throw new UsageError(
          'E_USAGE',
          `${name}: expected text without the character NUL, received ${JSON.stringify(text)}`,
        );
}

/** Exit code of a check that found a violation. It is an answer, not a failure. */
const FOUND = 3;

/** Returns the first of `NAME-1.json`, `NAME-2.json` … that does not exist, and makes it empty, so that two calls never get the same file. */
async function reserveFile(folder: string, name: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  for (let number = 1; ; number += 1) {
    const file = path.join(folder, `${name}-${String(number)}.json`);
    try {
      await (await open(file, 'wx')).close();
      return file;
    } catch (error: unknown) {
      if (!hasSystemCode(error, 'EEXIST')) throw error;
    }
  }
}

/** Reads a kept document; undefined if it is too long. An empty file is removed: the command has written none. */
async function readKept(file: string): Promise<string | undefined> {
  const { size } = await stat(file);
  if (size === 0) await rm(file, { force: true });
  if (size > MOST_OUTPUT) return undefined;
  return size === 0 ? '' : readFile(file, 'utf8');
}

function documentText({ stdout, isCut }: Ended): string | undefined {
  return isCut ? undefined : stdout;
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  /** Whether the end of `stdout` is missing, because it was too long. */
  readonly isCut: boolean;
  readonly stderr: string;
}

/** Resolves when the process has ended, also after a cancel: then its last files are complete, and the next search may use the cores. */
async function run(
  words: readonly string[],
  ground: CallGround,
  signal: AbortSignal,
): Promise<Ended> {
  // It may have been canceled since the call began, and an abort that is over is not heard.
  signal.throwIfAborted();
  const child = spawn(process.execPath, [fileURLToPath(MAIN), ...words], {
    cwd: ground.root,
    env: { ...ground.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  let ending: NodeJS.Timeout | undefined;
  const end = (): void => {
    child.kill('SIGINT');
    ending = setTimeout(() => child.kill('SIGKILL'), MOST_ENDING_MS);
  };
  signal.addEventListener('abort', end, { once: true });
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    signal.throwIfAborted();
    return {
      code,
      stdout: stdout.parts.join(''),
      isCut: stdout.length > MOST_OUTPUT,
      stderr: stderr.parts.join(''),
    };
  } finally {
    signal.removeEventListener('abort', end);
    clearTimeout(ending);
  }
}

interface Collected {
  readonly parts: string[];
  /** Number of all characters, also of those that were not kept. */
  length: number;
}

function collect(stream: Readable): Collected {
  const collected: Collected = { parts: [], length: 0 };
  stream.setEncoding('utf8').on('data', (part: string) => {
    collected.length += part.length;
    if (collected.length <= MOST_OUTPUT) collected.parts.push(part);
  });
  return collected;
}

/** The messages that a person would have read. */
function told({ code, stdout, stderr }: Ended, isKept: boolean): CallToolResult['content'] {
  const found = code === FOUND ? 'exit code 3: a check found a violation\n' : '';
  const text = `${found}${isKept ? stdout : ''}${stderr}`.slice(-MOST_TEXT);
  return text === '' ? [] : [{ type: 'text', text }];
}

/** @param text - undefined if it is too long. */
function documentOf(text: string | undefined, file: string | undefined): CallToolResult['content'] {
  if (text === '') return [];
  if (text === undefined) {
    const most = `${String(MOST_OUTPUT / 1_000_000)} MB`;
    const advice = file === undefined ? 'ask for less' : 'other tools still take the file';
    return [{ type: 'text', text: `${file ?? 'the answer'}: more than ${most}; ${advice}` }];
  }
  const cut = cutLists(JSON.parse(text), file ?? 'the answer of the command itself');
  return [{ type: 'text', text: `${file === undefined ? '' : `${file}\n`}${JSON.stringify(cut)}` }];
}
