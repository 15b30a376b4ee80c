import {
  asyncScheduler,
  catchError,
  defer,
  ignoreElements,
  map,
  NEVER,
  tap,
  type Observable,
} from 'rxjs';
import { describe, expect, it, vi } from 'vitest';

import { MINUTE_MS, SECOND_MS, type OrderIntent } from '../../../../src/domain/index.js';
import { Strategy, type Market, type StrategyClass } from '../../../../src/strategy/index.js';
import { aMinute, aStartedEngine, closing, play, START } from '../../../support/engine/engine.js';
import {
  SOURCE_MINUTES,
  TIME_OPERATORS,
  TIME_SOURCES,
  type Seen,
  type TimeCase,
} from '../../../support/engine/time-cases.js';

/** A strategy that records each value of the stream with its time in seconds. It raises no intents. */
function watch(timeCase: TimeCase): {
  readonly strategyClass: StrategyClass;
  readonly seen: Seen[];
} {
  const seen: Seen[] = [];
  class Watcher extends Strategy({}) {
    override intents(market: Market): Observable<OrderIntent> {
      const note = (value: unknown): void => {
        seen.push([(this.now - START) / SECOND_MS, value]);
      };
      const minutes$ = market
        .candles$()
        .pipe(map(({ closeTime }) => (closeTime - START) / MINUTE_MS));
      return defer(() => timeCase.make(minutes$)).pipe(
        tap({ next: note, complete: () => note('|') }),
        catchError((error: unknown) => {
          note(error instanceof Error ? error.name : error);
          return NEVER;
        }),
        ignoreElements(),
      );
    }
  }
  return { strategyClass: Watcher, seen };
}

/** Values of a stream on an engine's clock within ten minutes. Checks that no clock or timer of the process is used. */
function observe(timeCase: TimeCase): readonly Seen[] {
  const { strategyClass, seen } = watch(timeCase);
  const real = [
    vi.spyOn(globalThis, 'setTimeout'),
    vi.spyOn(globalThis, 'setInterval'),
    vi.spyOn(globalThis, 'setImmediate'),
    vi.spyOn(globalThis, 'queueMicrotask'),
    vi.spyOn(Date, 'now'),
    vi.spyOn(performance, 'now'),
  ];
  try {
    const engine = aStartedEngine(strategyClass);
    const slices = SOURCE_MINUTES.map((minute) => closing(aMinute(minute)));
    play(engine, slices, START + 10 * MINUTE_MS);
    engine.stop();
    const calls = real.flatMap((spy) => spy.mock.calls.map(() => spy.getMockName()));

    expect(calls).toEqual([]);
    expect(engine.nextTimer()).toBe(Infinity);
  } finally {
    for (const spy of real) spy.mockRestore();
  }
  return seen;
}

describe("RxJS on the engine's clock", () => {
  it.each(TIME_SOURCES)('$name', (timeCase) => {
    expect(observe(timeCase)).toEqual(timeCase.seen);
  });

  it.each(TIME_OPERATORS)('$name', (timeCase) => {
    expect(observe(timeCase)).toEqual(timeCase.seen);
  });

  it("shows the engine's time also in the constructor and at the end of the run", () => {
    const times: number[] = [];
    class Asks extends Strategy({}) {
      readonly atConstruction = asyncScheduler.now();

      override intents(): Observable<OrderIntent> {
        times.push(this.atConstruction, asyncScheduler.now());
        return NEVER.pipe(tap({ unsubscribe: () => times.push(asyncScheduler.now()) }));
      }
    }
    const engine = aStartedEngine(Asks);
    engine.process(closing(aMinute(3)));

    engine.stop();

    expect(times.map((time) => time - START)).toEqual([0, 0, 180_000]);
  });
});
