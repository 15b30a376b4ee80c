import { merge, NEVER, type Observable, type Subscription } from 'rxjs';
import { describe, expect, it } from 'vitest';

import type { MarketReading, OrderIntent, TradePrint } from '../../../../src/domain/index.js';
import type { EngineEvent } from '../../../../src/engine/index.js';
import { Strategy, type Market, type StrategyClass } from '../../../../src/strategy/index.js';
import { failureOf } from '../../../support/failure.js';
import { LINEAR, SPOT } from '../../../support/risk/builders.js';
import {
  anEngine,
  aStartedEngine,
  START,
  type EngineSetup,
} from '../../../support/engine/engine.js';

const SERVED: EngineSetup = {
  instruments: [
    { instrument: SPOT, intervals: ['1min'] },
    { instrument: LINEAR, intervals: ['1min'] },
  ],
  servesReadings: true,
};
const [PAIR, CONTRACT] = [SPOT.id, LINEAR.id];

/** A strategy that subscribes to `listen$` and passes each value to `heard`. */
function listener(
  listen$: (market: Market) => Observable<unknown>,
  heard: (value: unknown, listening: Subscription) => void = () => undefined,
): StrategyClass {
  return class Listener extends Strategy({}) {
    override intents(market: Market): Observable<OrderIntent> {
      const listening = listen$(market).subscribe((value) => {
        heard(value, listening);
      });
      return NEVER;
    }
  };
}

function telling(reading: MarketReading): EngineEvent {
  return { kind: 'reading', time: reading.time, reading };
}

const common = { instrumentId: PAIR, time: START };
const TICKER: MarketReading = {
  ...common,
  kind: 'ticker',
  last: 100,
  high: 110,
  low: 90,
  volume: 5,
};
const DEPTH: MarketReading = { ...common, kind: 'depth', bids: [], asks: [] };
const PRINT: TradePrint = { ...common, price: 100, quantity: 1, takerSide: 'buy' };
const LATER: TradePrint = { ...PRINT, takerSide: 'sell' };
const TRADES: MarketReading = { ...common, kind: 'trades', trades: [PRINT, LATER] };
const INDEX: MarketReading = {
  ...common,
  instrumentId: CONTRACT,
  kind: 'index',
  markPrice: 100,
  indexPrice: 101,
};

describe('polled readings of a strategy', () => {
  it('are delivered to their subscribers, with trades one by one', () => {
    const heard: unknown[] = [];
    const engine = aStartedEngine(
      listener(
        (market) =>
          merge(market.ticker$(), market.depth$(), market.trades$(), market.index$(CONTRACT)),
        (value) => heard.push(value),
      ),
      SERVED,
    );

    for (const reading of [TICKER, DEPTH, TRADES, INDEX]) engine.process(telling(reading));

    expect(heard).toEqual([TICKER, DEPTH, PRINT, LATER, INDEX]);
    expect(engine.wantedReadings()).toEqual([
      { kind: 'ticker', instrumentId: PAIR },
      { kind: 'depth', instrumentId: PAIR },
      { kind: 'trades', instrumentId: PAIR },
      { kind: 'index', instrumentId: CONTRACT },
    ]);
  });

  it('are polled only while the strategy subscribes to them', () => {
    const quiet = aStartedEngine(
      class extends Strategy({}) {
        override intents(market: Market): Observable<OrderIntent> {
          void market.depth$();
          return NEVER;
        }
      },
      SERVED,
    );
    const once = aStartedEngine(
      listener(
        (market) => market.ticker$(),
        (_, listening) => {
          listening.unsubscribe();
        },
      ),
      SERVED,
    );

    expect(quiet.wantedReadings()).toEqual([]);
    expect(once.wantedReadings()).toHaveLength(1);
    once.process(telling(TICKER));
    expect(once.wantedReadings()).toEqual([]);
  });

  it('have no effect without a subscriber', () => {
    const engine = aStartedEngine(
      listener(() => NEVER),
      SERVED,
    );

    expect(engine.process(telling(TICKER))).toEqual([]);
  });

  it('complete at the end of the run', () => {
    let isOver = false;
    const engine = aStartedEngine(
      class extends Strategy({}) {
        override intents(market: Market): Observable<OrderIntent> {
          market.ticker$().subscribe({ complete: () => (isOver = true) });
          return NEVER;
        }
      },
      SERVED,
    );

    engine.stop();

    expect(isOver).toBe(true);
  });
});

describe('unavailable readings', () => {
  it.each([
    ['a ticker in a backtest', false, (market: Market) => market.ticker$(), 'ticker$'],
    ['a book in a backtest', false, (market: Market) => market.depth$(), 'depth$'],
    ['trades in a backtest', false, (market: Market) => market.trades$(), 'trades$'],
    ['an index in a backtest', false, (market: Market) => market.index$(CONTRACT), 'index$'],
    [
      'trades of a contract',
      true,
      (market: Market) => market.trades$(CONTRACT),
      `no trades$ of ${CONTRACT}: the venue shows no trades of contracts`,
    ],
    [
      'the index of a pair',
      true,
      (market: Market) => market.index$(PAIR),
      `no index$ of ${PAIR}: pairs have`,
    ],
  ])('are refused at the start of the strategy: %s', (_, servesReadings, listen$, said) => {
    const engine = anEngine(listener(listen$), { ...SERVED, servesReadings });
    engine.construct();

    const failure = failureOf(() => {
      engine.start(START);
    });

    expect(failure).toMatchObject({ code: 'E_STREAM_UNAVAILABLE', name: 'StrategyError' });
    expect(failure.message).toContain(said);
  });
});
