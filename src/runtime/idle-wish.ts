import type { EpochMs, OrderIntent, RuleBook } from '../domain/index.js';
import type { EngineClock } from './engine-clock.js';

/**
 * The wish that was found to change nothing last. Many strategies say the same with every candle; whether it changes anything is worked out
 * again only when something may have changed: after {@link forget}, or when other rules are in force.
 */
export class IdleWish {
  readonly #rules: RuleBook;
  readonly #clock: EngineClock;
  #kind: OrderIntent['kind'] | undefined;
  #instrument: string | undefined;
  #direction: string | undefined;
  /** It is known before then. */
  #until: EpochMs = Number.NEGATIVE_INFINITY;

  constructor(rules: RuleBook, clock: EngineClock) {
    this.#rules = rules;
    this.#clock = clock;
  }

  /** Orders, positions or what waits may have changed. */
  forget(): void {
    this.#until = Number.NEGATIVE_INFINITY;
  }

  /** Takes an entry or exit that changes nothing now. */
  learn(intent: OrderIntent): void {
    if (intent.kind !== 'enter' && intent.kind !== 'exit') return;
    this.#kind = intent.kind;
    this.#instrument = intent.instrument;
    this.#direction = intent.direction;
    this.#until = this.#rules.changeAfter(this.#clock.now());
  }

  /** Whether an intent wants the same. How much it wants does not matter where it gets nothing. */
  covers(intent: OrderIntent): boolean {
    return (
      this.#clock.now() < this.#until &&
      intent.kind === this.#kind &&
      (intent.kind === 'exit' || (intent.kind === 'enter' && intent.add !== true)) &&
      intent.instrument === this.#instrument &&
      intent.direction === this.#direction
    );
  }
}
