import { Observable, type Subscriber } from 'rxjs';
import type { FollowUp } from '../intents/follow-up.js';

/** Pushes values to subscribers without the bookkeeping of a Subject; subscribing and leaving during a push take effect after it. */
export class Channel<T> {
  #subscribers: readonly Subscriber<T>[] = [];
  isObserved = false;
  readonly values$: Observable<T>;

  /** `followUp` is set when somebody subscribes. */
  constructor(followUp?: FollowUp) {
    this.values$ = new Observable<T>((subscriber) => {
      this.#serve([...this.#subscribers, subscriber]);
      if (followUp !== undefined) followUp.isNeeded = true;
      return () => {
        this.#serve(this.#subscribers.filter((candidate) => candidate !== subscriber));
      };
    });
  }

  #serve(subscribers: readonly Subscriber<T>[]): void {
    this.#subscribers = subscribers;
    this.isObserved = subscribers.length > 0;
  }

  push(value: T): void {
    for (const subscriber of this.#subscribers) subscriber.next(value);
  }

  /** Drops all subscribers: they receive nothing any more, not even the end. */
  silence(): void {
    this.#serve([]);
  }

  complete(): void {
    for (const subscriber of this.#subscribers) subscriber.complete();
  }
}
