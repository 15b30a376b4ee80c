import { setMaxListeners } from 'node:events';

import type { EpochMs } from '../domain/index.js';
import type { FeedTime } from './feed-time.js';

/** When a reading left; undefined while it waits for its turn at the limits. */
export type LeftAt = EpochMs | undefined;

interface Turn {
  leftAt: LeftAt;
  readonly listeners: Set<(leftAt: LeftAt) => void>;
}

interface Reading<T> {
  readonly at: EpochMs;
  readonly turn: Turn;
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
   * A reading that has left and has no answer for so long, in ms, is begun again beside the first, and whichever is answered sooner counts: where a network was cut
   * silently, an answer to what was asked before never comes. @defaultValue it is waited for
   */
  readonly againAfterMs?: number | undefined;
}

export interface ReadOptions {
  /** A reading that was begun at this instant or later will do, and so will one that is not over. */
  readonly since: EpochMs;
  /** Gives up waiting; the call ends when everybody has given up. */
  readonly signal: AbortSignal;
  /** Told at once when the reading left, and when that changes. A source that says nothing of limits leaves at once. */
  readonly onTurn?: ((leftAt: LeftAt) => void) | undefined;
}

/** Makes a call; `onTurn` is told when it begins to wait for a limit (true), and when it leaves. */
export type SharedCall<K, T> = (
  key: K,
  signal: AbortSignal,
  onTurn: (isWaiting: boolean) => void,
) => Promise<T>;

/** Readings of one kind that all who want the same at about the same time share: each costs one call. */
export class SharedReadings<K, T> {
  readonly #time: FeedTime;
  readonly #call: SharedCall<K, T>;
  /** The latest of each key; a failed one is forgotten. */
  readonly #latest = new Map<K, Reading<T>>();

  readonly #againAfterMs: number | undefined;

  constructor(
    time: FeedTime,
    call: SharedCall<K, T>,
    { againAfterMs }: SharedReadingsOptions = {},
  ) {
    this.#time = time;
    this.#call = call;
    this.#againAfterMs = againAfterMs;
  }

  /** The latest reading, where it was begun at `since` or later or is not over, else a new one. @throws what the call throws; the signal's reason. */
  async read(key: K, { since, signal, onTurn = () => undefined }: ReadOptions): Promise<T> {
    signal.throwIfAborted();
    // One signal may stop a whole bot: many readings listening to it are no leak.
    setMaxListeners(0, signal);
    const reading = this.#find(key, since) ?? this.#begin(key);
    reading.readers += 1;
    reading.turn.listeners.add(onTurn);
    onTurn(reading.turn.leftAt);
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
      reading.turn.listeners.delete(onTurn);
      others?.end();
      this.#leave(key, reading);
    }
  }

  /** Whether {@link read} needs no call. */
  has(key: K, since: EpochMs): boolean {
    return this.#find(key, since) !== undefined;
  }

  /** One that still waits for its turn or its answer will do: readings must not pile up. */
  #find(key: K, since: EpochMs): Reading<T> | undefined {
    const latest = this.#latest.get(key);
    return latest !== undefined && (latest.at >= since || !latest.isOver) ? latest : undefined;
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
        // Another beside one that waits for its turn would wait behind it.
        const remainingMs = this.#untilLate(other ?? reading, afterMs);
        if (remainingMs > 0) {
          cancel = this.#time.after(remainingMs, begin);
          return;
        }
        leave();
        const latest = this.#latest.get(key);
        const isNew =
          latest !== undefined && latest !== reading && this.#untilLate(latest, afterMs) > 0;
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

  /** How long until a reading has had no answer for `afterMs`, at least. */
  #untilLate({ turn: { leftAt } }: Reading<T>, afterMs: number): number {
    return leftAt === undefined ? afterMs : leftAt + afterMs - this.#time.now();
  }

  #leave(key: K, reading: Reading<T>): void {
    reading.readers -= 1;
    if (reading.readers === 0 && !reading.isOver) this.#end(key, reading);
  }

  #begin(key: K): Reading<T> {
    const controller = new AbortController();
    const at = this.#time.now();
    const turn: Turn = { leftAt: at, listeners: new Set() };
    const onTurn = (isWaiting: boolean): void => {
      turn.leftAt = isWaiting ? undefined : this.#time.now();
      for (const listener of turn.listeners) listener(turn.leftAt);
    };
    const reading: Reading<T> = {
      at,
      turn,
      value: this.#call(key, controller.signal, onTurn),
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
