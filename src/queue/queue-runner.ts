import type { Queue } from 'bullmq';
import { DataError } from '../domain/index.js';
import {
  TrialCrash,
  type SweepProgress,
  type TrialJob,
  type TrialRun,
  type TrialRunner,
} from '../research/index.js';
import { chunkSize, MOST_PER_CHUNK } from './chunk-size.js';
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
import type { QueueTime } from './queue-time.js';
import { queueOf, type SearchBoard, type SearchProgress } from './search-board.js';
import type { Seal } from './seal.js';
import { PREFIX, type QueueServer } from './server.js';

/** Combinations that are handed out ahead of what has come back: more keep no worker busier, and lie in the server's memory. */
const MOST_AHEAD = 1_000 * MOST_PER_CHUNK;
/** Between two looks at what has come back. */
const LOOK_MS = 20;
/** Between two signs of life, and looks at what was asked of the search. */
const TELL_MS = 1_000;
/** Between two searches for chunks that the server lost. */
const CHECK_MS = 5_000;
/** How often a chunk may break its worker. */
export const MOST_ATTEMPTS = 3;
/** How long a server that is away keeps a search from ending. */
const CLOSE_MS = 3_000;

export interface QueueRunnerOptions {
  readonly server: QueueServer;
  readonly board: SearchBoard;
  /** Name of the search. */
  readonly search: string;
  /** Signs chunks and checks results. @defaultValue they have no signatures */
  readonly seal?: Seal | undefined;
  /** Combinations that will be run, as far as that is known. */
  readonly count: number;
  /** Resolves when what was returned before is safe: the queue then forgets it. @defaultValue at once */
  readonly synced?: (() => Promise<void>) | undefined;
  readonly time: QueueTime;
  /** Told what a user should know: workers that refuse, chunks that broke. */
  readonly say: (line: string) => void;
}

interface Waiter {
  readonly resolve: (run: TrialRun) => void;
  readonly reject: (error: unknown) => void;
}

/** A chunk that is on the queue, as it was added. */
interface SentChunk {
  readonly data: Chunk;
  readonly keys: readonly string[];
  /** How often what came back was none of a worker's. */
  spoiled: number;
}

/**
 * Hands combinations to the workers of a queue in chunks, and takes what they return: one more pool beside that of threads.
 *
 * What is on the queue from an earlier life of the coordinator is taken up: a combination that has come back is not run again, one that is on
 * its way is waited for. The queue keeps a result until what was made of it is safe.
 */
export class QueueRunner implements TrialRunner {
  readonly jobs: number;
  readonly #options: QueueRunnerOptions;
  readonly #queue: Queue<Chunk, ChunkResult>;
  readonly #chunks = new Map<string, SentChunk>();
  /** Which combinations are on the queue, or have come back and nobody has asked for them yet. */
  readonly #placed = new Set<string>();
  readonly #waiters = new Map<string, Waiter[]>();
  /** What came back before it was asked for, and of which chunk. */
  readonly #early = new Map<string, { readonly run: ChunkRun; readonly chunk: string }>();
  /** Chunks that came back, with the number of combinations that nobody has asked for. */
  readonly #unasked = new Map<string, number>();
  /** Chunks that can be forgotten when all that was returned is safe. */
  #settled: string[] = [];
  #fresh: TrialJob[] = [];
  #threads = 0;
  #failure: { readonly error: unknown } | undefined;
  #progress: SearchProgress = { done: 0, total: 0, failed: 0, leftMs: null };
  readonly #refusals = new Set<string>();
  readonly #stop = new AbortController();
  #loop: Promise<void> = Promise.resolve();
  #closing: Promise<void> | undefined;

