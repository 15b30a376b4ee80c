import {
  animationFrameScheduler,
  asapScheduler,
  config,
  ignoreElements,
  interval,
  map,
  NEVER,
  observeOn,
  queueScheduler,
  Subject,
  tap,
  timer,
  type Observable,
  type SchedulerLike,
  type Subscription,
} from 'rxjs';
// eslint-disable-next-line rxjs-x/no-internal -- what others overwrite is internal
import { immediateProvider } from 'rxjs/internal/scheduler/immediateProvider';
// eslint-disable-next-line rxjs-x/no-internal -- what others overwrite is internal
import { intervalProvider } from 'rxjs/internal/scheduler/intervalProvider';
// eslint-disable-next-line rxjs-x/no-internal -- what others overwrite is internal
import { timeoutProvider } from 'rxjs/internal/scheduler/timeoutProvider';
import { TestScheduler } from 'rxjs/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { MINUTE_MS, type OrderIntent } from '../../../../src/domain/index.js';
import type { EngineEvent } from '../../../../src/engine/index.js';
import { CandleStrategy, Strategy, type StrategyClass } from '../../../../src/strategy/index.js';
import { failureOf } from '../../../support/failure.js';
import {
  aMinute,
  aStartedEngine,
  closing,
  passing,
  play,
  START,
} from '../../../support/engine/engine.js';

/** A strategy that subscribes to the result of `run$` and raises no intents. */
function doing(run$: (strategy: Strategic) => Observable<unknown>): StrategyClass {
  return class Doing extends Strategic {
    override intents(): Observable<OrderIntent> {
      return run$(this).pipe(ignoreElements());
    }
  };
}

abstract class Strategic extends Strategy({}) {}

/** A strategy that records when its stream emits, in ms since the start. */
function noting(stream$: Observable<unknown>, times: number[]): StrategyClass {
  return doing((strategy) => stream$.pipe(tap(() => times.push(strategy.now - START))));
}

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
});

afterEach(() => {
  config.onUnhandledError = null;
  vi.useRealTimers();
});

