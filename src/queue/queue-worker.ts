import { DataError, TradingError } from '../domain/index.js';
import type { TrialRunner } from '../research/index.js';
import { ChunkWorker } from './chunk-worker.js';
import type { SearchDescription } from './messages.js';
import type { QueueTime } from './queue-time.js';
import type { PostedSearch, SearchBoard } from './search-board.js';
import type { Seal } from './seal.js';
import type { QueueServer } from './server.js';

/** Time between two looks at the list of searches. */
const LOOK_MS = 1_000;
/** Looks between two signs of life. */
const LOOKS_PER_SIGN = 3;

/** Decides which plugins a worker runs. */
export interface Trust {
  /** The secret shared with the coordinator. @defaultValue no signature is required */
  readonly seal?: Seal | undefined;
  /** Hashes of plugins that may run. @defaultValue every plugin that passes the check of the signature */
  readonly allowed?: ReadonlySet<string> | undefined;
}

interface QueueWorkerOptions {
  readonly server: QueueServer;
  readonly board: SearchBoard;
  /** Name of this worker, as others see it. */
  readonly name: string;
  readonly jobs: number;
  readonly trust: Trust;
  readonly lockMs: number;
  /**
   * Proves that this machine has the inputs of a search, and starts the runner of its combinations. No code of a search runs before that proof.
   *
   * @throws {DataError} or {ConfigError} with the differences.
   */
  readonly prepare: (search: SearchDescription, name: string) => Promise<TrialRunner>;
  readonly time: QueueTime;
  readonly say: (line: string) => void;
  /** Ends the worker after the running chunks are returned. */
  readonly finish: AbortSignal;
}

/** Serves searches. Of the searches that it can serve, it takes the first in order that has waiting chunks. */
export class QueueWorker {
  readonly #options: QueueWorkerOptions;
  readonly #served = new Map<string, ChunkWorker>();
  readonly #refused = new Set<string>();
  #current: string | undefined;
  #looks = 0;

  constructor(options: QueueWorkerOptions) {
    this.#options = options;
  }

  /** Works until `finish` is aborted. */
  async work(): Promise<void> {
    const { finish, board, name, time, say } = this.#options;
    let trouble = '';
    while (!finish.aborted) {
      try {
        await this.#look();
        trouble = '';
      } catch (error: unknown) {
        // Text that a stranger wrote to the server must not end a worker.
        const line = error instanceof Error ? error.message : String(error);
        if (line !== trouble) say(`the queue cannot be read: ${line}`);
        trouble = line;
      }
      await time.sleep(LOOK_MS, finish);
    }
    await Promise.all([...this.#served.values()].map((worker) => worker.finish()));
    await board.leave(name);
  }

  async #look(): Promise<void> {
    const { board, name, jobs } = this.#options;
    const before = this.#current;
    const searches = await board.names();
    await this.#dropGone(new Set(searches));
    this.#current = await this.#choose(searches);
    if (this.#current !== before || this.#looks % LOOKS_PER_SIGN === 0)
      await board.present(name, { threads: jobs, search: this.#current ?? null });
    this.#looks += 1;
    for (const [search, worker] of this.#served)
      if (worker.isTaking !== (search === this.#current))
        await (worker.isTaking ? worker.rest() : worker.resume());
  }

  async #dropGone(searches: ReadonlySet<string>): Promise<void> {
    for (const [search, worker] of this.#served) {
      if (searches.has(search)) continue;
      this.#served.delete(search);
      this.#options.say(`search ${search} has ended`);
      await worker.stop();
    }
    for (const search of this.#refused) if (!searches.has(search)) this.#refused.delete(search);
  }

  /** Returns the first search with waiting chunks, otherwise the first with running chunks: this worker must be ready to take them if their worker dies. */
  async #choose(searches: readonly string[]): Promise<string | undefined> {
    const { board } = this.#options;
    const running: string[] = [];
    for (const search of searches) {
      if (this.#refused.has(search)) continue;
      const { waiting, active } = await board.countChunks(search);
      if (waiting > 0 && (await this.#isServed(search))) return search;
      if (active > 0) running.push(search);
    }
    for (const search of running) if (await this.#isServed(search)) return search;
    const before = this.#current ?? '';
    return this.#served.has(before) ? before : undefined;
  }

  /** Whether this worker serves a search, after it has tried to begin if it did not yet. */
  async #isServed(search: string): Promise<boolean> {
    if (this.#refused.has(search)) return false;
    return this.#served.has(search) || this.#begin(search);
  }

  async #begin(search: string): Promise<boolean> {
    const { board, name, say } = this.#options;
    const posted = await board.read(search);
    if (posted === undefined) return false;
    try {
      const description = this.#requireTrusted(posted);
      const runner = await this.#options.prepare(description, search);
      const { server, trust, lockMs } = this.#options;
      const options = { server, search, seal: trust.seal, runner, lockMs, say };
      this.#served.set(search, new ChunkWorker(options));
      say(`serving search ${search}: ${description.inputs.strategy}, with equal inputs`);
      return true;
    } catch (error: unknown) {
      const why = describe(error);
      this.#refused.add(search);
      say(`refused search ${search}: ${why}`);
      await board.refuse(search, name, why);
      return false;
    }
  }

  /** @throws {DataError} `E_QUEUE_MESSAGE` if the text is no description of a search; `E_QUEUE_TRUST` if its signature or its plugin is not trusted. */
  #requireTrusted({ name, text, signature, description }: PostedSearch): SearchDescription {
    const { seal, allowed } = this.#options.trust;
    if (description === undefined)
      throw new DataError(
        'E_QUEUE_MESSAGE',
        `${name} on the queue is no valid search of this version`,
      );
    if (seal === undefined && signature !== undefined)
      throw new DataError(
        'E_QUEUE_TRUST',
        'it is signed, but this worker has no secret to sign its results (EVENKEEL_QUEUE_SECRET, --secret-file)',
      );
    if (seal !== undefined && !seal.verifies(signature, 'search', text))
      throw new DataError(
        'E_QUEUE_TRUST',
        'it is not signed with the secret of this worker (EVENKEEL_QUEUE_SECRET, --secret-file)',
      );
    const { hash } = description.plugin;
    if (allowed !== undefined && !allowed.has(hash))
      throw new DataError(
        'E_QUEUE_TRUST',
        `the hash of its plugin, ${hash}, is not in the --allow file`,
      );
    return description;
  }
}

function describe(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describe).join('; ');
  const message = error instanceof Error ? error.message : String(error);
  const line = message.replace(/\s*\n\s*/g, ' ');
  return error instanceof TradingError ? `${line} (${error.code})` : line;
}
