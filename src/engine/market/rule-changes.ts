import type { DatedRules, InstrumentId, RuleBook } from '../../domain/index.js';
import type { EngineEvent } from '../events.js';

/** Rules of one instrument that the venue has changed, and the time from which they were known. */
export interface RuleChange extends DatedRules {
  readonly instrumentId: InstrumentId;
}

/** Changes that the venue made to the configured rules of a bot: the last change of each instrument. */
export class RuleChanges {
  readonly #book: RuleBook;
  readonly #last = new Map<InstrumentId, RuleChange>();

  constructor(book: RuleBook, before: readonly RuleChange[] = []) {
    this.#book = book;
    for (const change of before) this.#note(change);
  }

  take({ instrumentId, time, rules }: Extract<EngineEvent, { readonly kind: 'rules' }>): void {
    this.#note({ instrumentId, from: time, rules });
  }

  #note(change: RuleChange): void {
    this.#last.set(change.instrumentId, change);
    this.#book.change(change.instrumentId, change);
  }

  /** For a checkpoint; undefined if nothing has changed. */
  get list(): readonly RuleChange[] | undefined {
    return this.#last.size === 0 ? undefined : [...this.#last.values()];
  }
}
