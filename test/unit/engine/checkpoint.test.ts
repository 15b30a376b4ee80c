import { describe, expect, it } from 'vitest';

import {
  decimal,
  MINUTE_MS,
  parseFixed,
  type FuturesInstrument,
  type Halt,
  type Instrument,
  type Order,
} from '../../../src/domain/index.js';
import {
  startingCheckpoint,
  type Engine,
  type EngineCheckpoint,
  type EngineEvent,
} from '../../../src/engine/index.js';
import { CandleStrategy, enterLong, exit, replace, sma } from '../../../src/strategy/index.js';
import { failureOf } from '../../support/failure.js';
import { INVERSE, LINEAR, MARGIN, SPOT } from '../../support/risk/builders.js';
import { aHolder, OrderManagerBench } from '../../support/engine/order-manager-bench.js';
import {
  aMinute,
  anEngine,
  aSpot,
  aStartedEngine,
  closing,
  passing,
  START,
  type EngineSetup,
} from '../../support/engine/engine.js';

const ONE = { quantity: '1' };
const contracts = (instrument: Instrument): EngineSetup => ({
  instruments: [{ instrument, intervals: ['1min'] }],
});

/** A bench that continues from the checkpoint of another bench. */
function goingOn({ engine }: OrderManagerBench, setup: EngineSetup = {}): OrderManagerBench {
  return new OrderManagerBench({ ...setup, checkpoint: engine.checkpoint() });
}

/** Raises no intents, and records the orders, halts and candles that it receives. */
class Listener extends CandleStrategy({}) {
  readonly told: string[] = [];
  readonly found = [this.position.quantity.toFixed(), ...this.workingOrders().map(describeOrder)];

  override onOrder(order: Order): void {
    this.told.push(describeOrder(order));
  }

  override onHalt({ reason, text }: Halt): void {
    this.told.push(`${reason}: ${text}`);
  }

  override onCandle(): void {
    this.told.push('candle');
  }
}

function describeOrder({ clientOrderId, status }: Order): string {
  return `${clientOrderId} ${status}`;
}

describe('a strategy that starts from a checkpoint', () => {
  const halting: EngineEvent = {
    kind: 'operator',
    time: START,
    action: 'halt',
    onHalt: 'block',
    text: 'lunch',
  };

  /** An engine with a new strategy that takes notes. The owner before it holds 1, has an exit at 120 and is halted. */
  function anotherOwner(): { readonly engine: Engine; readonly notes: () => Listener } {
    const bench = aHolder();
    bench.want(exit({ limitPrice: '120' }));
    bench.engine.process(halting);
    const notes: Listener[] = [];
    class Noting extends Listener {
      constructor(...context: ConstructorParameters<typeof Listener>) {
        super(...context);
        notes.push(this);
      }
    }
    const engine = aStartedEngine(Noting, { checkpoint: bench.engine.checkpoint() });
    return { engine, notes: () => notes[0] as Listener };
  }

  it('finds its positions and orders in its constructor', () => {
    const { notes } = anotherOwner();

    expect(notes().found).toEqual(['1', 'test-2-0-0 submitting']);
  });

  it('receives active halts and working orders once, with the first event', () => {
    const { engine, notes } = anotherOwner();

    engine.process(closing(aMinute(1)));
    engine.process(closing(aMinute(2)));
    const orders = [...engine.orders].map(({ status }) => status);

    expect(notes().told).toEqual(['operator: lunch', 'test-2-0-0 submitting', 'candle', 'candle']);
    expect(orders).toEqual(['submitting']);
    expect(engine.halts.map(({ text }) => text)).toEqual(['lunch']);
  });

  it('may raise intents in answer to the orders that it receives', () => {
    class Canceling extends CandleStrategy({}) {
      override onOrder({ status, intentId }: Order): void {
        if (status === 'open') this.cancel({ intentId });
      }
      override onCandle(): void {
        // Acts on orders only.
      }
    }
    const bench = new OrderManagerBench();
    bench.want(enterLong(ONE, { limitPrice: '90' }));
    bench.accept('test-1-0-0');

    const engine = aStartedEngine(Canceling, { checkpoint: bench.engine.checkpoint() });

    expect(engine.process(passing(START))).toEqual([
      { kind: 'cancel', clientOrderId: 'test-1-0-0', instrumentId: SPOT.id },
    ]);
  });

  it('continues the intent numbers of the strategy before it', () => {
    const bench = new OrderManagerBench();
    bench.want(enterLong(ONE, { limitPrice: '90' }));
    const next = goingOn(bench);

    expect(next.want(enterLong(ONE, { limitPrice: '91', add: true }))).toEqual([
      'test-2-0-0: limit buy open 1 base at 91 GTC',
    ]);
  });
});