describe('a real RxJS poll beside an engine', () => {
  it('keeps real time while the engine runs through a day between two ticks', () => {
    const ticks: number[] = [];
    const virtual: number[] = [];
    const poll = interval(1_000).subscribe(() => ticks.push(Date.now()));
    const engine = aStartedEngine(noting(interval(6 * 60 * MINUTE_MS), virtual));

    vi.advanceTimersByTime(1_000);
    play(engine, [closing(aMinute(1))], START + 24 * 60 * MINUTE_MS);
    vi.advanceTimersByTime(2_000);
    poll.unsubscribe();

    expect(ticks).toEqual([1_000, 2_000, 3_000]);
    expect(virtual).toEqual([1, 2, 3, 4].map((quarter) => quarter * 6 * 60 * MINUTE_MS));
    expect(vi.getTimerCount()).toBe(0);
  });

  it('keeps real time if it is subscribed to after the engine has run', () => {
    const ticks: number[] = [];
    aStartedEngine(noting(NEVER, []));

    const poll = timer(500).subscribe(() => ticks.push(Date.now()));
    vi.advanceTimersByTime(500);
    poll.unsubscribe();

    expect(ticks).toEqual([500]);
  });

  it('can be canceled from inside an engine', () => {
    const ticks: number[] = [];
    const poll = interval(1_000).subscribe(() => ticks.push(Date.now()));
    const engine = aStartedEngine(doing(() => timer(60_000).pipe(tap(() => poll.unsubscribe()))));

    play(engine, [], START + MINUTE_MS);
    vi.advanceTimersByTime(5_000);

    expect(ticks).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a timer of an engine', () => {
  it('can be canceled outside the engine', () => {
    const times: number[] = [];
    let inner: Subscription | undefined;
    const engine = aStartedEngine(
      doing((strategy) => {
        inner = interval(60_000).subscribe(() => times.push(strategy.now - START));
        return NEVER;
      }),
    );
    play(engine, [], START + 2 * MINUTE_MS);

    inner?.unsubscribe();
    play(engine, [closing(aMinute(5))], START + 10 * MINUTE_MS);

    expect(times).toEqual([60_000, 120_000]);
    expect(engine.nextTimer()).toBe(Infinity);
  });

  it.each<{ name: string; scheduler: SchedulerLike; after: number }>([
    { name: 'asapScheduler', scheduler: asapScheduler, after: 0 },
    { name: 'animationFrameScheduler', scheduler: animationFrameScheduler, after: 16 },
  ])('can be canceled outside the engine on $name', ({ scheduler, after }) => {
    const times: number[] = [];
    let inner: Subscription | undefined;
    const engine = aStartedEngine(
      doing((strategy) => {
        const work$ = strategy.market.candles$();
        return work$.pipe(
          tap(() => {
            inner = scheduler.schedule(() => times.push(strategy.now - START));
          }),
        );
      }),
    );
    engine.process(closing(aMinute(1)));

    inner?.unsubscribe();
    play(engine, [closing(aMinute(2))], START + 3 * MINUTE_MS);

    const first = after === 0 ? [60_000] : [];
    expect(times).toEqual([...first, 120_000 + after]);
  });

  it.each([
    { name: 'asyncScheduler', stream$: interval(1_000), first: 1_000 },
    {
      name: 'animationFrameScheduler',
      stream$: interval(0, animationFrameScheduler),
      first: 16,
    },
  ])('fires only in its own engine on $name', ({ stream$, first }) => {
    const a: number[] = [];
    const b: number[] = [];
    const engineA = aStartedEngine(noting(stream$, a));
    const engineB = aStartedEngine(noting(stream$, b));

    engineB.process(passing(START + first));
    const afterB = { a: [...a], b: [...b] };
    engineA.process(passing(START + first));

    expect(afterB).toEqual({ a: [], b: [first] });
    expect({ a, b }).toEqual({ a: [first], b: [first] });
  });

  it('does not hold back other engines on asapScheduler if its engine fails', () => {
    const times: number[] = [];
    class Fails extends CandleStrategy({}) {
      override onCandle(): void {
        asapScheduler.schedule(() => undefined);
        throw new Error('something left to do');
      }
    }
    const failing = aStartedEngine(Fails);
    const other = aStartedEngine(
      doing((strategy) =>
        strategy.market.candles$().pipe(
          observeOn(asapScheduler),
          tap(() => times.push(strategy.now - START)),
        ),
      ),
    );

    expect(() => failing.process(closing(aMinute(1)))).toThrow('something left to do');
    other.process(closing(aMinute(1)));

    expect(times).toEqual([60_000]);
  });

  it('fires before asapScheduler only if it is due before', () => {
    const order: string[] = [];
    const engine = aStartedEngine(
      doing((strategy) => {
        timer(60_000).subscribe(() => order.push('timer'));
        return strategy.market.candles$().pipe(
          tap(() => {
            order.push('candle');
            asapScheduler.schedule(() => order.push('asap'));
          }),
        );
      }),
    );

    engine.process(closing(aMinute(1)));

    expect(order).toEqual(['candle', 'asap', 'timer']);
  });
});

describe('Engine.process inside an RxJS timer', () => {
  const asynchronous = (work: () => void): Subscription => timer(1_000).subscribe(work);
  const on =
    (scheduler: SchedulerLike) =>
    (work: () => void): Subscription =>
      scheduler.schedule(work);

  it.each([
    { name: 'asyncScheduler', enter: asynchronous },
    { name: 'asapScheduler', enter: on(asapScheduler) },
    { name: 'queueScheduler', enter: on(queueScheduler) },
    { name: 'animationFrameScheduler', enter: on(animationFrameScheduler) },
  ])('is refused on $name', async ({ enter }) => {
    const engine = aStartedEngine(noting(NEVER, []));
    const failures: Error[] = [];

    enter(() => {
      failures.push(failureOf(() => engine.process(closing(aMinute(1)))));
    });
    await vi.advanceTimersByTimeAsync(2_000);

    expect(failures).toMatchObject([
      { name: 'InvariantError', code: 'E_ENGINE_INSIDE_RXJS_TIMER' },
    ]);
  });

  it('works from a queue that a microtask empties', async () => {
    const times: number[] = [];
    const engine = aStartedEngine(noting(interval(20_000), times));
    const queue: EngineEvent[] = [];
    const pump = (): void => {
      for (const event of queue.splice(0)) engine.process(event);
    };
    const poll = interval(1_000).subscribe((tick) => {
      queue.push(closing(aMinute(tick + 1)));
      void Promise.resolve().then(pump);
    });

    await vi.advanceTimersByTimeAsync(2_000);
    poll.unsubscribe();

    expect(times).toEqual([20_000, 40_000, 60_000, 80_000, 100_000, 120_000]);
  });
});

describe('other code that sets the delegates of RxJS', () => {
  it('does not affect an engine that is entered later', () => {
    const times: number[] = [];
    const engine = aStartedEngine(noting(interval(60_000).pipe(observeOn(asapScheduler)), times));

    new TestScheduler(() => undefined).run(({ flush }) => {
      flush();
    });
    play(engine, [closing(aMinute(3))], START + 3 * MINUTE_MS);

    expect(times).toEqual([60_000, 120_000, 180_000]);
  });

  it.each([
    { name: 'intervals', provider: intervalProvider, stream$: timer(1_000) },
    {
      name: 'immediates',
      provider: immediateProvider,
      stream$: timer(1_000).pipe(observeOn(asapScheduler)),
    },
  ])('does not affect an engine by $name alone', ({ provider, stream$ }) => {
    const times: number[] = [];
    aStartedEngine(noting(NEVER, []));

    provider.delegate = undefined;
    const engine = aStartedEngine(noting(stream$, times));
    play(engine, [], START + MINUTE_MS);

    expect(times).toEqual([1_000]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not affect unhandled errors of an engine', () => {
    aStartedEngine(noting(NEVER, []));
    timeoutProvider.delegate = undefined;
    const unhandled = new Subject<void>();
    const engine = aStartedEngine(
      doing((strategy) => {
        strategy.market.candles$().subscribe(() => {
          throw new Error('in a nested subscribe');
        });
        return unhandled;
      }),
    );

    const failure = failureOf(() => engine.process(closing(aMinute(1))));

    expect(failure).toMatchObject({ code: 'E_STRATEGY_FAILED' });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('keeps its own time when an engine runs inside it', () => {
    const times: number[] = [];
    const engine = aStartedEngine(noting(interval(30_000), times));

    new TestScheduler((actual, expected) => {
      expect(actual).toEqual(expected);
    }).run(({ hot, expectObservable }) => {
      const minutes$ = hot('-a-b|', { a: 1, b: 2 }).pipe(
        tap((minute) => engine.process(closing(aMinute(minute)))),
      );
      const later$ = minutes$.pipe(map((minute) => timer(minute)));
      expectObservable(minutes$.pipe(observeOn(asapScheduler))).toBe('-1-2|', { 1: 1, 2: 2 });
      expectObservable(later$.pipe(ignoreElements())).toBe('----|');
      expectObservable(timer(7)).toBe('-------(0|)', { 0: 0 });
    });

    expect(times).toEqual([30_000, 60_000, 90_000, 120_000]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('an unhandled error in an engine', () => {
  it('fails the event, and does not reach the handler of the process', () => {
    const handled: unknown[] = [];
    config.onUnhandledError = (error) => handled.push(error);
    const engine = aStartedEngine(
      doing((strategy) => {
        strategy.market.candles$().subscribe(() => {
          throw new Error('in a nested subscribe');
        });
        return NEVER;
      }),
    );

    const failure = failureOf(() => engine.process(closing(aMinute(1))));

    expect(failure).toMatchObject({ code: 'E_STRATEGY_FAILED' });
    expect(failure.message).toContain('in a nested subscribe');
    expect(handled).toEqual([]);
    expect(config.onUnhandledError).not.toBeNull();
  });
});
