import { NEVER, type Observable } from 'rxjs';
import { describe, expectTypeOf, it } from 'vitest';

import { CandleStrategy, int, Strategy, type OrderIntent } from '#src/index.js';
import { runBacktest, type Result, type RunDescription } from '#src/run/index.js';
import type { StrategyClass } from '#src/strategy/index.js';

class Streaming extends Strategy({}) {
  override intents(): Observable<OrderIntent> {
    return NEVER;
  }
}

class Listening extends CandleStrategy({ fast: int(2, 50, 3) }) {
  override onCandle(): void {
    // Only its types matter.
  }
}

type Simulation = RunDescription['simulation'];

describe('the description of a run', () => {
  it('is typed from the schema of the YAML file', () => {
    expectTypeOf<NonNullable<Simulation['fees']>['maker']>().toEqualTypeOf<string>();
    expectTypeOf<NonNullable<Simulation['path']>>().toEqualTypeOf<
      'nearest' | 'high-first' | 'low-first' | 'finer'
    >();
    expectTypeOf<
      NonNullable<Simulation['rules']>[string]['pricePrecision']
    >().toEqualTypeOf<number>();
    expectTypeOf<Simulation['archive']>().toEqualTypeOf<string | undefined>();
  });

  it('accepts no unknown key, no number for an amount, and no unknown interval', () => {
    const instruments = [{ product: 'spot', symbol: 'BTCUSDT', intervals: ['1h'] }] as const;
    const fees = { maker: '0.001', taker: '0.001' };
    const good: RunDescription = { name: 'a', instruments, simulation: { balances: {}, fees } };

    // @ts-expect-error: `slipage` is no key
    const misspelled: Simulation = { balances: {}, fees, slipage: '1' };
    // @ts-expect-error: an amount is text
    const inexact: Simulation = { balances: { USDT: 10_000 }, fees };
    // @ts-expect-error: 90min is no interval
    const odd: RunDescription['instruments'][number]['intervals'] = ['90min'];

    expectTypeOf([good, misspelled, inexact, odd]).toBeArray();
  });
});

describe('the options of a run', () => {
  it('accept a strategy class of either style, and no other class', () => {
    expectTypeOf(Listening).toExtend<StrategyClass>();
    expectTypeOf(Streaming).toExtend<StrategyClass>();
    expectTypeOf<typeof Date>().not.toExtend<StrategyClass>();
  });

  it('lead to a result document', () => {
    expectTypeOf(runBacktest).returns.toEqualTypeOf<Promise<Result>>();
  });
});
