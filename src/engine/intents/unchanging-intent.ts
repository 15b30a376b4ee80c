import type {
  EnterIntent,
  EpochMs,
  ExitIntent,
  OrderIntent,
  RuleBook,
  Size,
} from '../../domain/index.js';
import {
  PLAIN_INTENTS,
  type EntryTerms,
  type ExitTerms,
  type PlainIntent,
} from '../../strategy/index.js';
import type { EngineParts } from '../engine-parts.js';
import type { KnownForms } from '../orders/forms/known-forms.js';
import type { EngineClock } from '../time/engine-clock.js';
import { NO_INTENT, type IntentQueue } from './intent-queue.js';

/**
 * The last intent that was found to change nothing. Many strategies repeat an intent with every candle. Whether it changes anything is checked
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
  /** Latest time before the next {@link begin}. */
  #last: EpochMs = Number.POSITIVE_INFINITY;
  /** When other rules come into force. */
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

  /** Begins a batch: time moves on to `last` at most before the next batch begins. */
  begin(last: EpochMs): void {
    this.#last = last;
    if (last >= this.#until) this.forget();
  }

  /** Call when orders, positions or waiting intents may have changed. */
  forget(): void {
    this.#kind = undefined;
    this.#intents.unchanging = NO_INTENT;
  }

  /** Remembers an entry or exit that changes nothing now. */
  learn(intent: OrderIntent): void {
    if (intent.kind !== 'enter' && intent.kind !== 'exit') return;
    const until = this.#rules.changeAfter(this.#clock.now);
    // The time is not checked again before the next batch.
    if (this.#last >= until) return;
    this.#until = until;
    this.#kind = intent.kind;
    this.#instrument = intent.instrument;
    this.#direction = intent.direction;
    if (!this.#intents.hasReserved) this.#intents.unchanging = plainOf(intent);
  }

  /** Whether terms ask for nothing more than the plain intent, and an intent with them has the form of the last checked one. */
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

  /** Whether an intent asks for the same, or for less. Its size does not matter, because nothing is sent. */
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

/** Whether terms name no instrument or direction, and ask for nothing more than a plain intent. */
function wantsNoMore(terms: Readonly<Record<string, unknown>>): boolean {
  // Read one after the other: objects of strategies have many shapes, so each read is a look-up.
  return (
    terms['add'] !== true &&
    terms['instrument'] === undefined &&
    terms['direction'] === undefined &&
    terms['cancelEntries'] !== true
  );
}

/** The same intent without its terms; `NO_INTENT` if it names an instrument. */
function plainOf(intent: EnterIntent | ExitIntent): PlainIntent | typeof NO_INTENT {
  const { kind, instrument, direction } = intent;
  if (instrument !== undefined) return NO_INTENT;
  if (kind === 'enter') return PLAIN_INTENTS[direction];
  return direction === undefined ? PLAIN_INTENTS.exit : NO_INTENT;
}
