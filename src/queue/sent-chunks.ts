import type { Queue } from 'bullmq';
import { type TrialJob } from '../research/index.js';
import {
  chunkSchema,
  idOfChunk,
  keyOfTrial,
  parseJson,
  parseRuns,
  parseTrials,
  resultSchema,
  writeTrials,
  type Chunk,
  type ChunkResult,
  type ChunkRun,
} from './messages.js';
import type { Seal } from './seal.js';
import { queueOf } from './search-board.js';
import { PREFIX, type QueueServer } from './server.js';

/** How often a chunk may break its worker. */
export const MOST_ATTEMPTS = 3;

/** A combination that is asked for, and its key. */
export interface AskedJob {
  readonly job: TrialJob;
  readonly key: string;
}

/** A chunk of this coordinator, in this life or an earlier one. */
export interface SentChunk {
  readonly id: string;
  readonly data: Chunk;
  /** Of its combinations, in their order. */
  readonly keys: readonly string[];
}

export interface SentChunksOptions {
  readonly server: QueueServer;
  /** Name of the search. */
  readonly search: string;
  readonly seal: Seal | undefined;
}

/** The chunks of one search as the server has them. */
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
    // What fails is met where it was asked for.
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

  /** Puts chunks on the server; those that are there stay as they are. */
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

  /** Those of the chunks that are not on the server. */
  async findLost(chunks: readonly SentChunk[]): Promise<readonly SentChunk[]> {
    const pipeline = this.#options.server.redis.pipeline();
    for (const { id } of chunks) pipeline.exists(this.#queue.toKey(id));
    const answers = (await pipeline.exec()) ?? [];
    return chunks.filter((_, index) => answers[index]?.[1] === 0);
  }

  /** A chunk that this coordinator made in an earlier life; undefined for any other. */
  async read(id: string): Promise<SentChunk | undefined> {
    const { server, search, seal } = this.#options;
    const text = await server.redis.hget(this.#queue.toKey(id), 'data');
    const data = parseJson(text ?? '', chunkSchema);
    if (data === undefined || idOfChunk(search, data.trials) !== id) return undefined;
    if (seal !== undefined && !seal.verifies(data.signature, 'chunk', search, data.trials))
      return undefined;
    const keys = parseTrials(data.trials)?.map(keyOfTrial);
    return keys && { id, data, keys };
  }

  /** What is stored as the results of chunks, in their order, whoever wrote it. */
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

  /** Reads what a worker that is trusted returned of a chunk; undefined for anything else. */
  runsOf({ id, keys }: SentChunk, answer: string): readonly ChunkRun[] | undefined {
    const { search, seal } = this.#options;
    const result = parseJson(answer, resultSchema);
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

  /** Has workers take no further chunk. */
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
