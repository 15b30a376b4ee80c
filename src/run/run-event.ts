import { filter, map, Subject, type Observable } from 'rxjs';
import type { AccountEvent, Fill, FundingPayment, Halt, Order } from '../domain/index.js';
import type { StrategyContext, Verdict } from '../strategy/index.js';

/** What happens in a run, as its strategy is told of it. */
export type RunEvent =
  /** What risk said to an intent. */
  | { readonly kind: 'verdict'; readonly verdict: Verdict }
  /** An order has changed. */
  | { readonly kind: 'order'; readonly order: Order }
  | { readonly kind: 'fill'; readonly fill: Fill }
  | { readonly kind: 'halt'; readonly halt: Halt }
  | { readonly kind: 'funding'; readonly payment: FundingPayment }
  | { readonly kind: 'account'; readonly event: AccountEvent };

/** What happens in a run as streams. Hot; replay 0; complete when the run has ended, however it does; never error. */
export interface RunStreams {
  readonly events$: Observable<RunEvent>;
  readonly orders$: Observable<Order>;
  readonly fills$: Observable<Fill>;
}

/** Makes the streams of a run. `next` tells them an event, `complete` ends them. */
export function createRunStreams(): {
  readonly streams: RunStreams;
  readonly next: (event: RunEvent) => void;
  readonly complete: () => void;
} {
  const events = new Subject<RunEvent>();
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
      events.next(event);
    },
    complete: () => {
      events.complete();
    },
  };
}

/** Tells everything of it that a strategy is told from now on. */
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
