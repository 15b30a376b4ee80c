import { Observable, type Subscriber } from 'rxjs';

/** Pushes values to subscribers without the bookkeeping of a Subject; subscribing and leaving during a push take effect after it. */
export class Channel<T> {
  #subscribers: readonly Subscriber<T>[] = [];
  readonly values$ = new Observable<T>((subscriber) => {
    this.#subscribers = [...this.#subscribers, subscriber];
    return () => {
      this.#subscribers = this.#subscribers.filter((candidate) => candidate !== subscriber);
    };
  });

  get isObserved(): boolean {
    return this.#subscribers.length > 0;
  }

  push(value: T): void {
    for (const subscriber of this.#subscribers) subscriber.next(value);
  }

  /** Nobody is told any more, not even of the end. */
  silence(): void {
    this.#subscribers = [];
  }

  complete(): void {
    for (const subscriber of this.#subscribers) subscriber.complete();
  }
}
