import { Observable, type Subscriber } from 'rxjs';
import type { FollowUp } from './follow-up.js';

/** Pushes values to subscribers without the bookkeeping of a Subject; subscribing and leaving during a push take effect after it. */
export class Channel<T> {
  #subscribers: readonly Subscriber<T>[] = [];
  readonly values$: Observable<T>;

  /** `followUp` is set when somebody subscribes. */
  constructor(followUp?: FollowUp) {
    this.values$ = new Observable<T>((subscriber) => {
      this.#subscribers = [...this.#subscribers, subscriber];
      if (followUp !== undefined) followUp.isNeeded = true;
      return () => {
        this.#subscribers = this.#subscribers.filter((candidate) => candidate !== subscriber);
      };
    });
  }

  get isObserved(): boolean {
    return this.#subscribers.length > 0;
  }

  push(value: T): void {
    for (const subscriber of this.#subscribers) subscriber.next(value);
  }

  /** Drops all subscribers: they receive nothing any more, not even the end. */
  silence(): void {
    this.#subscribers = [];
  }

  complete(): void {
    for (const subscriber of this.#subscribers) subscriber.complete();
  }
}