describe('an order from a checkpoint', () => {
  it('fills and ends as without the checkpoint', () => {
    const bench = new OrderManagerBench();
    bench.want(enterLong(ONE, { limitPrice: '90', protection: { stopLoss: { ratio: '0.1' } } }));
    bench.accept('test-1-0-0');
    bench.fill('test-1-0-0', '0.4');
    const next = goingOn(bench);

    const time = START;
    const clientOrderId = bench.request('test-1-0-0').clientOrderId;
    const locked = next.engine.portfolio.balance('USDT').locked.toFixed();
    next.engine.process({
      kind: 'venue',
      time,
      update: {
        kind: 'ended',
        clientOrderId,
        status: 'canceled',
        reason: { code: '0', text: 'as scripted' },
        eventTime: time,
      },
    });

    // 0.6 × 90
    expect(locked).toBe('54');
    expect(next.free('USDT')).toBe('9964');
    expect(next.held()).toBe('0.4');
    expect(next.engine.portfolio.residual()).toBe(0n);
    // The guard of the part that filled: 90 − 10 %.
    expect(next.sample('81')).toEqual(['test-2-0-0: market sell close 0.4 base']);
  });

  it('is replaced on the requested terms, under a new id', () => {
    const bench = new OrderManagerBench();
    bench.want(enterLong(ONE, { limitPrice: '90', label: 'dip' }));
    bench.accept('test-1-0-0');
    bench.want(replace({ label: 'dip' }, { limitPrice: '89.50' }));
    const next = goingOn(bench);

    const sent = next.end('test-1-0-0');

    expect(sent).toEqual(['test-2-0-0: limit buy open 1 base at 89.5 GTC']);
  });

  it('is canceled at the end of its lifetime, whenever the strategy starts', () => {
    const bench = new OrderManagerBench();
    bench.want(enterLong(ONE, { limitPrice: '90', goodForMs: MINUTE_MS }));
    const engine = anEngine(Listener, { checkpoint: bench.engine.checkpoint() });
    engine.construct();
    engine.start(START + 50_000);

    const due = engine.nextTimer();

    expect(due).toBe(START + MINUTE_MS);
    expect(engine.process(passing(due)).map(({ kind }) => kind)).toEqual(['cancel']);
  });

  it('is canceled at once if its lifetime ended before the start', () => {
    const bench = new OrderManagerBench();
    bench.want(enterLong(ONE, { limitPrice: '90', goodForMs: 1_000 }));
    const engine = anEngine(Listener, { checkpoint: bench.engine.checkpoint() });
    engine.construct();
    engine.start(START + 5_000);

    const due = engine.nextTimer();

    expect(due).toBe(START + 5_000);
    expect(engine.process(passing(due)).map(({ kind }) => kind)).toEqual(['cancel']);
  });

  it('shares no id with a later order of the same intent', () => {
    const setup: EngineSetup = { remainder: 'resend' };
    const bench = new OrderManagerBench(setup);
    bench.candle(100);
    bench.want(enterLong({ notional: '1000' }));
    bench.fill('test-1-0-0', '4', { isFilled: false });
    bench.end('test-1-0-0');
    bench.candle(100);
    bench.fill('test-1-1-0', '1', { isFilled: false });
    bench.end('test-1-1-0');

    const next = goingOn(bench, setup);

    expect(next.candle(100)).toEqual(['test-1-2-0: market buy open 500 quote']);
  });
});

