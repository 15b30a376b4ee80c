import { z } from 'zod';
import { nameOfSearch, parseMessage, parseSearch, type SearchDescription } from './messages.js';
import { PREFIX, type QueueServer } from './server.js';

/** A sign of life is valid for this time; milliseconds, by the clock of the server. */
const ALIVE_MS = 10_000;
/** Factor of the priority in the score. The rest of the score is a running number: within a priority the oldest search goes first. */
const PER_PRIORITY = 1e12;
export const DEFAULT_PRIORITY = 100;

const count = z.int().nonnegative();
const progressSchema = z.strictObject({
  done: count,
  total: count,
  failed: count,
  /** Estimated time for the rest of the search at the pace so far; null while there is no pace. */
  leftMs: z.number().nonnegative().nullable(),
});
export type QueuedSearchProgress = Readonly<z.infer<typeof progressSchema>>;

const workerSchema = z.strictObject({
  threads: z.int().positive().max(100_000),
  /** The search that it serves; null while it waits for one. */
  search: z.string().max(100).nullable(),
});
export type WorkerState = Readonly<z.infer<typeof workerSchema>>;

/** A search on the board, as far as it is readable. */
export interface PostedSearch {
  readonly name: string;
  /** 1 goes before 2. */
  readonly priority: number;
  /** JSON of the description. The reader must check it and its signature. */
  readonly text: string;
  readonly signature: string | undefined;
  /** Undefined if the text is no description, or if its hash does not match the name. */
  readonly description: SearchDescription | undefined;
}

/** Numbers of chunks of a search, by state. */
export interface ChunkCounts {
  readonly waiting: number;
  readonly active: number;
  readonly completed: number;
  readonly failed: number;
}

export const queueOf = (search: string): string => `search-${search}`;

/** The list of searches of a queue with their order and progress, and the list of workers. Every text is checked before it is used. */
export class SearchBoard {
  readonly #server: QueueServer;

  constructor(server: QueueServer) {
    this.#server = server;
  }

  /** Announces a search. A search that is already on the board keeps its place within its priority, and gets the new priority. */
  async post(text: string, signature: string | undefined, priority: number): Promise<string> {
    const { redis } = this.#server;
    const name = nameOfSearch(text);
    const known = Number((await redis.zscore(SEARCHES, name)) ?? Number.NaN);
    const order = Number.isNaN(known) ? await redis.incr(ORDER) : known % PER_PRIORITY;
    await redis
      .multi()
      .hset(searchKey(name), { text, signature: signature ?? '', state: 'open' })
      .zadd(SEARCHES, priority * PER_PRIORITY + order, name)
      .exec();
    return name;
  }

  /** Names of the searches, in the order in which they are served. */
  names(): Promise<readonly string[]> {
    return this.#server.redis.zrange(SEARCHES, 0, -1);
  }

