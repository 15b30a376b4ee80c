import type { Job, Worker } from 'bullmq';
import { DataError } from '../domain/index.js';
import { TrialCrash, type TrialJob, type TrialRunner } from '../research/index.js';
import {
  chunkSchema,
  idOfChunk,
  parseTrials,
  writeRuns,
  type Chunk,
  type ChunkResult,
  type ChunkRun,
} from './messages.js';

import { queueOf } from './search-board.js';
import type { Seal } from './seal.js';
import { MOST_ATTEMPTS } from './sent-chunks.js';
import { PREFIX, type QueueServer } from './server.js';
import { SuspectGate } from './suspect-gate.js';

interface ChunkWorkerOptions {
  readonly server: QueueServer;
  readonly search: string;
  readonly seal: Seal | undefined;
  readonly runner: TrialRunner;
  /** After this time without a sign of life from its worker, a chunk goes to another worker; milliseconds. */
  readonly lockMs: number;
  readonly say: (line: string) => void;
}

/**
 * Runs chunks of one search. It takes one chunk more than there are threads, so that no thread waits for the queue. A chunk that broke a worker
 * before runs alone.
 */
export class ChunkWorker {
  readonly #options: ChunkWorkerOptions;
  readonly #worker: Worker<Chunk, ChunkResult>;
  readonly #gate = new SuspectGate();

  constructor(options: ChunkWorkerOptions) {
    const { server, search, runner, lockMs } = options;
    this.#options = options;
    this.#worker = new server.bull.Worker<Chunk, ChunkResult>(
      queueOf(search),
      (job) => this.#gate.pass(job.stalledCounter > 0, () => this.#process(job)),
      {
        connection: server.redis,
        prefix: PREFIX,
        concurrency: runner.jobs + 1,
        lockDuration: lockMs,
        stalledInterval: lockMs,
        maxStalledCount: MOST_ATTEMPTS - 1,
        // After a lost connection, try the server again soon.
        runRetryDelay: 1_000,
      },
    );
    // Such errors need no handling here: another worker has the chunk by now, or the server is away. The next use of either meets the error again.
    this.#worker.on('error', () => undefined);
    this.#worker.on('failed', (job, { message }) => {
      options.say(`chunk ${job?.id ?? 'of another worker'}: ${message}`);
    });
  }

  /** Whether this worker takes chunks. */
  get isTaking(): boolean {
    return !this.#worker.isPaused();
  }

  /** Takes no further chunk. Chunks that run are finished. */
  async rest(): Promise<void> {
    await this.#worker.pause(true);
  }

  async resume(): Promise<void> {
    await this.#worker.resume();
  }

  /** Takes no further chunk. Resolves when the running chunks are finished and returned. */
  async finish(): Promise<void> {
    await this.#worker.close();
    await this.#options.runner.close();
  }

  /** Drops the running chunks. */
  async stop(): Promise<void> {
    await this.#options.runner.close();
    await this.#worker.close(true);
  }

  async #process(job: Job<Chunk, ChunkResult>): Promise<ChunkResult> {
    const { search, seal } = this.#options;
    const id = job.id ?? '';
    const trials = this.#read(id, job.data);
    const runs = writeRuns(await Promise.all(trials.map((trial) => this.#run(trial))));
    const signature = seal?.sign('result', search, id, runs);
    return { runs, ...(signature !== undefined && { signature }) };
  }

  /** @throws {DataError} `E_QUEUE_MESSAGE` if the data is no chunk of this search, or has no valid signature of a trusted coordinator. */
  #read(id: string, data: unknown): readonly TrialJob[] {
    const { search, seal } = this.#options;
    const chunk = chunkSchema.safeParse(data).data;
    const isOfSearch = chunk !== undefined && idOfChunk(search, chunk.trials) === id;
    const isSealed =
      seal === undefined ||
      (isOfSearch && seal.verifies(chunk.signature, 'chunk', search, chunk.trials));
    const trials = isOfSearch && isSealed ? parseTrials(chunk.trials) : undefined;
    if (trials !== undefined) return trials;
    throw new DataError(
      'E_QUEUE_MESSAGE',
      `expected a chunk of the search ${search}${seal === undefined ? '' : ' with its signature'}, received something else; it was not run`,
    );
  }

  async #run(trial: TrialJob): Promise<ChunkRun> {
    try {
      return await this.#options.runner.run(trial);
    } catch (error: unknown) {
      if (error instanceof TrialCrash) return { crash: error.message };
      throw error;
    }
  }
}
