import { setMaxListeners } from 'node:events';

import type { EpochMs } from '../domain/index.js';
import type { FeedTime } from './feed-time.js';

interface Reading<T> {
  readonly at: EpochMs;
  readonly value: Promise<T>;
  readonly controller: AbortController;
  /** Who still wants it. */
  readers: number;
  isOver: boolean;
}

/** How long what stops are sampled by may have no answer before it is asked for again: see {@link SharedReadingsOptions}. */
export const AGAIN_MS = 3_000;

export interface SharedReadingsOptions {
  /**
   * A reading that has no answer for so long, in ms, is begun again beside the first, and whichever is answered sooner counts: where a network was cut
   * silently, an answer to what was asked before never comes. @defaultValue it is waited for
   */
  readonly againAfterMs?: number | undefined;
}

export interface ReadOptions {
  /** A reading that was begun at this instant or later will do, and so will one that is not over. */
  readonly since: EpochMs;
  /** Gives up waiting; the call ends when everybody has given up. */
  readonly signal: AbortSignal;
}

/** Readings of one kind that all who want the same at about the same time share: each costs one call. */
export class SharedReadings<K, T> {
  readonly #time: FeedTime;
  readonly #call: (key: K, signal: AbortSignal) => Promise<T>;
  /** The latest of each key; a failed one is forgotten. */
  readonly #latest = new Map<K, Reading<T>>();

  readonly #againAfterMs: number | undefined;

  constructor(
    time: FeedTime,
    call: (key: K, signal: AbortSignal) => Promise<T>,
    { againAfterMs }: SharedReadingsOptions = {},
  ) {
    this.#time = time;
    this.#call = call;
    this.#againAfterMs = againAfterMs;
  }

  /** The latest reading, where it was begun at `since` or later or is not over, else a new one. @throws what the call throws; the signal's reason. */
  async read(key: K, { since, signal }: ReadOptions): Promise<T> {
    signal.throwIfAborted();
    // One signal may stop a whole bot: many readings listening to it are no leak.
    setMaxListeners(0, signal);
    const latest = this.#latest.get(key);
    // One that still waits for its turn or its answer will do: readings must not pile up.
    const isGood = latest !== undefined && (latest.at >= since || !latest.isOver);
    const reading = isGood ? latest : this.#begin(key);
    reading.readers += 1;
    let onAbort = (): void => undefined;
    const abandoned = new Promise<never>((_, reject) => {
      onAbort = () => {
        reject(signal.reason as Error);
      };
    });
    signal.addEventListener('abort', onAbort);
    const others =
      this.#againAfterMs === undefined ? undefined : this.#again(key, reading, this.#againAfterMs);
    try {
      return await Promise.race([reading.value, abandoned, ...(others?.values ?? [])]);
    } finally {
      signal.removeEventListener('abort', onAbort);
      others?.end();
      this.#leave(key, reading);
    }
  }

  /** Reads again beside a reading, each time that nothing was answered for so long; of these only the newest is waited for. */
  #again(
    key: K,
    reading: Reading<T>,
    afterMs: number,
  ): { readonly values: readonly [Promise<T>]; end(): void } {
    let other: Reading<T> | undefined;
    let cancel = (): void => undefined;
    const leave = (): void => {
      if (other !== undefined) this.#leave(key, other);
    };
    const value = new Promise<T>((resolve) => {
      const begin = (): void => {
        leave();
        const latest = this.#latest.get(key);
        const isNew =
          latest !== undefined && latest !== reading && this.#time.now() - latest.at < afterMs;
        other = isNew ? latest : this.#begin(key);
        other.readers += 1;
        // What has failed, the first one says.
        other.value.then(resolve, () => undefined);
        cancel = this.#time.after(afterMs, begin);
      };
      cancel = this.#time.after(afterMs, begin);
    });
    return {
      values: [value],
      end: () => {
        cancel();
        leave();
      },
    };
  }

  #leave(key: K, reading: Reading<T>): void {
    reading.readers -= 1;
    if (reading.readers === 0 && !reading.isOver) this.#end(key, reading);
  }

  #begin(key: K): Reading<T> {
    const controller = new AbortController();
    const reading: Reading<T> = {
      at: this.#time.now(),
      value: this.#call(key, controller.signal),
      controller,
      readers: 0,
      isOver: false,
    };
    this.#latest.set(key, reading);
    reading.value.then(
      () => {
        reading.isOver = true;
      },
      () => {
        reading.isOver = true;
        this.#forget(key, reading);
      },
    );
    return reading;
  }

  #end(key: K, reading: Reading<T>): void {
    this.#forget(key, reading);
    reading.controller.abort();
  }

  #forget(key: K, reading: Reading<T>): void {
    if (this.#latest.get(key) === reading) this.#latest.delete(key);
  }
}
