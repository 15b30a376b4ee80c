/** Entry of the thread of {@link readInThread}: reads one file, answers once, and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { readBinaryFile, type BinaryFileRequest } from '../../archive/index.js';
import { DataError } from '../../domain/index.js';
import type { ReadAnswer } from './read-in-thread.js';

const answer = await read(workerData as BinaryFileRequest);
const memory = answer.status === 'read' ? [...answer.rows.columns, answer.rows.numbers] : [];
parentPort?.postMessage(
  answer,
  memory.map(({ buffer }) => buffer as ArrayBuffer),
);

async function read(request: BinaryFileRequest): Promise<ReadAnswer> {
  try {
    return { status: 'read', rows: await readBinaryFile(request) };
  } catch (error: unknown) {
    // An error loses its class on the way between threads. Other errors are internal ones and end the thread.
    if (!(error instanceof DataError)) throw error;
    return { status: 'failed', code: error.code, message: error.message };
  }
}
