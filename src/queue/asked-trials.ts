import { TrialCrash, type TrialRun } from '../research/index.js';
import type { ChunkRun } from './messages.js';

interface Waiter {
  readonly resolve: (run: TrialRun) => void;
  readonly reject: (error: unknown) => void;
}

/** Which combinations were asked for, and which came back before anybody asked, each by its key. */
export class AskedTrials {
  readonly #waiters = new Map<string, Waiter[]>();
  /** Those that are in a chunk, or will be, and were not handed over. */
  readonly #placed = new Set<string>();
  /** What came back before it was asked for, and in which chunk. */
  readonly #early = new Map<string, { readonly run: ChunkRun; readonly chunk: string }>();
  /** Of chunks that came back, how many combinations nobody has asked for, and one until it is taken. */
  readonly #unasked = new Map<string, number>();
  #settled: string[] = [];

  /** Combinations that are asked for and have not come back. */
  get open(): number {
    return this.#waiters.size;
  }

  /** Whether a chunk came back and its results are not all safe yet. */
  holds(chunk: string): boolean {
    return this.#unasked.has(chunk);
  }

  /** Notes that a combination is in a chunk; false where it was already. */
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
   * Asks for a combination.
   *
   * @throws {TrialCrash} where it broke what ran it.
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

  /** Hands over what came back of a chunk; what nobody asked for is held until somebody does. */
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

  /** Tells who asked for combinations that they broke what ran them. Whoever asks later has them run again. */
  crash(keys: readonly string[], why: string): void {
    for (const key of keys) if (!this.#answer(key, { crash: why })) this.#placed.delete(key);
  }

  /** Chunks all of whose combinations were handed over since the last call. */
  takeSettled(): readonly string[] {
    return this.#settled.splice(0);
  }

  /** The results of a chunk are safe. */
  forget(chunk: string): void {
    this.#unasked.delete(chunk);
  }

  /** Ends all waiting. */
  fail(error: unknown): void {
    for (const waiters of this.#waiters.values()) for (const { reject } of waiters) reject(error);
    this.#waiters.clear();
  }

  /** Answers who asked for a combination; false where nobody did. */
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
