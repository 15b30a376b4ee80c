import { filter, map, Subject, type Observable } from 'rxjs';
import type { AccountEvent, Fill, FundingPayment, Halt, Order } from '../domain/index.js';
import type { StrategyContext, Verdict } from '../strategy/index.js';

/** An event of a run, as its strategy receives it. */
export type RunEvent =
  /** The decision of risk on an intent. */
  | { readonly kind: 'verdict'; readonly verdict: Verdict }
  /** An order has changed. */
  | { readonly kind: 'order'; readonly order: Order }
  | { readonly kind: 'fill'; readonly fill: Fill }
  | { readonly kind: 'halt'; readonly halt: Halt }
  | { readonly kind: 'funding'; readonly payment: FundingPayment }
  | { readonly kind: 'account'; readonly event: AccountEvent };

/**
 * The events of a run as streams. Hot; replay 0; complete when the run has ended, also after a failure; never error. They emit when the engine has its
 * break, so what a listener does, and an error that it throws, is no part of the run.
 */
export interface RunStreams {
  readonly events$: Observable<RunEvent>;
  readonly orders$: Observable<Order>;
  readonly fills$: Observable<Fill>;
}

/** Makes the streams of a run. `next` emits an event, `complete` ends the streams. */
export function createRunStreams(): {
  readonly streams: RunStreams;
  readonly next: (event: RunEvent) => void;
  readonly complete: () => void;
} {
  const events = new Subject<RunEvent>();
  let waiting: RunEvent[] = [];
  // Inside the engine, RxJS's time is the engine's: an error, a timer or the clock of a listener would count as the strategy's.
  const deliver = (): void => {
    const taken = waiting;
    waiting = [];
    for (const event of taken) events.next(event);
  };
  return {
    streams: {
      events$: events.asObservable(),
      orders$: events.pipe(
        filter((event) => event.kind === 'order'),
        map(({ order }) => order),
      ),
      fills$: events.pipe(
        filter((event) => event.kind === 'fill'),
        map(({ fill }) => fill),
      ),
    },
    next: (event) => {
      if (!events.observed) return;
      if (waiting.length === 0) queueMicrotask(deliver);
      waiting.push(event);
    },
    complete: () => {
      deliver();
      events.complete();
    },
  };
}

/** Passes on every event that the strategy of `context` receives from now on. */
export function forwardEvents(context: StrategyContext, tell: (event: RunEvent) => void): void {
  const hear = <T>(told$: Observable<T>, eventOf: (told: T) => RunEvent): void => {
    told$.subscribe({
      next: (told) => {
        tell(eventOf(told));
      },
      error: (error: unknown) => {
        throw error;
      },
    });
  };
  hear(context.verdicts$, (verdict) => ({ kind: 'verdict', verdict }));
  hear(context.orders$, (order) => ({ kind: 'order', order }));
  hear(context.fills$, (fill) => ({ kind: 'fill', fill }));
  hear(context.halts$, (halt) => ({ kind: 'halt', halt }));
  hear(context.funding$, (payment) => ({ kind: 'funding', payment }));
  hear(context.accountEvents$, (event) => ({ kind: 'account', event }));
}
