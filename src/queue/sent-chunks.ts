import type { Queue } from 'bullmq';
import { type TrialJob } from '../research/index.js';
import {
  chunkSchema,
  idOfChunk,
  keyOfTrial,
  parseMessage,
  parseRuns,
  parseTrials,
  chunkResultSchema,
  writeTrials,
  type Chunk,
  type ChunkResult,
  type ChunkRun,
} from './messages.js';
import type { Seal } from './seal.js';
import { queueOf } from './search-board.js';
import { PREFIX, type QueueServer } from './server.js';

/** A chunk is given up after it broke its worker, or failed, this many times. */
export const MOST_ATTEMPTS = 3;

/** A combination that the caller asked for, and its key. */
export interface AskedJob {
  readonly job: TrialJob;
  readonly key: string;
}

/** A chunk of this coordinator, from this run or an earlier one. */
export interface SentChunk {
  readonly id: string;
  readonly data: Chunk;
  /** Keys of its combinations, in their order. */
  readonly keys: readonly string[];
}

interface SentChunksOptions {
  readonly server: QueueServer;
  /** Name of the search. */
  readonly search: string;
  readonly seal: Seal | undefined;
}

/** The chunks of one search on the server. */
export class SentChunks {
  readonly #options: SentChunksOptions;
  readonly #queue: Queue<Chunk, ChunkResult>;

  constructor(options: SentChunksOptions) {
    const { server, search } = options;
    this.#options = options;
    this.#queue = new server.bull.Queue(queueOf(search), {
      connection: server.redis,
      prefix: PREFIX,
      defaultJobOptions: { attempts: MOST_ATTEMPTS, removeOnComplete: false, removeOnFail: false },
    });
    // The call that fails reports the error.
    this.#queue.on('error', () => undefined);
  }

  /** Makes a chunk, which is not on the server yet. */
  make(asked: readonly AskedJob[]): SentChunk {
    const { search, seal } = this.#options;
    const trials = writeTrials(asked.map(({ job }) => job));
    const signature = seal?.sign('chunk', search, trials);
    const data = { trials, ...(signature !== undefined && { signature }) };
    return { id: idOfChunk(search, trials), data, keys: asked.map(({ key }) => key) };
  }

  /** Puts chunks on the server. Chunks that are there already stay unchanged. */
  async add(chunks: readonly SentChunk[]): Promise<void> {
    await this.#queue.addBulk(
      chunks.map(({ id, data }) => ({ name: 'chunk', data, opts: { jobId: id } })),
    );
  }

  async remove(id: string): Promise<void> {
    await this.#queue.remove(id);
  }

  /** Ids of chunks that wait or run. */
  async openIds(): Promise<readonly string[]> {
    const { redis } = this.#options.server;
    const lists = await Promise.all(
      ['wait', 'paused', 'active'].map((list) => redis.lrange(this.#queue.toKey(list), 0, -1)),
    );
    return lists.flat();
  }

  ids(state: 'completed' | 'failed'): Promise<readonly string[]> {
    return this.#options.server.redis.zrange(this.#queue.toKey(state), 0, -1);
  }

  /** Returns those of the chunks that are not on the server. */
  async findLost(chunks: readonly SentChunk[]): Promise<readonly SentChunk[]> {
    const pipeline = this.#options.server.redis.pipeline();
    for (const { id } of chunks) pipeline.exists(this.#queue.toKey(id));
    const answers = (await pipeline.exec()) ?? [];
    return chunks.filter((_, index) => answers[index]?.[1] === 0);
  }

  /** Reads a chunk that an earlier run of this coordinator sent. Undefined if its data does not match its id or has no valid signature. */
  async read(id: string): Promise<SentChunk | undefined> {
    const { server, search, seal } = this.#options;
    const text = await server.redis.hget(this.#queue.toKey(id), 'data');
    const data = parseMessage(text ?? '', chunkSchema);
    if (data === undefined || idOfChunk(search, data.trials) !== id) return undefined;
    if (seal !== undefined && !seal.verifies(data.signature, 'chunk', search, data.trials))
      return undefined;
    const keys = parseTrials(data.trials)?.map(keyOfTrial);
    return keys && { id, data, keys };
  }

  /** Stored answers of chunks, in order and unchecked; '' if there is no answer. */
  async readAnswers(ids: readonly string[]): Promise<readonly string[]> {
    if (ids.length === 0) return [];
    const pipeline = this.#options.server.redis.pipeline();
    for (const id of ids) pipeline.hget(this.#queue.toKey(id), 'returnvalue');
    const answers = (await pipeline.exec()) ?? [];
    return ids.map((_, index) => {
      const text = answers[index]?.[1];
      return typeof text === 'string' ? text : '';
    });
  }

  /** Reads the results that a trusted worker returned for a chunk. Undefined for any other answer. */
  runsOf({ id, keys }: SentChunk, answer: string): readonly ChunkRun[] | undefined {
    const { search, seal } = this.#options;
    const result = parseMessage(answer, chunkResultSchema);
    if (result === undefined) return undefined;
    const { runs, signature } = result;
    if (seal !== undefined && !seal.verifies(signature, 'result', search, id, runs))
      return undefined;
    return parseRuns(runs, keys.length);
  }

  async reasonOf(id: string): Promise<string> {
    const reason = await this.#options.server.redis.hget(this.#queue.toKey(id), 'failedReason');
    return reason ?? 'no reason';
  }

  /** Workers take no further chunk of this search until `resume`. */
  async pause(): Promise<void> {
    await this.#queue.pause();
  }

  async resume(): Promise<void> {
    await this.#queue.resume();
  }

  async close(): Promise<void> {
    await this.#queue.close();
  }
}