describe('the warm-up after a checkpoint', () => {
  const warming: EngineSetup = { remainder: 'resend' };

  class Slow extends CandleStrategy({}) {
    readonly average = this.indicator(sma(3));

    override onCandle(): void {
      // Its intents do not matter here.
    }
  }

  function slowly(bench: OrderManagerBench): Engine {
    return aStartedEngine(Slow, { ...warming, checkpoint: bench.engine.checkpoint() });
  }

  it('sends no rest of an entry', () => {
    const bench = new OrderManagerBench(warming);
    bench.candle(100);
    bench.want(enterLong({ notional: '1000' }));
    bench.fill('test-1-0-0', '4', { isFilled: false });
    bench.end('test-1-0-0');
    const engine = slowly(bench);

    const commands = [1, 2, 3, 4].flatMap((minute) => engine.process(closing(aMinute(minute))));

    expect(commands).toEqual([]);
    expect(engine.refusals.map(({ refusal }) => refusal.check)).toEqual(['warming-up']);
  });

  it('sends the rest of an exit, and fires stops', () => {
    const bench = aHolder(warming, { protection: { stopLoss: { price: '90' } } });
    bench.want(exit({ size: { quantity: '0.5' } }));
    bench.fill('test-2-0-0', '0.2', { isFilled: false });
    bench.end('test-2-0-0');
    const engine = slowly(bench);

    const rest = engine.process(closing(aMinute(1)));
    const stopped = engine.process({
      kind: 'ticker',
      time: START + MINUTE_MS,
      instrumentId: SPOT.id,
      last: parseFixed('89'),
    });

    expect(rest).toMatchObject([{ kind: 'submit', order: { quantity: parseFixed('0.3') } }]);
    // The resting exit is canceled for the stop.
    expect(stopped).toMatchObject([{ kind: 'cancel', clientOrderId: 'test-2-1-0' }]);
    expect(engine.isWarm).toBe(false);
  });
});

