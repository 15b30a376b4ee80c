import { setMaxListeners } from 'node:events';

import type { EpochMs } from '../domain/index.js';
import type { FeedTime } from './feed-time.js';

/** Time when a reading was sent; undefined while it waits for its turn at the limits. */
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
  /** Number of readers that still wait for it. */
  readers: number;
  isOver: boolean;
}

/** Time without an answer after which a reading for stops is requested again: see {@link SharedReadingsOptions}. */
export const AGAIN_MS = 3_000;

interface SharedReadingsOptions {
  /**
   * A reading that was sent and has no answer for this time, in ms, is repeated in parallel, and the first answer counts. After a silent network cut,
   * the answer to the first request never comes. @defaultValue the reading is not repeated
   */
  readonly againAfterMs?: number | undefined;
}

export interface ReadOptions {
  /** A reading that began at this time or later is enough, and so is one that has not ended. */
  readonly since: EpochMs;
  /** Stops waiting. The call ends when all readers have stopped waiting. */
  readonly signal: AbortSignal;
  /** Called at once with the time when the reading was sent, and when that changes. A source that does not report limits counts as sent at once. */
  readonly onTurn?: ((leftAt: LeftAt) => void) | undefined;
}

/** Makes a call. It calls `onTurn` with true when it begins to wait for a limit, and with false when it is sent. */
type SharedCall<K, T> = (
  key: K,
  signal: AbortSignal,
  onTurn: (isWaiting: boolean) => void,
) => Promise<T>;

/** Readings of one kind, shared by all who need the same at about the same time: each costs one call. */
export class SharedReadings<K, T> {
  readonly #time: FeedTime;
  readonly #call: SharedCall<K, T>;
  /** The latest reading of each key. A failed one is removed. */
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

  /**
   * Returns the latest reading if it began at `since` or later, or has not ended; otherwise a new one. @throws errors of the call; the signal's
   * reason.
   */
  async read(key: K, { since, signal, onTurn = () => undefined }: ReadOptions): Promise<T> {
    signal.throwIfAborted();
    // One signal may stop a whole bot: many listeners are no leak.
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

  /** A reading that still waits for its turn or its answer is enough: readings must not pile up. */
  #find(key: K, since: EpochMs): Reading<T> | undefined {
    const latest = this.#latest.get(key);
    return latest !== undefined && (latest.at >= since || !latest.isOver) ? latest : undefined;
  }

  /** Repeats a reading in parallel, each time that there was no answer for `afterMs`. Of the repeated readings only the newest is waited for. */
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
        // While the reading waits for its turn, a repeated one would only wait behind it.
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
        // The first reading reports failures.
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

  /** Time until a reading has had no answer for `afterMs`, at least. */
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
