import type { EnterIntent, EpochMs, ExitIntent, OrderIntent, RuleBook } from '../domain/index.js';
import type { EntryTerms, ExitTerms, PlainIntent } from '../strategy/index.js';
import type { EngineClock } from './engine-clock.js';

const NO_INTENT = 0;

/**
 * The intent that was found to change nothing last. Many strategies say the same with every candle; whether it changes anything is worked out
 * again only when something may have changed: after {@link forget}, or when other rules are in force.
 */
export class UnchangingIntent {
  readonly #rules: RuleBook;
  readonly #clock: EngineClock;
  #kind: OrderIntent['kind'] | undefined;
  #instrument: string | undefined;
  #direction: string | undefined;
  /** The same, where it names no instrument. A number: it is compared with every candle, and a text is asked what it is. */
  #unnamed = NO_INTENT;
  /** Time goes on to there before {@link begin}. */
  #last: EpochMs = Number.POSITIVE_INFINITY;
  /** Other rules are in force then. */
  #until: EpochMs = Number.POSITIVE_INFINITY;

  constructor(rules: RuleBook, clock: EngineClock) {
    this.#rules = rules;
    this.#clock = clock;
  }

  /** Time will go on, to `last` at most until it begins again. */
  begin(last: EpochMs): void {
    this.#last = last;
    if (last >= this.#until) this.forget();
  }

  /** Orders, positions or what waits may have changed. */
  forget(): void {
    this.#kind = undefined;
    this.#unnamed = NO_INTENT;
  }

  /** Takes an entry or exit that changes nothing now. */
  learn(intent: OrderIntent): void {
    if (intent.kind !== 'enter' && intent.kind !== 'exit') return;
    const until = this.#rules.changeAfter(this.#clock.now());
    // Nobody looks at the time from here on.
    if (this.#last >= until) return;
    this.#until = until;
    this.#kind = intent.kind;
    this.#instrument = intent.instrument;
    this.#direction = intent.direction;
    this.#unnamed = unnamedOf(intent);
  }

  /** Whether {@link covers} says so of an intent with these terms. */
  isAgain(intent: PlainIntent, terms: EntryTerms | ExitTerms | undefined): boolean {
    if (numberOf(intent) !== this.#unnamed) return false;
    // A plugin in JavaScript may give null.
    return terms === undefined || (Boolean(terms) && wantsNoMore(terms));
  }

  /** Whether an intent wants the same, or less. How much it wants does not matter where it gets nothing. */
  covers(intent: OrderIntent): boolean {
    return (
      intent.kind === this.#kind &&
      ((intent.kind === 'exit' && intent.cancelEntries !== true) ||
        (intent.kind === 'enter' && intent.add !== true)) &&
      intent.instrument === this.#instrument &&
      intent.direction === this.#direction
    );
  }
}

/** Whether terms name nothing, and want nothing besides what a plain intent wants. */
function wantsNoMore(terms: Readonly<Record<string, unknown>>): boolean {
  const { instrument, direction, add, cancelEntries } = terms;
  return (
    instrument === undefined && direction === undefined && add !== true && cancelEntries !== true
  );
}

function unnamedOf({ kind, instrument, direction }: EnterIntent | ExitIntent): number {
  if (instrument !== undefined) return NO_INTENT;
  if (kind === 'enter') return numberOf(direction);
  return direction === undefined ? numberOf('exit') : NO_INTENT;
}

function numberOf(intent: PlainIntent): number {
  if (intent === 'long') return 1;
  return intent === 'short' ? 2 : 3;
}
