import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { BinaryFileRequest, BinaryRows, ReadBinaryFile } from '../../archive/index.js';
import { DataError, InvariantError, type ErrorCode } from '../../domain/index.js';
import type { CliContext } from '../cli-context.js';

/** The answer of the thread. */
export type ReadAnswer =
  | { readonly status: 'read'; readonly rows: BinaryRows }
  | { readonly status: 'failed'; readonly code: ErrorCode; readonly message: string };

interface ThreadOptions {
  /** Ends the reading. */
  readonly signal: AbortSignal | undefined;
  /** Longest time that reading may take. @defaultValue 20 s, and 1 s more per megabyte */
  readonly limitMs?: number | undefined;
  /** Module that runs in the thread. @defaultValue the compiled one beside this */
  readonly entry?: URL | undefined;
}

/** Returns the function that reads Feather and Parquet files for the commands. */
export function binaryReader({ readBinaryFile }: CliContext): ReadBinaryFile {
  return readBinaryFile ?? ((request, signal) => readInThread(request, { signal }));
}

/** Loading the libraries and reading a small file takes 0.2 s on an idle core. */
const LEAST_LIMIT_MS = 20_000;
/** Reading row groups of ten million rows takes half of this memory. */
const MOST_HEAP_MB = 2_048;
/** Fifty times the measured time on an idle core. */
const LIMIT_MS_PER_BYTE = 1e-3;

/**
 * Reads a Feather or Parquet file in a thread of its own, and ends the thread when it takes too long: the libraries loop for ever on some damaged
 * files.
 *
 * @throws {DataError} as `readBinaryFile`; `E_DATA_CORRUPT` naming the file when the limit has passed, or when reading takes more memory than there
 * is; {@link InvariantError} `E_MISSING` if the thread ends without an answer; the signal's reason when it is aborted.
 */
export async function readInThread(
  request: BinaryFileRequest,
  { signal, limitMs, entry = new URL('./read-file.thread.js', import.meta.url) }: ThreadOptions,
): Promise<BinaryRows> {
  const limit = limitMs ?? (await defaultLimit(request.path));
  signal?.throwIfAborted();
  const worker = new Worker(entry, {
    workerData: request,
    resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MB },
  });
  try {
    const answer = await firstAnswer(worker, { path: request.path, limitMs: limit, signal });
    if (answer.status === 'failed') throw new DataError(answer.code, answer.message);
    return answer.rows;
  } finally {
    await worker.terminate();
  }
}

async function defaultLimit(path: string): Promise<number> {
  // A missing file is reported when it is opened.
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  return LEAST_LIMIT_MS + size * LIMIT_MS_PER_BYTE;
}

interface Waiting {
  readonly path: string;
  readonly limitMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Waits for the thread's answer, its failure, the limit or the signal, whichever comes first. */
async function firstAnswer(
  worker: Worker,
  { path, limitMs, signal }: Waiting,
): Promise<ReadAnswer> {
  let timer: NodeJS.Timeout | undefined;
  let interrupt: (() => void) | undefined;
  try {
    return await new Promise<ReadAnswer>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', (error) => {
        reject(explain(error, path));
      });
      worker.once('exit', (code) => {
        const text = `${path}: the thread that reads it ended with ${String(code)} and without an answer`;
        reject(new InvariantError('E_MISSING', text));
      });
      timer = setTimeout(() => {
        reject(damaged(path, `reading it did not end within ${String(limitMs / 1_000)} s`));
      }, limitMs);
      interrupt = () => {
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', interrupt);
    });
  } finally {
    clearTimeout(timer);
    if (interrupt !== undefined) signal?.removeEventListener('abort', interrupt);
  }
}

function explain(error: Error, path: string): Error {
  const isMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isMemory ? damaged(path, 'reading it needs too much memory', error) : error;
}

function damaged(path: string, what: string, cause?: Error): DataError {
  return new DataError(
    'E_DATA_CORRUPT',
    `${path}: ${what}: the file is damaged; if it is not, convert it to CSV`,
    { cause },
  );
}
