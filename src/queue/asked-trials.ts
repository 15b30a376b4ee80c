import { TrialCrash, type TrialRun } from '../research/index.js';
import type { ChunkRun } from './messages.js';

interface Waiter {
  readonly resolve: (run: TrialRun) => void;
  readonly reject: (error: unknown) => void;
}

/** Keeps track of combinations by key: which the caller asked for, and which results arrived before the caller asked. */
export class AskedTrials {
  readonly #waiters = new Map<string, Waiter[]>();
  /** Keys of combinations that are in a chunk, or will be, and whose results no caller has received yet. */
  readonly #placed = new Set<string>();
  /** Results that arrived before a caller asked for them, with the chunk that they came in. */
  readonly #early = new Map<string, { readonly run: ChunkRun; readonly chunk: string }>();
  /** By chunk that came back: how many of its results no caller has asked for. While `settle` runs the count is one higher. */
  readonly #unasked = new Map<string, number>();
  #settled: string[] = [];

  /** Number of combinations that were asked for and have not come back. */
  get open(): number {
    return this.#waiters.size;
  }

  /** Whether a chunk came back and its results are not all stored safely yet. */
  holds(chunk: string): boolean {
    return this.#unasked.has(chunk);
  }

  /** Notes that a combination is in a chunk. Returns false if it was in one already. */
  place(key: string): boolean {
    if (this.#placed.has(key)) return false;
    this.#placed.add(key);
    return true;
  }

  /** Whether a combination has come back before it was asked for. */
  isEarly(key: string): boolean {
    return this.#early.has(key);
  }

  /**
   * Asks for the result of a combination.
   *
   * @throws {TrialCrash} if the combination broke its thread or worker.
   */
  ask(key: string): Promise<TrialRun> {
    return new Promise((resolve, reject) => {
      const waiter = { resolve, reject };
      const early = this.#early.get(key);
      if (early !== undefined) {
        this.#early.delete(key);
        this.#placed.delete(key);
        answer([waiter], early.run);
        this.#count(early.chunk);
        return;
      }
      const others = this.#waiters.get(key);
      if (others === undefined) this.#waiters.set(key, [waiter]);
      else others.push(waiter);
    });
  }

  /** Hands over the results of a chunk. A result that no caller has asked for is kept until one asks. */
  settle(chunk: string, keys: readonly string[], runs: readonly ChunkRun[]): void {
    this.#unasked.set(chunk, 1);
    for (const [index, key] of keys.entries()) {
      const run = runs[index];
      if (run === undefined || this.#answer(key, run)) continue;
      this.#early.set(key, { run, chunk });
      this.#unasked.set(chunk, (this.#unasked.get(chunk) ?? 0) + 1);
    }
    this.#count(chunk);
  }

  /** Rejects the callers that wait for these combinations. A combination that no caller waits for is forgotten: a later request runs it again. */
  crash(keys: readonly string[], why: string): void {
    for (const key of keys) if (!this.#answer(key, { crash: why })) this.#placed.delete(key);
  }

  /** Chunks whose last result was handed over since the last call. */
  takeSettled(): readonly string[] {
    return this.#settled.splice(0);
  }

  /** Forgets a chunk whose results are stored safely. */
  forget(chunk: string): void {
    this.#unasked.delete(chunk);
  }

  /** Rejects all waiting callers. */
  fail(error: unknown): void {
    for (const waiters of this.#waiters.values()) for (const { reject } of waiters) reject(error);
    this.#waiters.clear();
  }

  /** Answers the callers that wait for a combination. Returns false if none waits. */
  #answer(key: string, run: ChunkRun): boolean {
    const waiters = this.#waiters.get(key);
    if (waiters === undefined) return false;
    this.#waiters.delete(key);
    this.#placed.delete(key);
    answer(waiters, run);
    return true;
  }

  #count(chunk: string): void {
    const left = (this.#unasked.get(chunk) ?? 1) - 1;
    this.#unasked.set(chunk, left);
    if (left === 0) this.#settled.push(chunk);
  }
}

function answer(waiters: readonly Waiter[], run: ChunkRun): void {
  for (const { resolve, reject } of waiters)
    if ('crash' in run) reject(new TrialCrash(run.crash));
    else resolve(run);
}