  async has(name: string): Promise<boolean> {
    return (await this.#server.redis.zscore(SEARCHES, name)) !== null;
  }

  /** Reads a search. Undefined if it is no longer on the board. */
  async read(name: string): Promise<PostedSearch | undefined> {
    const { redis } = this.#server;
    const [score, fields] = await Promise.all([
      redis.zscore(SEARCHES, name),
      redis.hgetall(searchKey(name)),
    ]);
    if (score === null) return undefined;
    const { text = '', signature = '' } = fields;
    return {
      name,
      priority: Math.floor(Number(score) / PER_PRIORITY),
      text,
      signature: signature === '' ? undefined : signature,
      description: nameOfSearch(text) === name ? parseSearch(text) : undefined,
    };
  }

  /** Takes a search off the board and deletes all its data. */
  async remove(name: string): Promise<void> {
    const { redis, bull } = this.#server;
    await redis.zrem(SEARCHES, name);
    await redis.del(searchKey(name), refusalKey(name), coordinatorKey(name));
    const queue = new bull.Queue(queueOf(name), { connection: redis, prefix: PREFIX });
    try {
      await queue.obliterate({ force: true });
    } finally {
      await queue.close();
    }
  }

  /** Asks the coordinator to hand out no further chunks, and to end when the running chunks are back. */
  async drain(name: string): Promise<void> {
    await this.#server.redis.hset(searchKey(name), 'state', 'draining');
  }

  async isDraining(name: string): Promise<boolean> {
    return (await this.#server.redis.hget(searchKey(name), 'state')) === 'draining';
  }

  /** Gives a sign of life of the coordinator, with its progress. */
  async tell(name: string, progress: QueuedSearchProgress): Promise<void> {
    await this.#server.redis
      .multi()
      .set(coordinatorKey(name), '1', 'PX', ALIVE_MS)
      .hset(searchKey(name), 'progress', JSON.stringify(progress))
      .exec();
  }

  async hasCoordinator(name: string): Promise<boolean> {
    return (await this.#server.redis.exists(coordinatorKey(name))) === 1;
  }

  async progressOf(name: string): Promise<QueuedSearchProgress | undefined> {
    const text = await this.#server.redis.hget(searchKey(name), 'progress');
    return parseMessage(text ?? '', progressSchema);
  }

  async countChunks(name: string): Promise<ChunkCounts> {
    const { redis } = this.#server;
    const key = (part: string): string => `${PREFIX}:${queueOf(name)}:${part}`;
    const [wait, paused, active, completed, failed] = await Promise.all([
      redis.llen(key('wait')),
      redis.llen(key('paused')),
      redis.llen(key('active')),
      redis.zcard(key('completed')),
      redis.zcard(key('failed')),
    ]);
    return { waiting: wait + paused, active, completed, failed };
  }

  /** Notes why a worker does not serve a search. */
  async refuse(name: string, worker: string, why: string): Promise<void> {
    await this.#server.redis.hset(refusalKey(name), worker, why);
  }

  /** Reasons why workers do not serve a search, by worker. */
  async refusals(name: string): Promise<ReadonlyMap<string, string>> {
    return new Map(Object.entries(await this.#server.redis.hgetall(refusalKey(name))));
  }

  /** Gives a sign of life of a worker. */
  async present(worker: string, state: WorkerState): Promise<void> {
    await this.#server.redis
      .multi()
      .hset(WORKERS, worker, JSON.stringify(state))
      .set(workerKey(worker), '1', 'PX', ALIVE_MS)
      .exec();
  }

  async leave(worker: string): Promise<void> {
    await this.#server.redis.multi().hdel(WORKERS, worker).del(workerKey(worker)).exec();
  }

  /** Workers with a recent sign of life. All others are deleted from the list. */
  async workers(): Promise<ReadonlyMap<string, WorkerState>> {
    const { redis } = this.#server;
    const entries = Object.entries(await redis.hgetall(WORKERS));
    const living = new Map<string, WorkerState>();
    if (entries.length === 0) return living;
    const alive = await redis.mget(entries.map(([worker]) => workerKey(worker)));
    const gone: string[] = [];
    for (const [index, [worker, text]] of entries.entries()) {
      const state = parseMessage(text, workerSchema);
      if (alive[index] === null || state === undefined) gone.push(worker);
      else living.set(worker, state);
    }
    if (gone.length > 0) await redis.hdel(WORKERS, ...gone);
    return living;
  }
}

const SEARCHES = `${PREFIX}:searches`;
const ORDER = `${PREFIX}:order`;
const WORKERS = `${PREFIX}:workers`;
const searchKey = (name: string): string => `${PREFIX}:search:${name}`;
const refusalKey = (name: string): string => `${PREFIX}:search:${name}:refusals`;
const coordinatorKey = (name: string): string => `${PREFIX}:search:${name}:coordinator`;
const workerKey = (worker: string): string => `${PREFIX}:worker:${worker}`;
