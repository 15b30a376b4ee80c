import {
  asapScheduler,
  config,
  interval,
  map,
  mergeMap,
  NEVER,
  Observable,
  of,
  repeat,
  scheduled,
  Subject,
  tap,
  timer,
} from 'rxjs';
import { afterEach, describe, expect, it, vi } from 'vitest';

import {
  formatFixed,
  MINUTE_MS,
  type Candle,
  type OrderIntent,
} from '../../../src/domain/index.js';
import {
  compareStreams,
  EVENT_LIMITS,
  type Engine,
  type EngineEvent,
} from '../../../src/engine/index.js';
import {
  CandleStrategy,
  enterLong,
  sma,
  Strategy,
  type Market,
  type StrategyClass,
} from '../../../src/strategy/index.js';
import { failureOf } from '../../support/failure.js';
import { SPOT } from '../../support/risk/builders.js';
import {
  aMinute,
  anEngine,
  aSpot,
  aStartedEngine,
  closing,
  passing,
  play,
  START,
} from '../../support/engine/engine.js';
import { MemoryJournal } from '../../support/engine/memory-journal.js';

const ETH = aSpot('ETH');

/** Calls `act` with each candle. */
function onCandles(act: (strategy: Doer, candle: Candle) => void): StrategyClass {
  return class OnCandles extends Doer {
    override onCandle(candle: Candle): void {
      act(this, candle);
    }
  };
}

abstract class Doer extends CandleStrategy({}) {}

/** Enters long with each candle. */
abstract class Buyer extends Doer {
  override onCandle(): void {
    this.enterLong({ notional: '100' });
  }
}

/** Raises the intents that the stream emits. */
function wanting(intents$: (market: Market) => Observable<OrderIntent>): StrategyClass {
  return class Wanting extends Strategy({}) {
    override intents(market: Market): Observable<OrderIntent> {
      return intents$(market);
    }
  };
}

const ticker = (time: number): EngineEvent => ({
  kind: 'ticker',
  time,
  instrumentId: SPOT.id,
  last: 100n * 10n ** 18n,
});

afterEach(() => {
  config.onUnhandledError = null;
  vi.useRealTimers();
});

it('keeps the instruments and intervals from changes by a strategy in JavaScript', () => {
  const changed: boolean[] = [];
  const eager = onCandles(({ instruments }) => {
    const [first] = instruments;
    changed.push(
      Reflect.set(instruments, 0, undefined),
      Reflect.set(first ?? {}, 'intervals', []),
      Reflect.set(first?.intervals ?? [], 0, '1week'),
    );
  });

  aStartedEngine(eager).process(closing(aMinute(1)));

  expect(changed).toEqual([false, false, false]);
});

