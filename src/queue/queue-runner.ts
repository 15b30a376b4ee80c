import { DataError, nounOf, TradingError } from '../domain/index.js';
import type { SweepProgress, TrialJob, TrialRun, TrialRunner } from '../research/index.js';
import { AskedTrials } from './asked-trials.js';
import { chunkSize, MOST_PER_CHUNK } from './chunk-size.js';
import { keyOfTrial } from './messages.js';
import type { QueueTime } from './queue-time.js';
import type { SearchBoard, SearchProgress } from './search-board.js';
import type { Seal } from './seal.js';
import { UnservedSearch } from './unserved-search.js';
import { MOST_ATTEMPTS, SentChunks, type AskedJob, type SentChunk } from './sent-chunks.js';
import type { QueueServer } from './server.js';

/** Combinations that are handed out ahead of what has come back: more keep no worker busier, and lie in the server's memory. */
const MOST_AHEAD = 1_000 * MOST_PER_CHUNK;
/** Between two looks at what has come back. */
const LOOK_MS = 20;
/** Between two signs of life, and looks at what was asked of the search. */
const TELL_MS = 1_000;
/** Between two searches for chunks that the server lost. */
const CHECK_MS = 5_000;
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
  /** How long a worker is waited for that serves the search; milliseconds. @defaultValue no end */
  readonly waitMs?: number | undefined;
  readonly time: QueueTime;
  /** Told what a user should know: workers that refuse, chunks that broke. */
  readonly say: (line: string) => void;
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
  readonly #sent: SentChunks;
  readonly #asked = new AskedTrials();
  readonly #unserved: UnservedSearch;
  /** Chunks that have not come back, by id. */
  readonly #chunks = new Map<string, SentChunk>();
  /** How often what came back of a chunk was no result. */
  readonly #spoiled = new Map<string, number>();
  #fresh: AskedJob[] = [];
  #threads = 0;
  #failure: { readonly error: unknown } | undefined;
  #progress: SearchProgress = { done: 0, total: 0, failed: 0, leftMs: null };
  readonly #said = new Set<string>();
  #trouble = '';
  readonly #stop = new AbortController();
  #loop: Promise<void> = Promise.resolve();
  #closing: Promise<void> | undefined;

  private constructor(options: QueueRunnerOptions) {
    const { server, search, seal, count, waitMs = Infinity } = options;
    this.#options = options;
    this.#unserved = new UnservedSearch(search, waitMs);
    this.#sent = new SentChunks({ server, search, seal });
    this.jobs = Math.max(1, Math.min(count, MOST_AHEAD));
  }

  /**
   * Takes up what is on the queue of the search, and begins. The search must be on the board.
   *
   * @throws {DataError} `E_QUEUE_CANCELED` where it is not.
   */
  static async start(options: QueueRunnerOptions): Promise<QueueRunner> {
    const runner = new QueueRunner(options);
    await runner.#adopt();
    await runner.#tellAndHear();
    runner.#loop = runner.#watch();
    return runner;
  }

  run(job: TrialJob): Promise<TrialRun> {
    if (this.#failure !== undefined) return Promise.reject(asError(this.#failure.error));
    const key = keyOfTrial(job);
    const isEarly = this.#asked.isEarly(key);
    const run = this.#asked.ask(key);
    if (isEarly || !this.#asked.place(key)) return run;
    if (this.#fresh.push({ job, key }) === 1)
      void this.#options.time.nextTurn().then(() => {
        void this.#send();
      });
    return run;
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
      await this.#sent.close();
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
    for (const id of await this.#sent.openIds()) await this.#adoptChunk(id);
    await this.#sent.resume();
    // It may be tried again.
    for (const id of await this.#sent.ids('failed')) await this.#sent.remove(id);
    await this.#look();
  }

  async #adoptChunk(id: string): Promise<SentChunk | undefined> {
    const chunk = await this.#sent.read(id);
    if (chunk !== undefined) this.#place(chunk);
    return chunk;
  }

  #place(chunk: SentChunk): void {
    this.#chunks.set(chunk.id, chunk);
    for (const key of chunk.keys) this.#asked.place(key);
  }

  /** Makes chunks of what was asked for in this turn. */
  async #send(): Promise<void> {
    const fresh = this.#fresh;
    this.#fresh = [];
    if (this.#failure !== undefined) return;
    const { open } = this.#asked;
    const made: SentChunk[] = [];
    for (let from = 0; from < fresh.length;) {
      const size = chunkSize({ open, left: fresh.length - from, threads: this.#threads });
      made.push(this.#sent.make(fresh.slice(from, from + size)));
      from += size;
    }
    for (const chunk of made) this.#chunks.set(chunk.id, chunk);
    await this.#add(made);
  }

  async #add(chunks: readonly SentChunk[]): Promise<void> {
    try {
      await this.#sent.add(chunks);
    } catch (error: unknown) {
      // What was not added is found to be lost, and added then.
      this.#mention(error);
    }
  }

  /** Says once in a row what goes wrong between here and the server; nothing is lost by it. */
  #mention(error: unknown): void {
    const line = `the queue: ${asError(error).message}; it is tried again`;
    if (line !== this.#trouble) this.#options.say(line);
    this.#trouble = line;
  }

  /** Looks again and again until the search ends. */
  async #watch(): Promise<void> {
    const { signal } = this.#stop;
    const { time } = this.#options;
    let [toldAt, checkedAt] = [time.elapsed(), time.elapsed()];
    while (!signal.aborted) {
      try {
        await this.#look();
        if (time.elapsed() - toldAt >= TELL_MS) {
          toldAt = time.elapsed();
          await this.#tellAndHear();
        }
        if (time.elapsed() - checkedAt >= CHECK_MS) {
          checkedAt = time.elapsed();
          await this.#addLost();
        }
        this.#trouble = '';
      } catch (error: unknown) {
        if (error instanceof TradingError) this.#fail(error);
        else this.#mention(error);
      }
      await time.sleep(LOOK_MS, signal);
    }
  }

  /** Takes what has come back, and has the queue forget what is safe. */
  async #look(): Promise<void> {
    const [completed, failed] = await Promise.all([
      this.#sent.ids('completed'),
      this.#sent.ids('failed'),
    ]);
    const back = completed.filter((id) => !this.#asked.holds(id));
    const answers = await this.#sent.readAnswers(back);
    for (const [index, id] of back.entries()) await this.#take(id, answers[index] ?? '');
    for (const id of failed) await this.#giveUp(id);
    await this.#forget();
  }

  async #take(id: string, text: string): Promise<void> {
    const chunk = this.#chunks.get(id) ?? (await this.#adoptChunk(id));
    if (chunk === undefined) {
      await this.#sent.remove(id);
      return;
    }
    const runs = this.#sent.runsOf(chunk, text);
    if (runs === undefined) return this.#spoil(chunk);
    this.#chunks.delete(id);
    this.#asked.settle(id, chunk.keys, runs);
  }

  /** The ledger has what was returned when its lines, which are added by whoever waited, are on the disk. */
  async #forget(): Promise<void> {
    const ids = this.#asked.takeSettled();
    if (ids.length === 0) return;
    await this.#options.time.nextTurn();
    await this.#options.synced?.();
    await Promise.all(ids.map((id) => this.#sent.remove(id)));
    for (const id of ids) this.#asked.forget(id);
  }

  /** What came back is no result of a worker: the chunk runs again, but not for ever. */
  async #spoil(chunk: SentChunk): Promise<void> {
    const { id } = chunk;
    const times = (this.#spoiled.get(id) ?? 0) + 1;
    this.#spoiled.set(id, times);
    await this.#sent.remove(id);
    this.#options.say(`chunk ${id}: what came back is no result of a worker that is trusted`);
    if (times < MOST_ATTEMPTS) await this.#add([chunk]);
    else this.#crash(chunk, `${String(times)} times what came back of its chunk was no result`);
  }

  /** A chunk that broke its worker too often is no more tried. */
  async #giveUp(id: string): Promise<void> {
    const reason = await this.#sent.reasonOf(id);
    await this.#sent.remove(id);
    const chunk = this.#chunks.get(id);
    if (chunk === undefined) return;
    const why = `its chunk broke its worker ${String(MOST_ATTEMPTS)} times: ${reason}`;
    const { length } = chunk.keys;
    this.#options.say(`chunk ${id} of ${String(length)} ${nounOf(length, 'combination')}: ${why}`);
    this.#crash(chunk, why);
  }

  #crash({ id, keys }: SentChunk, why: string): void {
    this.#chunks.delete(id);
    this.#asked.crash(keys, why);
  }

  async #tellAndHear(): Promise<void> {
    const { board, search, time, say } = this.#options;
    if (!(await board.has(search)))
      throw new DataError(
        'E_QUEUE_CANCELED',
        `the search ${search} is no longer on the queue: it was canceled, or the queue lost it; what has come back is kept, and the same command goes on from there`,
      );
    await board.tell(search, this.#progress);
    const workers = [...(await board.workers()).values()];
    this.#threads = 0;
    for (const state of workers)
      if (state.search === null || state.search === search) this.#threads += state.threads;
    const refusals = await board.refusals(search);
    for (const [worker, why] of refusals) {
      const line = `worker ${worker} refuses: ${why}`;
      if (this.#said.has(line)) continue;
      this.#said.add(line);
      say(line);
    }
    if (await board.isDraining(search)) await this.#drain();
    const isWaiting = this.#chunks.size > 0;
    const look = { elapsed: time.elapsed(), isWaiting, workers, refusals: refusals.size };
    const line = this.#unserved.look(look);
    if (line !== undefined) say(line);
  }

  async #drain(): Promise<never> {
    const { board, search, time } = this.#options;
    await this.#sent.pause();
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
    const lost = await this.#sent.findLost([...this.#chunks.values()]);
    const missing = lost.filter(({ id }) => this.#chunks.has(id));
    if (missing.length > 0) await this.#sent.add(missing);
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#stop.abort();
    this.#asked.fail(this.#failure.error);
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
