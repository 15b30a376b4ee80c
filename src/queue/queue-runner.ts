import { DataError, nounOf, TradingError } from '../domain/index.js';
import type { SweepProgress, TrialJob, TrialRun, TrialRunner } from '../research/index.js';
import { AskedTrials } from './asked-trials.js';
import { chunkSize, MOST_PER_CHUNK } from './chunk-size.js';
import { keyOfTrial } from './messages.js';
import type { QueueTime } from './queue-time.js';
import type { SearchBoard, QueuedSearchProgress } from './search-board.js';
import type { Seal } from './seal.js';
import { UnservedSearch } from './unserved-search.js';
import { MOST_ATTEMPTS, SentChunks, type AskedJob, type SentChunk } from './sent-chunks.js';
import type { QueueServer } from './server.js';

/** Most combinations that are handed out before their results are back. More would keep no worker busier, and would fill the server's memory. */
const MOST_AHEAD = 1_000 * MOST_PER_CHUNK;
/** Time between two looks for results. */
const LOOK_MS = 20;
/** Time between two signs of life; with each, the board is read for refusals, drains and cancels. */
const TELL_MS = 1_000;
/** Time between two searches for chunks that the server lost. */
const CHECK_MS = 5_000;
/** A server that is away delays the end of a search by at most this time. */
const CLOSE_MS = 3_000;

interface QueueRunnerOptions {
  readonly server: QueueServer;
  readonly board: SearchBoard;
  /** Name of the search. */
  readonly search: string;
  /** Signs chunks and checks results. @defaultValue no signatures */
  readonly seal?: Seal | undefined;
  /** Expected number of combinations, if it is known. */
  readonly count: number;
  /** Resolves when all results that were returned so far are stored safely. Then the queue may forget them. @defaultValue at once */
  readonly synced?: (() => Promise<void>) | undefined;
  /** Longest wait for a worker that serves the search; milliseconds. @defaultValue no limit */
  readonly waitMs?: number | undefined;
  readonly time: QueueTime;
  /** Receives lines for the user: workers that refuse, chunks that broke. */
  readonly say: (line: string) => void;
}

/**
 * Hands combinations to the workers of a queue in chunks, and collects the results. It is an alternative to the pool of threads.
 *
 * It continues the work of an earlier run of the coordinator that is still on the queue: a combination with a result does not run again, and a
 * combination in a chunk is waited for. The queue keeps a result until the coordinator has stored it safely.
 */
export class QueueRunner implements TrialRunner {
  readonly jobs: number;
  readonly #options: QueueRunnerOptions;
  readonly #sent: SentChunks;
  readonly #asked = new AskedTrials();
  readonly #unserved: UnservedSearch;
  /** Chunks that have not come back, by id. */
  readonly #chunks = new Map<string, SentChunk>();
  /** By chunk: how often its answer was no valid result. */
  readonly #spoiled = new Map<string, number>();
  #fresh: AskedJob[] = [];
  #threads = 0;
  #failure: { readonly error: unknown } | undefined;
  #progress: QueuedSearchProgress = { done: 0, total: 0, failed: 0, leftMs: null };
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
   * Takes over the chunks of the search that are on the queue, and starts. The search must be on the board.
   *
   * @throws {DataError} `E_QUEUE_CANCELED` if it is not.
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

  /** Sets the progress that the board shows. */
  tell({ done, total, failed }: SweepProgress, leftMs: number | undefined): void {
    this.#progress = { done, total, failed, leftMs: leftMs ?? null };
  }

  /** Ends the search: removes it from the queue. Workers then stop at once. */
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

  /** Takes over the chunks of an earlier coordinator that wait, run or have come back. */
  async #adopt(): Promise<void> {
    for (const id of await this.#sent.openIds()) await this.#adoptChunk(id);
    await this.#sent.resume();
    // A failed chunk may be tried again.
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

  /** Makes chunks of all combinations that were asked for in this turn of the event loop. */
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
      // The next search for lost chunks finds those that were not added, and adds them.
      this.#mention(error);
    }
  }

  /** Tells the user of a problem with the server, once for the same problem in a row. No work is lost by such a problem. */
  #mention(error: unknown): void {
    const line = `the queue: ${asError(error).message}; trying again`;
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

  /** Takes the results that came back, and removes the safely stored chunks from the queue. */
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

  /** Removes chunks whose results are safe. The callers add the lines to the ledger in the next turn; `synced` waits until the lines are on disk. */
  async #forget(): Promise<void> {
    const ids = this.#asked.takeSettled();
    if (ids.length === 0) return;
    await this.#options.time.nextTurn();
    await this.#options.synced?.();
    await Promise.all(ids.map((id) => this.#sent.remove(id)));
    for (const id of ids) this.#asked.forget(id);
  }

  /** Handles an answer that is no valid result of a trusted worker. The chunk runs again, up to a limit. */
  async #spoil(chunk: SentChunk): Promise<void> {
    const { id } = chunk;
    const times = (this.#spoiled.get(id) ?? 0) + 1;
    this.#spoiled.set(id, times);
    await this.#sent.remove(id);
    this.#options.say(`chunk ${id}: received no valid result of a trusted worker`);
    if (times < MOST_ATTEMPTS) await this.#add([chunk]);
    else this.#crash(chunk, `${String(times)} times what came back of its chunk was no result`);
  }

  /** Gives up a chunk that broke its worker too often. */
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
        `the search ${search} is no longer on the queue: it was canceled, or the queue lost it. Finished combinations are kept, and the same command continues from there`,
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
      `the search ${search} was drained. Finished combinations are kept, and the same command continues from there`,
    );
  }

  /** Adds again the chunks that the server has lost, for example in a restart without persistence. */
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
