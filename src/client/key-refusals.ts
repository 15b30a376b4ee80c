import type { EpochMs } from '../domain/index.js';

/** Signed calls in a row whose key, signature, permission or address was refused. */
export interface KeyRefusal {
  readonly since: EpochMs;
  readonly latest: EpochMs;
  readonly count: number;
  /** What the venue said last. */
  readonly text: string;
}

/** Counts refusals of the key in a row: one may be a gateway in trouble, many are for the owner. */
export class KeyRefusals {
  #current: KeyRefusal | undefined;

  /** Undefined while signed calls are served. */
  get current(): KeyRefusal | undefined {
    return this.#current;
  }

  refused(now: EpochMs, text: string): void {
    const { since = now, count = 0 } = this.#current ?? {};
    this.#current = { since, latest: now, count: count + 1, text };
  }

  /** A signed call was understood, whatever was said to it. */
  served(): void {
    this.#current = undefined;
  }
}
