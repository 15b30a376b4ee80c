import type {
  EnterIntent,
  EpochMs,
  ExitIntent,
  OrderIntent,
  RuleBook,
  Size,
} from '../domain/index.js';
import {
  PLAIN_INTENTS,
  type EntryTerms,
  type ExitTerms,
  type PlainIntent,
} from '../strategy/index.js';
import type { EngineClock } from './engine-clock.js';
import type { EngineParts } from './engine-parts.js';
import { NO_INTENT, type IntentQueue } from './intent-queue.js';
import type { KnownForms } from './orders/known-forms.js';

/**
 * The intent that was found to change nothing last. Many strategies say the same with every candle; whether it changes anything is worked out
 * again only when something may have changed: after {@link forget}, or when other rules are in force.
 */
export class UnchangingIntent {
  readonly #rules: RuleBook;
  readonly #clock: EngineClock;
  readonly #intents: IntentQueue;
  readonly #forms: KnownForms;
  #kind: OrderIntent['kind'] | undefined;
  #instrument: string | undefined;
  #direction: string | undefined;
  /** Time goes on to there before {@link begin}. */
  #last: EpochMs = Number.POSITIVE_INFINITY;
  /** Other rules are in force then. */
  #until: EpochMs = Number.POSITIVE_INFINITY;

  constructor({
    options,
    clock,
    intents,
    forms,
  }: Pick<EngineParts, 'clock' | 'intents' | 'forms'> & {
    readonly options: Pick<EngineParts['options'], 'rules'>;
  }) {
    this.#rules = options.rules;
    this.#clock = clock;
    this.#intents = intents;
    this.#forms = forms;
  }

  /** Time will go on, to `last` at most until it begins again. */
  begin(last: EpochMs): void {
    this.#last = last;
    if (last >= this.#until) this.forget();
  }

  /** Orders, positions or what waits may have changed. */
  forget(): void {
    this.#kind = undefined;
    this.#intents.unchanging = NO_INTENT;
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
    if (!this.#intents.hasReserved) this.#intents.unchanging = plainOf(intent);
  }

  /** Whether terms want nothing besides, and an intent with them would be written as one before it. */
  isWrittenAgain(
    intent: PlainIntent,
    size: Size | undefined,
    terms: EntryTerms | ExitTerms | null,
  ): boolean {
    // A plugin in JavaScript may give null.
    if (terms === null || !wantsNoMore(terms)) return false;
    const kind = intent === PLAIN_INTENTS.exit ? 'exit' : 'enter';
    return this.#forms.isWrittenAgain(kind, size, terms);
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
  // One after the other: objects of strategies have many shapes, and each read is a look-up then.
  return (
    terms['add'] !== true &&
    terms['instrument'] === undefined &&
    terms['direction'] === undefined &&
    terms['cancelEntries'] !== true
  );
}

/** What is the same without its terms, where it names no instrument. */
function plainOf(intent: EnterIntent | ExitIntent): PlainIntent | typeof NO_INTENT {
  const { kind, instrument, direction } = intent;
  if (instrument !== undefined) return NO_INTENT;
  if (kind === 'enter') return PLAIN_INTENTS[direction];
  return direction === undefined ? PLAIN_INTENTS.exit : NO_INTENT;
}