describe('the order of events within an instant', () => {
  it('puts longer intervals first, then follows the order of the config', () => {
    const streams = [
      { interval: '1min', configIndex: 0 },
      { interval: '1h', configIndex: 1 },
      { interval: '1min', configIndex: 2 },
      { interval: '1month', configIndex: 3 },
    ] as const;

    const sorted = streams.toSorted(compareStreams);

    expect(sorted.map(({ configIndex }) => configIndex)).toEqual([3, 1, 0, 2]);
  });

  it('delivers a slice candle by candle: its indicators, its stream, its listeners, then the slice', () => {
    const seen: string[] = [];
    class Sees extends Doer {
      readonly close = this.indicator(sma(1));
      override intents(): Observable<OrderIntent> {
        this.market.candles$('ETHUSDT').subscribe(() => seen.push('ETH stream'));
        this.market.slices$.subscribe(({ length }) => seen.push(`slice of ${String(length)}`));
        return super.intents();
      }
      override onCandle({ instrumentId, close }: Candle): void {
        seen.push(`${instrumentId} ${String(close)}, average ${String(this.close.value)}`);
      }
    }
    const engine = aStartedEngine(Sees, {
      instruments: [
        { instrument: SPOT, intervals: ['1min'] },
        { instrument: ETH, intervals: ['1min'] },
      ],
    });

    engine.process(
      closing(aMinute(1, { close: 7 }), aMinute(1, { instrumentId: ETH.id, close: 5 })),
    );

    expect(seen).toEqual([
      'spot:BTCUSDT 7, average 7',
      'ETH stream',
      'spot:ETHUSDT 5, average 7',
      'slice of 2',
    ]);
  });

  it('fires timers due before a slice at their own time, and timers due with it after its candles', () => {
    const seen: string[] = [];
    class Notes extends Strategy({}) {
      override intents(market: Market): Observable<OrderIntent> {
        const note = (what: string) => () => seen.push(`${what} at ${String(this.now - START)}`);
        interval(30_000).subscribe(note('timer'));
        market.candles$().subscribe(note('candle'));
        return NEVER;
      }
    }
    const engine = aStartedEngine(Notes);

    engine.process(closing(aMinute(1)));

    expect(seen).toEqual(['timer at 30000', 'candle at 60000', 'timer at 60000']);
  });

  it.each([
    { name: 'a ticker', event: ticker },
    {
      name: "a venue's update",
      event: (time: number): EngineEvent => ({
        kind: 'venue',
        time,
        update: {
          kind: 'cancel-rejected',
          clientOrderId: 'of nobody' as never,
          reason: { code: '0', text: '' },
          eventTime: time,
        },
      }),
    },
  ])('holds timers due with a slice until the slice, although $name comes before', ({ event }) => {
    const seen: string[] = [];
    const engine = aStartedEngine(
      wanting((market) => {
        timer(60_000).subscribe(() => seen.push('timer'));
        market.candles$().subscribe(() => seen.push('candle'));
        return NEVER;
      }),
    );

    engine.process(event(START + MINUTE_MS));
    engine.process(closing(aMinute(1)));

    expect(seen).toEqual(['candle', 'timer']);
  });

  it('fires timers of one instant in the order in which they were set', () => {
    const seen: string[] = [];
    const engine = aStartedEngine(
      wanting(() => {
        interval(60_000)
          .pipe(
            tap(() => seen.push('first')),
            mergeMap(() => timer(60_000)),
          )
          .subscribe(() => seen.push('set by the first'));
        interval(60_000).subscribe(() => seen.push('second'));
        return NEVER;
      }),
    );

    engine.process(passing(START + MINUTE_MS));
    seen.splice(0);
    engine.process(passing(START + 2 * MINUTE_MS));

    expect(seen).toEqual(['set by the first', 'first', 'second']);
  });

  it('judges intents one by one, each on the state that the previous one has left', () => {
    const engine = aStartedEngine(
      onCandles((strategy) => {
        // 6,000 of 10,000 twice, then 4,000
        strategy.enterLong({ notional: '6000' }, { add: true });
        strategy.enterLong({ notional: '6000' }, { add: true });
        strategy.enterLong({ notional: '4000' }, { add: true });
      }),
    );

    const commands = engine.process(closing(aMinute(1)));

    const orders = commands.map((command) =>
      command.kind === 'submit' ? formatFixed(command.order.quantity) : command.kind,
    );
    expect(orders).toEqual(['6000', '4000']);
    expect(engine.refusals).toMatchObject([{ refusal: { check: 'insufficient-balance' } }]);
    expect(formatFixed(engine.portfolio.free('USDT'))).toBe('0');
  });

  it('judges an intent that a verdict raises after those that were raised before', () => {
    const labels: (string | undefined)[] = [];
    class Reacts extends Doer {
      override onCandle(): void {
        this.enterLong({ notional: '100' }, { add: true, label: 'a' });
        this.enterLong({ notional: '100' }, { add: true, label: 'b' });
      }
      override onVerdict({ intent }: Parameters<NonNullable<Doer['onVerdict']>>[0]): void {
        const label = 'label' in intent ? intent.label : undefined;
        labels.push(label);
        if (label === 'a') this.enterLong({ notional: '100' }, { add: true, label: 'after a' });
      }
    }
    const engine = aStartedEngine(Reacts);

    const commands = engine.process(closing(aMinute(1)));

    expect(labels).toEqual(['a', 'b', 'after a']);
    expect(commands).toHaveLength(3);
  });

  it('judges the intent of a timer before the event at the time of the timer', () => {
    const times: number[] = [];
    class Timed extends Strategy({}) {
      override intents(): Observable<OrderIntent> {
        this.verdicts$.subscribe(({ time }) => times.push(time - START));
        return timer(1_000, 2_000).pipe(map(() => enterLong({ notional: '10' }, { add: true })));
      }
    }
    const engine = aStartedEngine(Timed);
    engine.process(closing(aMinute(0, { closeTime: START })));

    engine.process(passing(START + 4_000));

    expect(times).toEqual([1_000, 3_000]);
  });

  it('rejects an event with an earlier time', () => {
    const engine = aStartedEngine(wanting(() => NEVER));
    engine.process(passing(START + 2));

    const failure = failureOf(() => engine.process(passing(START + 1)));

    expect(failure).toMatchObject({ name: 'InvariantError', code: 'E_TIME_BACKWARDS' });
  });
});

