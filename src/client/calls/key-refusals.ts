import type { EpochMs } from '../../domain/index.js';

/** Signed calls in a row that were refused because of key, signature, permission or address. */
export interface KeyRefusal {
  readonly since: EpochMs;
  readonly latest: EpochMs;
  readonly count: number;
  /** The venue's latest text. */
  readonly text: string;
}

/** Counts refusals of the key in a row: a single one may be a fault of a gateway, many need the owner. */
export class KeyRefusals {
  #current: KeyRefusal | undefined;

  /** Undefined while signed calls are accepted. */
  get current(): KeyRefusal | undefined {
    return this.#current;
  }

  refused(now: EpochMs, text: string): void {
    const { since = now, count = 0 } = this.#current ?? {};
    this.#current = { since, latest: now, count: count + 1, text };
  }

  /** Notes a signed call that the venue understood, whatever its answer. */
  served(): void {
    this.#current = undefined;
  }
}
