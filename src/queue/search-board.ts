import { z } from 'zod';
import { nameOfSearch, parseJson, parseSearch, type SearchDescription } from './messages.js';
import { PREFIX, type QueueServer } from './server.js';

/** How long a sign of life is good for; milliseconds, by the clock of the server. */
const ALIVE_MS = 10_000;
/** Between two searches of one priority the one that began first goes first. */
const PER_PRIORITY = 1e12;
export const MOST_PRIORITY = 1_000;
export const DEFAULT_PRIORITY = 100;

const count = z.int().nonnegative();
const progressSchema = z.strictObject({
  done: count,
  total: count,
  failed: count,
  /** Of what is left, at the pace so far; null while there is none. */
  leftMs: z.number().nonnegative().nullable(),
});
export type SearchProgress = Readonly<z.infer<typeof progressSchema>>;

const workerSchema = z.strictObject({
  threads: z.int().positive().max(100_000),
  /** Which search it serves; null while it waits for one. */
  search: z.string().max(100).nullable(),
});
export type WorkerState = Readonly<z.infer<typeof workerSchema>>;

/** A search on the board, as far as it can be read. */
export interface PostedSearch {
  readonly name: string;
  /** 1 goes before 2. */
  readonly priority: number;
  /** JSON of the description, and its signature. Whoever reads it must check both. */
  readonly text: string;
  readonly signature: string | undefined;
  /** Undefined where the text is none, or has another name. */
  readonly description: SearchDescription | undefined;
}

/** Chunks of a search by what becomes of them. */
export interface ChunkCounts {
  readonly waiting: number;
  readonly active: number;
  readonly completed: number;
  readonly failed: number;
}

export const queueOf = (search: string): string => `search-${search}`;

/** Which searches are on a queue, in which order, how far they are, and which workers there are. Nothing on it is believed unread. */
export class SearchBoard {
  readonly #server: QueueServer;

  constructor(server: QueueServer) {
    this.#server = server;
  }

  /** Announces a search; one that is there keeps its place, and gets the priority. */
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

  /** Names of the searches, those that go first first. */
  names(): Promise<readonly string[]> {
    return this.#server.redis.zrange(SEARCHES, 0, -1);
  }

  async has(name: string): Promise<boolean> {
    return (await this.#server.redis.zscore(SEARCHES, name)) !== null;
  }

  /** Undefined where it has gone. */
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

  /** Takes a search off the board with everything of it. */
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

  /** Asks the coordinator to hand nothing more out, and to end when what runs has come back. */
  async drain(name: string): Promise<void> {
    await this.#server.redis.hset(searchKey(name), 'state', 'draining');
  }

  async isDraining(name: string): Promise<boolean> {
    return (await this.#server.redis.hget(searchKey(name), 'state')) === 'draining';
  }

  /** A sign of life of the coordinator, with how far it is. */
  async tell(name: string, progress: SearchProgress): Promise<void> {
    await this.#server.redis
      .multi()
      .set(coordinatorKey(name), '1', 'PX', ALIVE_MS)
      .hset(searchKey(name), 'progress', JSON.stringify(progress))
      .exec();
  }

  async hasCoordinator(name: string): Promise<boolean> {
    return (await this.#server.redis.exists(coordinatorKey(name))) === 1;
  }

  async progressOf(name: string): Promise<SearchProgress | undefined> {
    const text = await this.#server.redis.hget(searchKey(name), 'progress');
    return parseJson(text ?? '', progressSchema);
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

  /** Says why a worker does not serve a search. */
  async refuse(name: string, worker: string, why: string): Promise<void> {
    await this.#server.redis.hset(refusalKey(name), worker, why);
  }

  /** Why workers do not serve a search, by worker. */
  async refusals(name: string): Promise<ReadonlyMap<string, string>> {
    return new Map(Object.entries(await this.#server.redis.hgetall(refusalKey(name))));
  }

  /** A sign of life of a worker. */
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

  /** Workers that gave a sign of life lately. Those that did not are forgotten. */
  async workers(): Promise<ReadonlyMap<string, WorkerState>> {
    const { redis } = this.#server;
    const entries = Object.entries(await redis.hgetall(WORKERS));
    const living = new Map<string, WorkerState>();
    if (entries.length === 0) return living;
    const alive = await redis.mget(entries.map(([worker]) => workerKey(worker)));
    const gone: string[] = [];
    for (const [index, [worker, text]] of entries.entries()) {
      const state = parseJson(text, workerSchema);
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