describe('failures of a strategy', () => {
  const message = (code: string, event: string): RegExp => new RegExp(`${event}.*${code}`);

  const throwing: readonly {
    readonly where: string;
    readonly strategyClass: () => StrategyClass;
  }[] = [
    {
      where: 'onCandle',
      strategyClass: () =>
        onCandles(() => {
          throw new RangeError('boom');
        }),
    },
    {
      where: 'an operator',
      strategyClass: () =>
        wanting((market) =>
          market.candles$().pipe(
            map(() => {
              throw new RangeError('boom');
            }),
          ),
        ),
    },
    {
      where: 'an operator after a delay of a millisecond',
      strategyClass: () =>
        wanting((market) =>
          market.candles$().pipe(
            mergeMap(() => timer(60_000)),
            map(() => {
              throw new RangeError('boom');
            }),
          ),
        ),
    },
    {
      where: 'a timer',
      strategyClass: () =>
        wanting(() => {
          timer(60_000).subscribe(() => {
            throw new RangeError('boom');
          });
          return NEVER;
        }),
    },
    {
      where: 'a nested subscribe',
      strategyClass: () =>
        wanting((market) => {
          market.candles$().subscribe(() => {
            throw new RangeError('boom');
          });
          return NEVER;
        }),
    },
    {
      where: 'a nested stream whose error nobody takes',
      strategyClass: () =>
        wanting((market) => {
          market
            .candles$()
            .pipe(
              tap(() => {
                throw new RangeError('boom');
              }),
            )
            .subscribe();
          return NEVER;
        }),
    },
    {
      where: 'an action of asapScheduler',
      strategyClass: () =>
        onCandles(() => {
          asapScheduler.schedule(() => {
            throw new RangeError('boom');
          });
        }),
    },
    {
      where: 'an indicator',
      strategyClass: () =>
        class Broken extends Doer {
          readonly broken = this.indicator({
            lookback: 0,
            update: () => {
              throw new RangeError('boom');
            },
          });
          override onCandle(): void {
            // Only the indicator acts.
          }
        },
    },
    {
      where: 'onVerdict',
      strategyClass: () =>
        class Hooked extends Buyer {
          override onVerdict(): void {
            throw new RangeError('boom');
          }
        },
    },
    {
      where: 'onOrder',
      strategyClass: () =>
        class Hooked extends Buyer {
          override onOrder(): void {
            throw new RangeError('boom');
          }
        },
    },
    ...(['verdicts$', 'orders$'] as const).map((stream) => ({
      where: stream,
      strategyClass: () =>
        class Streamed extends Buyer {
          override intents(): Observable<OrderIntent> {
            (this[stream] as Observable<unknown>).subscribe(() => {
              throw new RangeError('boom');
            });
            return super.intents();
          }
        },
    })),
  ];

  it.each(throwing)('ends the run if the strategy throws in $where', ({ strategyClass }) => {
    const engine = aStartedEngine(strategyClass());
    const events = [closing(aMinute(1)), passing(START + 2 * MINUTE_MS)];

    const failure = failureOf(() => {
      for (const event of events) engine.process(event);
    });

    expect(failure).toMatchObject({
      name: 'StrategyError',
      code: 'E_STRATEGY_FAILED',
      strategyId: engine.strategyName,
    });
    expect(failure.message).toMatch(/boom \(while processing (candles spot:BTCUSDT 1min|timer) at/);
    expect(failure.cause).toBeInstanceOf(RangeError);
    expect(failureOf(() => engine.process(passing(START + 3 * MINUTE_MS)))).toBe(failure);
  });

  it('ends the run if the strategy throws in onFill', () => {
    class Fills extends Buyer {
      override onFill(): void {
        throw new RangeError('boom');
      }
    }
    const engine = aStartedEngine(Fills);
    const [command] = engine.process(closing(aMinute(1)));
    if (command?.kind !== 'submit') throw new Error('expected an order');
    const { clientOrderId } = command.order;
    const time = START + MINUTE_MS;

    const failure = failureOf(() =>
      engine.process({
        kind: 'venue',
        time,
        update: {
          kind: 'fill',
          clientOrderId,
          eventTime: time,
          isFilled: true,
          fill: {
            clientOrderId,
            instrumentId: SPOT.id,
            side: 'buy',
            action: 'open',
            price: 100n * 10n ** 18n,
            quantity: 10n ** 18n,
            fee: 0n,
            feeAsset: 'BTC',
            liquidity: 'taker',
            eventTime: time,
          },
        },
      }),
    );

    expect(failure).toMatchObject({
      code: 'E_STRATEGY_FAILED',
      event: 'fill of order test-1-0-0 at 2025-01-01T00:01:00Z',
    });
    expect(failure.cause).toBeInstanceOf(RangeError);
  });

  it.each([
    {
      where: 'its constructor',
      event: 'its construction',
      strategyClass: class extends Doer {
        readonly broken = ((): never => {
          throw new RangeError('boom');
        })();
        override onCandle(): void {
          // Never called.
        }
      },
    },
    {
      where: 'intents()',
      event: 'its start',
      strategyClass: wanting(() => {
        throw new RangeError('boom');
      }),
    },
    {
      where: 'its subscription',
      event: 'its start',
      strategyClass: wanting(
        () =>
          new Observable(() => {
            throw new RangeError('boom');
          }),
      ),
    },
  ])('rejects a strategy that throws in $where', ({ strategyClass, event }) => {
    const failure = failureOf(() => aStartedEngine(strategyClass));

    expect(failure.cause).toBeInstanceOf(RangeError);
    expect(failure).toMatchObject({ name: 'StrategyError', event });
    expect((failure as { code?: string }).code).toMatch(/E_STRATEGY_(START|FAILED)/);
  });

  it('reports a throw in the teardown, and still ends streams and timers', () => {
    let isComplete = false;
    const engine = aStartedEngine(
      wanting((market) => {
        market.candles$().subscribe({ complete: () => (isComplete = true) });
        interval(1_000).subscribe();
        return new Observable(() => () => {
          throw new RangeError('boom');
        });
      }),
    );

    const failure = failureOf(() => engine.stop());

    expect(failure).toMatchObject({ code: 'E_STRATEGY_STOP', event: 'its end' });
    expect(failure.message).toContain('boom');
    expect(isComplete).toBe(true);
    expect(engine.nextTimer()).toBe(Infinity);
  });

  it('rejects an instrument that is not configured', () => {
    const engine = aStartedEngine(
      onCandles((strategy) => strategy.exit({ instrument: 'spot:NONEUSDT' })),
    );

    const failure = failureOf(() => engine.process(closing(aMinute(1))));

    expect(failure).toMatchObject({ name: 'StrategyError', code: 'E_INSTRUMENT_UNKNOWN' });
    expect(failure.message).toContain('expected one instrument of spot:BTCUSDT');
  });

  it('rejects a stream that is not configured', () => {
    const failure = failureOf(() =>
      aStartedEngine(
        wanting((market) => market.candles$('BTCUSDT', '1h').pipe(mergeMap(() => NEVER))),
      ),
    );

    expect(failure).toMatchObject({ name: 'StrategyError', code: 'E_STREAM_UNKNOWN' });
  });

  it('rejects an indicator that is made after the construction', () => {
    const engine = aStartedEngine(
      class Late extends Doer {
        override onCandle(): void {
          this.indicator(sma(3));
        }
      },
    );

    const failure = failureOf(() => engine.process(closing(aMinute(1))));

    expect(failure).toMatchObject({ name: 'StrategyError', code: 'E_INDICATOR_LATE' });
  });

  it('rejects an intent of an unknown kind', () => {
    const engine = aStartedEngine(
      wanting((market) => market.candles$().pipe(map(() => ({ kind: 'buy' }) as never))),
    );

    const failure = failureOf(() => engine.process(closing(aMinute(1))));

    expect(failure).toMatchObject({ name: 'StrategyError', code: 'E_INTENT_UNKNOWN' });
    expect(failure.message).toMatch(message('E_INTENT_UNKNOWN', 'received "buy"'));
  });
});

describe('Engine.process within Engine.process', () => {
  it('is rejected with E_ENGINE_REENTERED', () => {
    let failure: Error | undefined;
    const engine: Engine = aStartedEngine(
      onCandles(() => {
        failure = failureOf(() => engine.process(passing(START + MINUTE_MS)));
      }),
    );

    engine.process(closing(aMinute(1)));

    expect(failure).toMatchObject({ name: 'InvariantError', code: 'E_ENGINE_REENTERED' });
    expect(failure?.message).toContain('candles spot:BTCUSDT 1min at 2025-01-01T00:01:00Z');
  });
});

describe('an intent outside an event', () => {
  const outside = { name: 'StrategyError', code: 'E_INTENT_OUTSIDE_EVENT' };

  it('ends the run if it comes from a promise', async () => {
    const rejections: unknown[] = [];
    const engine = aStartedEngine(
      onCandles((strategy) => {
        void Promise.resolve()
          .then(() => strategy.enterLong({ notional: '100' }))
          .catch((error: unknown) => rejections.push(error));
      }),
    );
    const commands = engine.process(closing(aMinute(1)));

    await Promise.resolve().then(() => undefined);
    await new Promise((resolve) => setImmediate(resolve));

    expect(commands).toEqual([]);
    expect(rejections).toMatchObject([outside]);
    expect(failureOf(() => engine.assertHealthy())).toMatchObject(outside);
    expect(failureOf(() => engine.process(closing(aMinute(2))))).toMatchObject(outside);
    expect(failureOf(() => engine.stop())).toMatchObject(outside);
  });

  it('ends the run, without an unhandled error, if it comes from a stream of promises', async () => {
    const unhandled: unknown[] = [];
    config.onUnhandledError = (error) => unhandled.push(error);
    vi.useFakeTimers();
    const engine = aStartedEngine(
      wanting((market) =>
        market.candles$().pipe(mergeMap(() => Promise.resolve(enterLong({ notional: '100' })))),
      ),
    );
    engine.process(closing(aMinute(1)));

    await vi.advanceTimersByTimeAsync(1_000);

    expect(failureOf(() => engine.assertHealthy())).toMatchObject(outside);
    expect(unhandled).toEqual([]);
  });

  it('is rejected in the constructor', () => {
    class Hasty extends Doer {
      readonly id = this.enterLong({ notional: '100' });
      override onCandle(): void {
        // Raises an intent in its constructor only.
      }
    }

    expect(failureOf(() => aStartedEngine(Hasty))).toMatchObject(outside);
  });

  it('is rejected at the start', () => {
    const strategyClass = wanting(() => of(enterLong({ notional: '100' })));

    expect(failureOf(() => aStartedEngine(strategyClass))).toMatchObject(outside);
  });

  it('is rejected at the end', () => {
    const strategyClass = class AtEnd extends Doer {
      override intents(): Observable<OrderIntent> {
        return new Observable(() => () => this.exit());
      }
      override onCandle(): void {
        // Does nothing before the end.
      }
    };
    const engine = aStartedEngine(strategyClass);

    expect(failureOf(() => engine.stop())).toMatchObject(outside);
  });
});

describe('a strategy in an endless loop', () => {
  it('is stopped if it raises intents', () => {
    class Echo extends Doer {
      override onCandle(): void {
        this.exit();
        this.enterLong({ notional: '0' });
      }
      override onVerdict(): void {
        this.enterLong({ notional: '0' });
      }
    }
    const engine = aStartedEngine(Echo);

    const failure = failureOf(() => engine.process(closing(aMinute(1))));

    expect(failure).toMatchObject({ name: 'StrategyError', code: 'E_INTENT_LOOP' });
    expect(failure.message).toContain(`at most ${String(EVENT_LIMITS.intents)} intents`);
  });

  it('is stopped if it schedules immediates', () => {
    const engine = aStartedEngine(
      wanting((market) =>
        market.candles$().pipe(
          mergeMap(() => scheduled([1], asapScheduler).pipe(repeat())),
          mergeMap(() => NEVER),
        ),
      ),
    );

    const failure = failureOf(() => engine.process(closing(aMinute(1))));

    expect(failure).toMatchObject({ name: 'StrategyError', code: 'E_IMMEDIATE_FLOOD' });
  });

  it('is stopped if it sets timers', () => {
    const engine = aStartedEngine(wanting(() => interval(1).pipe(mergeMap(() => NEVER))));

    const failure = failureOf(() => engine.process(passing(START + EVENT_LIMITS.timers + 1)));

    expect(failure).toMatchObject({ name: 'StrategyError', code: 'E_TIMER_FLOOD' });
  });

  it('is not reported if each candle fires fewer timers than allowed', () => {
    const engine = aStartedEngine(wanting(() => interval(1).pipe(mergeMap(() => NEVER))));
    const times: number[] = [];

    for (const minute of [1, 2, 3]) {
      engine.process(closing(aMinute(minute)));
      times.push(engine.now());
    }

    // 60,000 with each.
    expect(times.map((time) => time - (times[0] ?? 0))).toEqual([0, 60_000, 120_000]);
  });

  it('is not reported if one event fires no more timers than allowed', () => {
    const engine = aStartedEngine(wanting(() => interval(1).pipe(mergeMap(() => NEVER))));

    expect(() => engine.process(passing(START + EVENT_LIMITS.timers))).not.toThrow();
  });
});

describe('the end of a run', () => {
  it('unsubscribes from the source, completes every stream and leaves no timer', () => {
    const seen: string[] = [];
    class Ends extends Doer {
      override intents(): Observable<OrderIntent> {
        const note = (what: string) => ({ complete: () => void seen.push(what) });
        this.market.candles$().subscribe(note('candles'));
        this.market.slices$.subscribe(note('slices'));
        this.verdicts$.subscribe(note('verdicts'));
        this.orders$.subscribe(note('orders'));
        this.fills$.subscribe(note('fills'));
        interval(1_000).subscribe();
        return new Observable(() => () => seen.push('unsubscribed'));
      }
      override onCandle(): void {
        // Does nothing before the end.
      }
    }
    const engine = aStartedEngine(Ends);
    engine.process(closing(aMinute(1)));

    engine.stop();

    expect(seen).toEqual(['unsubscribed', 'candles', 'slices', 'verdicts', 'orders', 'fills']);
    expect(engine.nextTimer()).toBe(Infinity);
  });

  it('also unsubscribes from the source of a failed strategy', () => {
    let isUnsubscribed = false;
    const engine = aStartedEngine(
      class Fails extends Doer {
        override intents(): Observable<OrderIntent> {
          const inner = super.intents().subscribe();
          return new Observable(() => () => {
            isUnsubscribed = true;
            inner.unsubscribe();
          });
        }
        override onCandle(): void {
          throw new Error('first');
        }
      },
    );
    expect(() => engine.process(closing(aMinute(1)))).toThrow('first');

    const failure = failureOf(() => engine.stop());

    expect(isUnsubscribed).toBe(true);
    expect(failure.message).toContain('first');
    expect(engine.nextTimer()).toBe(Infinity);
  });

  it('accepts a stream that has completed before', () => {
    const engine = aStartedEngine(wanting(() => of()));

    expect(() => engine.stop()).not.toThrow();
  });
});

describe('warm-up', () => {
  const two = [
    { instrument: SPOT, intervals: ['1min', '3min'] as const },
    { instrument: ETH, intervals: ['1min'] as const },
  ];

  it('is the longest lookback of each stream, and at least the declared number', () => {
    class Warm extends Doer {
      override readonly warmup = 2;
      readonly fast = this.indicator(sma(3));
      readonly slow = this.indicator(sma(10));
      readonly coarse = this.indicator(sma(5), { interval: '3min' });
      override onCandle(): void {
        // Only the lookbacks matter.
      }
    }

    const warmup = anEngine(Warm, { instruments: two }).construct();

    expect(
      warmup.map(({ instrumentId, interval: name, candles }) => [instrumentId, name, candles]),
    ).toEqual([
      ['spot:BTCUSDT', '1min', 9],
      ['spot:BTCUSDT', '3min', 4],
      ['spot:ETHUSDT', '1min', 2],
    ]);
  });

  it('fills indicators, so that the first candle has a value', () => {
    const values: number[] = [];
    class Average extends Doer {
      readonly average = this.indicator(sma(3));
      override onCandle(): void {
        values.push(this.average.value);
      }
    }
    const engine = aStartedEngine(Average);

    for (const minute of [1, 2, 3, 4]) engine.process(closing(aMinute(minute, { close: minute })));

    // (1 + 2 + 3) / 3, (2 + 3 + 4) / 3
    expect(values).toEqual([2, 3]);
  });

  it('delivers candles to streams, and drops and counts their intents', () => {
    class Eager extends Strategy({}) {
      override readonly warmup = 2;
      override intents(market: Market): Observable<OrderIntent> {
        return market.candles$().pipe(map(() => enterLong({ notional: '10' }, { add: true })));
      }
    }
    const engine = aStartedEngine(Eager);

    const commands = [1, 2, 3].map((minute) => engine.process(closing(aMinute(minute))).length);

    expect(commands).toEqual([0, 0, 1]);
    expect(engine.intentCounts).toEqual({ judged: 1, dropped: 2 });
  });

  it('lasts until the last of several streams is warm', () => {
    const seen: string[] = [];
    class Both extends Doer {
      readonly fast = this.indicator(sma(2));
      readonly coarse = this.indicator(sma(2), { interval: '3min' });
      override onCandle({ interval: name }: Candle): void {
        seen.push(`${name} at ${String((this.now - START) / MINUTE_MS)}`);
        this.enterLong({ notional: '10' }, { add: true });
      }
    }
    const instruments = [{ instrument: SPOT, intervals: ['1min', '3min'] as const }];
    const engine = aStartedEngine(Both, { instruments });
    const isWarm: boolean[] = [];

    for (const minute of [1, 2, 3, 4]) {
      const fine = aMinute(minute);
      const coarse = { ...fine, interval: '3min' as const, openTime: START };
      engine.process(minute === 3 ? closing(coarse, fine) : closing(fine));
      isWarm.push(engine.isWarm);
    }

    // The whole slice that ends the warm-up belongs to the warm-up.
    expect(isWarm).toEqual([false, false, true, true]);
    expect(seen).toEqual(['1min at 4']);
    expect(engine.intentCounts).toEqual({ judged: 1, dropped: 0 });
  });

  it.each([1.5, -1, Number.NaN])('is refused with %s candles', (candles) => {
    class Declares extends Doer {
      override readonly warmup = candles;
      override onCandle(): void {
        // Never called.
      }
    }
    class Indicates extends Doer {
      readonly broken = this.indicator({ lookback: candles, update: () => undefined });
      override onCandle(): void {
        // Never called.
      }
    }

    for (const strategyClass of [Declares, Indicates]) {
      const failure = failureOf(() => anEngine(strategyClass).construct());

      expect(failure).toMatchObject({ name: 'StrategyError', code: 'E_WARMUP' });
    }
  });

  it('ends at once for a strategy that needs no warm-up', () => {
    const engine = anEngine(onCandles(() => undefined));

    engine.construct();

    expect(engine.isWarm).toBe(true);
  });
});

describe('the inputs of a strategy', () => {
  it('include the time of the event', () => {
    const times: number[] = [];
    const engine = aStartedEngine(onCandles((strategy) => times.push(strategy.now)));

    engine.process({ ...closing(aMinute(1)), time: START + MINUTE_MS + 250 });

    expect(times).toEqual([START + MINUTE_MS + 250]);
  });

  it('include timers that count from the start, also if they are set in the constructor', () => {
    const times: number[] = [];
    class Ticks extends Strategy({}) {
      readonly ticks = interval(60_000).subscribe(() => times.push(this.now - START));
      override intents(): Observable<OrderIntent> {
        return NEVER;
      }
    }
    const engine = anEngine(Ticks, { startTime: START + 60 * MINUTE_MS });
    engine.construct();
    engine.start(START);

    play(engine, [], START + 3 * MINUTE_MS);

    expect(times).toEqual([60_000, 120_000, 180_000]);
  });

  it('include random numbers from the seed', () => {
    const draw = (seed: number): readonly number[] => {
      const drawn: number[] = [];
      const engine = aStartedEngine(
        onCandles((strategy) => drawn.push(strategy.random())),
        { seed },
      );
      for (const minute of [1, 2, 3]) engine.process(closing(aMinute(minute)));
      return drawn;
    };

    const first = draw(1);

    expect(new Set(first).size).toBe(3);
    expect(first.every((value) => value >= 0 && value < 1)).toBe(true);
    expect(draw(1)).toEqual(first);
    expect(draw(2)).not.toEqual(first);
  });

  it('include balances, equity, last price, position and working orders at the event', () => {
    const seen: unknown[] = [];
    const engine = aStartedEngine(
      onCandles((strategy) => {
        const { free, locked } = strategy.balanceOf('USDT');
        seen.push({
          free: free.toFixed(),
          locked: locked.toFixed(),
          equity: strategy.equity.toFixed(),
          last: strategy.last(),
          held: strategy.position.quantity.toFixed(),
          working: strategy.workingOrders().map(({ clientOrderId }) => clientOrderId),
        });
        strategy.enterLong({ notional: '1000' });
      }),
      { balances: { USDT: '10000', BTC: '0.5' } },
    );
    engine.process(closing(aMinute(1, { close: 200 })));
    engine.process(closing(aMinute(2, { close: 100 })));

    // 10,000 + 0.5 × 200. The position is already held, so the strategy buys nothing.
    const held = { free: '10000', locked: '0', held: '0.5', working: [] };
    expect(seen).toEqual([
      { ...held, equity: '10100', last: 200 },
      { ...held, equity: '10050', last: 100 },
    ]);
  });

  it('are equal in two runs, which write the same journal', () => {
    const run = (): unknown => {
      class Gambler extends Doer {
        readonly fast = this.indicator(sma(3));
        override onCandle({ close }: Candle): void {
          if (this.random() < 0.5) this.enterLong({ notional: '100' }, { add: true });
          if (close > this.fast.value) this.flatten();
        }
      }
      const journal = new MemoryJournal();
      const engine = aStartedEngine(Gambler, { journal });
      const closes = Array.from({ length: 200 }, (_, index) => 100 + ((index * 37) % 19));
      play(
        engine,
        closes.map((close, index) => closing(aMinute(index + 1, { close }))),
        START + 300 * MINUTE_MS,
      );
      return journal.entries;
    };

    const first = run();

    expect(first).not.toEqual([]);
    expect(run()).toEqual(first);
  });
});

describe('a subject of a strategy', () => {
  it('may emit an intent within an event', () => {
    const pushed = new Subject<OrderIntent>();
    class Pushes extends Doer {
      override intents(): Observable<OrderIntent> {
        super.intents().subscribe();
        return pushed;
      }
      override onCandle(): void {
        pushed.next(enterLong({ notional: '100' }));
      }
    }
    const engine = aStartedEngine(Pushes);

    expect(engine.process(closing(aMinute(1)))).toHaveLength(1);
  });
});