describe('a checkpoint', () => {
  it('is equal for a starting checkpoint and for a bot that has done nothing', () => {
    const balances = { BTC: '0.5', USDT: '100' };
    const fresh = anEngine(Listener, { balances });
    const begun = anEngine(Listener, {
      balances: {},
      checkpoint: startingCheckpoint({
        spot: new Map(Object.entries(balances).map(([asset, text]) => [asset, parseFixed(text)])),
      }),
    });

    for (const engine of [fresh, begun]) {
      engine.construct();
      engine.start(START);
      engine.process({
        kind: 'opening',
        time: START,
        prices: [{ instrumentId: SPOT.id, price: 200 }],
      });
    }

    expect(begun.checkpoint()).toEqual(fresh.checkpoint());
    // 0.5 × 200
    expect(begun.checkpoint().positions).toMatchObject([{ entryValue: parseFixed('100') }]);
  });

  it('is refused within an event', () => {
    const codes: unknown[] = [];
    const engine = aStartedEngine(
      class Greedy extends CandleStrategy({}) {
        override onCandle(): void {
          codes.push(failureOf(() => engine.checkpoint()));
        }
      },
    );

    engine.process(closing(aMinute(1)));

    expect(codes).toMatchObject([{ code: 'E_ENGINE_REENTERED' }]);
  });

  it('stores the terms of an intent as text', () => {
    const bench = new OrderManagerBench();
    bench.want({
      kind: 'enter',
      direction: 'long',
      size: { quantity: decimal('2.50') },
      limitPrice: '90',
    });

    const [order] = bench.engine.checkpoint().orders;

    expect(order?.intent).toEqual({
      kind: 'enter',
      direction: 'long',
      size: { quantity: '2.5' },
      limitPrice: '90',
    });
  });

  it('may be written by hand from the positions and balances of an account', () => {
    const cross: FuturesInstrument = { ...LINEAR, marginMode: 'cross' };
    const checkpoint: EngineCheckpoint = {
      ...startingCheckpoint({ futures: new Map([['USDT', parseFixed('1000')]]) }),
      positions: [
        {
          instrumentId: cross.id,
          direction: 'short',
          quantity: parseFixed('20'),
          entryValue: parseFixed('2'),
          isHeld: true,
        },
      ],
    };
    const bench = new OrderManagerBench({ ...contracts(cross), checkpoint });
    bench.candle(100);

    const sent = bench.want(exit());
    bench.fill('test-1-0-0', '20', { price: '90' });

    expect(sent).toEqual(['test-1-0-0: market buy close 20 contracts']);
    // 20 × 0.001 × (100 − 90)
    expect(bench.free('USDT')).toBe('1000.2');
    expect(bench.engine.portfolio.residual()).toBe(0n);
  });

  it.each([
    ['a position', LINEAR, { positions: true }],
    ['an order', SPOT, { positions: false }],
  ])(
    'is refused with %s in an instrument that is not configured',
    (_what, instrument, { positions }) => {
      const bench = new OrderManagerBench(contracts(instrument));
      bench.candle(100);
      bench.want(enterLong({ quantity: '2' }));
      if (positions) bench.fill('test-1-0-0', '2');
      const checkpoint = bench.engine.checkpoint();

      const failure = failureOf(() => anEngine(Listener, { ...contracts(MARGIN), checkpoint }));

      expect(failure).toMatchObject({
        code: 'E_CHECKPOINT',
        message: expect.stringContaining(`${instrument.id} is not among the instruments`) as string,
      });
    },
  );

  it('works without an instrument in which nothing is held', () => {
    const eth = aSpot('ETH');
    const both = [SPOT, eth].map((instrument) => ({ instrument, intervals: ['1min'] as const }));
    const bench = new OrderManagerBench({ instruments: both });
    bench.candle(100);
    const checkpoint = bench.engine.checkpoint();

    const next = new OrderManagerBench({ ...contracts(eth), checkpoint });

    expect(next.free('USDT')).toBe('10000');
    expect(next.engine.portfolio.residual()).toBe(0n);
  });

  it.each([
    [LINEAR, 'isolated', 'cross'],
    [{ ...LINEAR, marginMode: 'cross' } as const, 'cross', 'isolated'],
  ])('is refused with a position in another margin mode', (instrument, mode, other) => {
    const bench = new OrderManagerBench(contracts(instrument));
    bench.candle(100);
    bench.want(enterLong({ quantity: '2' }));
    bench.fill('test-1-0-0', '2');
    const checkpoint = bench.engine.checkpoint();
    const changed = { ...instrument, marginMode: other } as FuturesInstrument;

    const failure = failureOf(() => anEngine(Listener, { ...contracts(changed), checkpoint }));

    expect(failure).toMatchObject({
      code: 'E_CHECKPOINT',
      message: `expected marginMode ${mode} of ${LINEAR.id}, as its position is carried over, received ${other}`,
    });
  });

  it('keeps the degraded and the reduce-only state', () => {
    const engine = aStartedEngine(Listener);
    engine.process({ kind: 'operator', time: START, action: 'reduce-only' });
    engine.process({ kind: 'health', time: START, isDegraded: true, text: 'stale' });
    const bench = new OrderManagerBench({ checkpoint: engine.checkpoint() });

    bench.want(enterLong(ONE));

    expect(bench.verdict).toBe('reduce-only');
    expect(bench.engine.checkpoint().protections).toMatchObject({
      isReduceOnly: true,
      degraded: { since: START, text: 'stale' },
    });
  });

  it('keeps the margin of inverse contracts and the profit of an open trade', () => {
    const setup: EngineSetup = {
      ...contracts(INVERSE),
      equityCurrency: 'BTC',
      balances: { BTC: '10' },
      protections: { maxConsecutiveLosses: 1 },
    };
    const bench = new OrderManagerBench(setup);
    bench.candle(100);
    bench.want(enterLong({ quantity: '10' }));
    bench.fill('test-1-0-0', '10', { price: '100', feeAsset: 'BTC', fee: '0.001' });
    bench.want(exit({ size: { quantity: '5' } }));
    bench.fill('test-2-0-0', '5', { price: '80', feeAsset: 'BTC' });

    const { positions, protections } = bench.engine.checkpoint();
    const next = goingOn(bench, setup);
    next.want(exit());
    next.fill('test-3-0-0', '5', { price: '110', feeAsset: 'BTC' });

    expect(positions).toMatchObject([{ money: { margin: parseFixed('0.1') } }]);
    // 50/100 − 50/80 = −0.125, without the fee of the entry
    expect(protections.trades).toMatchObject([
      { profit: parseFixed('-0.125'), costs: parseFixed('0.001') },
    ]);
    // 50/100 − 50/110 = 0.045 does not make up for it: the trade lost
    expect(next.engine.halts.map(({ reason }) => reason)).toEqual(['consecutive-losses']);
  });
});