  private constructor(options: QueueRunnerOptions) {
    const { server, search, count } = options;
    this.#options = options;
    this.jobs = Math.max(1, Math.min(count, MOST_AHEAD));
    this.#queue = new server.bull.Queue(queueOf(search), {
      connection: server.redis,
      prefix: PREFIX,
      defaultJobOptions: { attempts: MOST_ATTEMPTS, removeOnComplete: false, removeOnFail: false },
    });
    this.#queue.on('error', () => undefined);
  }

  /** Takes up what is on the queue of the search, and begins. The search must be on the board. */
  static async start(options: QueueRunnerOptions): Promise<QueueRunner> {
    const runner = new QueueRunner(options);
    await runner.#adopt();
    runner.#loop = runner.#watch();
    return runner;
  }

  run(job: TrialJob): Promise<TrialRun> {
    if (this.#failure !== undefined) return Promise.reject(asError(this.#failure.error));
    const key = keyOfTrial(job);
    return new Promise((resolve, reject) => {
      const waiter = { resolve, reject };
      const early = this.#early.get(key);
      if (early !== undefined) {
        this.#early.delete(key);
        this.#placed.delete(key);
        answer([waiter], early.run);
        this.#ask(early.chunk);
        return;
      }
      const others = this.#waiters.get(key);
      if (others !== undefined) others.push(waiter);
      else this.#waiters.set(key, [waiter]);
      if (this.#placed.has(key)) return;
      this.#placed.add(key);
      if (this.#fresh.push(job) > 1) return;
      void this.#options.time.nextTurn().then(() => {
        this.#send();
      });
    });
  }

  /** Has the board say how far the search is. */
  tell({ done, total, failed }: SweepProgress, leftMs: number | undefined): void {
    this.#progress = { done, total, failed, leftMs: leftMs ?? null };
  }

  /** Ends the search: what is on the queue is taken off, and workers stop at once. */
  close(): Promise<void> {
    this.#fail(new Error('the search has ended'));
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { board, search, server, time, say } = this.#options;
    const limit = new AbortController();
    const ended = async (): Promise<boolean> => {
      await this.#loop;
      await board.remove(search);
      await this.#queue.close();
      return true;
    };
    const late = time.sleep(CLOSE_MS, limit.signal).then(() => false);
    const isRemoved = await Promise.race([ended().catch(() => false), late]);
    limit.abort();
    if (!isRemoved)
      say(`the search ${search} stays on the queue: queue cancel ${search} removes it`);
    server.close();
  }

  /** What an earlier coordinator left: chunks that wait, that run, that have come back. */
  async #adopt(): Promise<void> {
    const { search, server } = this.#options;
    const key = (part: string): string => `${PREFIX}:${queueOf(search)}:${part}`;
    const { redis } = server;
    const ids = [
      ...(await redis.lrange(key('wait'), 0, -1)),
      ...(await redis.lrange(key('paused'), 0, -1)),
      ...(await redis.lrange(key('active'), 0, -1)),
    ];
    for (const id of ids) await this.#adoptChunk(id);
    await this.#queue.resume();
    // It may be tried again.
    for (const id of await redis.zrange(key('failed'), 0, -1)) await this.#queue.remove(id);
    await this.#look();
  }

  async #adoptChunk(id: string): Promise<SentChunk | undefined> {
    const text = await this.#options.server.redis.hget(this.#queue.toKey(id), 'data');
    const data = parseJson(text ?? '', chunkSchema);
    const trials = data && this.#trialsOf(id, data);
    if (data === undefined || trials === undefined) return undefined;
    const chunk = { data, keys: trials.map(keyOfTrial), spoiled: 0 };
    this.#chunks.set(id, chunk);
    for (const trial of chunk.keys) this.#placed.add(trial);
    return chunk;
  }

  /** The combinations of a chunk that this coordinator made in an earlier life; undefined for any other. */
  #trialsOf(id: string, { trials, signature }: Chunk): readonly TrialJob[] | undefined {
    const { search, seal } = this.#options;
    if (idOfChunk(search, trials) !== id) return undefined;
    if (seal !== undefined && !seal.verifies(signature, 'chunk', search, trials)) return undefined;
    return parseTrials(trials);
  }

  /** Makes chunks of what was asked for in this turn. */
  #send(): void {
    const fresh = this.#fresh;
    this.#fresh = [];
    if (this.#failure !== undefined) return;
    const size = chunkSize({ open: this.#waiters.size, threads: this.#threads });
    const made: { readonly id: string; readonly data: Chunk }[] = [];
    for (let from = 0; from < fresh.length; from += size) {
      const jobs = fresh.slice(from, from + size);
      made.push(this.#makeChunk(jobs));
    }
    void this.#add(made);
  }

  #makeChunk(jobs: readonly TrialJob[]): { readonly id: string; readonly data: Chunk } {
    const { search, seal } = this.#options;
    const trials = writeTrials(jobs);
    const signature = seal?.sign('chunk', search, trials);
    const data = { trials, ...(signature !== undefined && { signature }) };
    const id = idOfChunk(search, trials);
    this.#chunks.set(id, { data, keys: jobs.map(keyOfTrial), spoiled: 0 });
    return { id, data };
  }

  async #add(chunks: readonly { readonly id: string; readonly data: Chunk }[]): Promise<void> {
    try {
      await this.#queue.addBulk(
        chunks.map(({ id, data }) => ({ name: 'chunk', data, opts: { jobId: id } })),
      );
    } catch (error: unknown) {
      this.#fail(error);
    }
  }

  /** Looks again and again until the search ends. */
  async #watch(): Promise<void> {
    const { signal } = this.#stop;
    const { time } = this.#options;
    let [toldAt, checkedAt] = [-Infinity, time.elapsed()];
    try {
      while (!signal.aborted) {
        await this.#look();
        if (time.elapsed() - toldAt >= TELL_MS) {
          toldAt = time.elapsed();
          await this.#tellAndHear();
        }
        if (time.elapsed() - checkedAt >= CHECK_MS) {
          checkedAt = time.elapsed();
          await this.#addLost();
        }
        await time.sleep(LOOK_MS, signal);
      }
    } catch (error: unknown) {
      this.#fail(error);
    }
  }

  /** Takes what has come back, and has the queue forget what is safe. */
  async #look(): Promise<void> {
    const { redis } = this.#options.server;
    const [completed, failed] = await Promise.all([
      redis.zrange(this.#queue.toKey('completed'), 0, -1),
      redis.zrange(this.#queue.toKey('failed'), 0, -1),
    ]);
    const back = completed.filter((id) => !this.#unasked.has(id));
    if (back.length > 0) {
      const pipeline = redis.pipeline();
      for (const id of back) pipeline.hget(this.#queue.toKey(id), 'returnvalue');
      const answers = (await pipeline.exec()) ?? [];
      for (const [index, id] of back.entries()) {
        const text = answers[index]?.[1];
        await this.#take(id, typeof text === 'string' ? text : '');
      }
    }
    for (const id of failed) await this.#giveUp(id);
    await this.#forget();
  }

  async #take(id: string, text: string): Promise<void> {
    const { search, seal } = this.#options;
    const chunk = this.#chunks.get(id) ?? (await this.#adoptChunk(id));
    if (chunk === undefined) {
      await this.#queue.remove(id);
      return;
    }
    const result = parseJson(text, resultSchema);
    const isSealed =
      result !== undefined &&
      (seal === undefined || seal.verifies(result.signature, 'result', search, id, result.runs));
    const runs = isSealed ? parseRuns(result.runs, chunk.keys.length) : undefined;
    if (runs === undefined) await this.#spoil(id, chunk);
    else this.#settle(id, chunk, runs);
  }

  #settle(id: string, { keys }: SentChunk, runs: readonly ChunkRun[]): void {
    this.#chunks.delete(id);
    this.#unasked.set(id, 1);
    for (const [index, key] of keys.entries()) {
      const run = runs[index];
      if (run === undefined) continue;
      const waiters = this.#waiters.get(key);
      if (waiters === undefined) {
        this.#early.set(key, { run, chunk: id });
        this.#unasked.set(id, (this.#unasked.get(id) ?? 0) + 1);
        continue;
      }
      this.#waiters.delete(key);
      this.#placed.delete(key);
      answer(waiters, run);
    }
    this.#ask(id);
  }

  /** One combination less of a chunk waits to be asked for. */
  #ask(id: string): void {
    const left = (this.#unasked.get(id) ?? 1) - 1;
    this.#unasked.set(id, left);
    if (left === 0) this.#settled.push(id);
  }

  /** The ledger has what was returned when its lines, which are added by whoever waited, are on the disk. */
  async #forget(): Promise<void> {
    if (this.#settled.length === 0) return;
    const ids = this.#settled;
    this.#settled = [];
    await this.#options.time.nextTurn();
    await this.#options.synced?.();
    await Promise.all(ids.map((id) => this.#queue.remove(id)));
    for (const id of ids) this.#unasked.delete(id);
  }

  /** What came back is no result of a worker: the chunk runs again, but not for ever. */
  async #spoil(id: string, chunk: SentChunk): Promise<void> {
    await this.#queue.remove(id);
    chunk.spoiled += 1;
    this.#options.say(`chunk ${id}: what came back is no result of a worker that is trusted`);
    if (chunk.spoiled < MOST_ATTEMPTS) await this.#add([{ id, data: chunk.data }]);
    else this.#crash(id, chunk, 'no worker returned a result of its chunk');
  }

  /** A chunk that broke its worker too often is no more tried. */
  async #giveUp(id: string): Promise<void> {
    const reason = await this.#options.server.redis.hget(this.#queue.toKey(id), 'failedReason');
    await this.#queue.remove(id);
    const chunk = this.#chunks.get(id);
    if (chunk === undefined) return;
    const why = `its chunk broke its worker ${String(MOST_ATTEMPTS)} times: ${reason ?? 'no reason'}`;
    this.#options.say(`chunk ${id} of ${String(chunk.keys.length)} combinations: ${why}`);
    this.#crash(id, chunk, why);
  }

  #crash(id: string, { keys }: SentChunk, why: string): void {
    this.#chunks.delete(id);
    for (const key of keys) {
      const waiters = this.#waiters.get(key) ?? [];
      this.#waiters.delete(key);
      this.#placed.delete(key);
      answer(waiters, { crash: why });
    }
  }

  async #tellAndHear(): Promise<void> {
    const { board, search, say } = this.#options;
    if (!(await board.has(search)))
      throw new DataError(
        'E_QUEUE_CANCELED',
        `the search ${search} is no longer on the queue: it was canceled, or the queue lost it; what has come back is kept, and the same command goes on from there`,
      );
    await board.tell(search, this.#progress);
    this.#threads = 0;
    for (const state of (await board.workers()).values())
      if (state.search === null || state.search === search) this.#threads += state.threads;
    for (const [worker, why] of await board.refusals(search)) {
      const line = `worker ${worker} refuses: ${why}`;
      if (this.#refusals.has(line)) continue;
      this.#refusals.add(line);
      say(line);
    }
    if (await board.isDraining(search)) await this.#drain();
  }

  async #drain(): Promise<void> {
    const { board, search, time } = this.#options;
    await this.#queue.pause();
    while ((await board.countChunks(search)).active > 0 && !this.#stop.signal.aborted) {
      await this.#look();
      await time.sleep(LOOK_MS);
    }
    await this.#look();
    throw new DataError(
      'E_QUEUE_DRAINED',
      `the search ${search} was drained: what was begun has come back and is kept, and the same command goes on from there`,
    );
  }

  /** Adds anew what the server has lost, as one that was not told to keep what it holds does. */
  async #addLost(): Promise<void> {
    const { redis } = this.#options.server;
    const ids = [...this.#chunks.keys()];
    const pipeline = redis.pipeline();
    for (const id of ids) pipeline.exists(this.#queue.toKey(id));
    const answers = (await pipeline.exec()) ?? [];
    const lost = ids.flatMap((id, index) => {
      const chunk = this.#chunks.get(id);
      return answers[index]?.[1] === 0 && chunk !== undefined ? [{ id, data: chunk.data }] : [];
    });
    if (lost.length > 0) await this.#add(lost);
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#stop.abort();
    for (const waiters of this.#waiters.values())
      for (const { reject } of waiters) reject(this.#failure.error);
    this.#waiters.clear();
  }
}

function answer(waiters: readonly Waiter[], run: ChunkRun): void {
  for (const { resolve, reject } of waiters)
    if ('crash' in run) reject(new TrialCrash(run.crash));
    else resolve(run);
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
