/**
 * A run with many working orders at once, in microseconds per order. It places 500 orders with each candle, far from the market, lets candles pass
 * while all of them rest, and cancels all. The orders are entries of a pair, and exits of a pair and of a contract that can be long and short at once.
 * Commands wait for the venue's limits in simulated time. If the time per order does not grow with the number of orders, the run is linear in orders.
 */
import { replayBacktest, type BacktestConfig } from '../../src/assembly/index.js';
import { parseFixed, type Candle } from '../../src/domain/index.js';
import { CandleStrategy, int } from '../../src/strategy/index.js';
import { createArchive, createHistory } from './history.js';
import { measure, milliseconds, type Case } from './measure.js';
import {
  CONTRACT_ID,
  createContractConfig,
  createReferenceConfig,
  REFERENCE_ID,
} from './reference-work.js';

const COUNTS = [12_500, 25_000, 50_000, 100_000];
/** The most intents per event that the engine takes. */
const PER_CANDLE = 500;
/** Candles that pass while all orders rest, after their commands have arrived. */
const REST_CANDLES = 1_000;
/** Candles that pass after the cancels, until all have arrived. */
const END_CANDLES = 2_000;

/** Bids at half of the market. */
class ManyBids extends CandleStrategy({ orders: int(1, 1_000_000, 1_000) }) {
  #placed = 0;
  #rested = 0;

  override onCandle({ close }: Candle): void {
    if (this.#placed < this.parameters.orders) {
      for (let order = 0; order < PER_CANDLE; order += 1) this.place(close, order);
      this.#placed += PER_CANDLE;
      return;
    }
    this.#rested += 1;
    if (this.#rested === REST_CANDLES) this.cancel({ label: 'far' });
  }

  place(close: number, order: number): void {
    const limitPrice = (close * 0.5 + order * 0.01).toFixed(2);
    this.enterLong({ quantity: '0.001' }, { add: true, limitPrice, label: 'far' });
  }
}

/** Exits for parts of one position, at prices that the market never reaches. */
class ManyAsks extends ManyBids {
  /** Quantity of each part. */
  readonly part: string = '0.001';

  override onCandle(candle: Candle): void {
    if (this.position.exact.quantity > 0n) super.onCandle(candle);
    else this.enterLong({ quantity: String(Number(this.part) * this.parameters.orders) });
  }

  override place(close: number, order: number): void {
    const limitPrice = (close * 4 + order * 0.01).toFixed(2);
    this.exit({ size: { quantity: this.part }, limitPrice, direction: 'long', label: 'far' });
  }
}

class ManyClosingAsks extends ManyAsks {
  override readonly part = '1';
}

interface Work {
  readonly name: string;
  readonly strategyClass: typeof ManyBids;
  readonly config: BacktestConfig;
  /** Number of orders beside the resting orders. */
  readonly entries: number;
}

const RULES = { tradable: true, pricePrecision: 2, maxWorkingOrders: 1_000_000 };
const MONEY = new Map([['USDT', parseFixed('1000000000')]]);

function pair(): BacktestConfig {
  const { simulation, ...config } = createReferenceConfig();
  return {
    ...config,
    simulation: {
      ...simulation,
      balances: { spot: MONEY },
      rules: new Map([[REFERENCE_ID, { ...RULES, quantityPrecision: 5 }]]),
    },
  };
}

function contract(): BacktestConfig {
  const { simulation, ...config } = createContractConfig();
  return {
    ...config,
    simulation: {
      ...simulation,
      balances: { futures: MONEY },
      rules: new Map([[CONTRACT_ID, { ...RULES, quantityPrecision: 0 }]]),
      futures: { ...simulation.futures, positionMode: 'hedge' },
    },
  };
}

const WORKS: readonly Work[] = [
  { name: 'entries of a pair', strategyClass: ManyBids, config: pair(), entries: 0 },
  { name: 'exits of a pair', strategyClass: ManyAsks, config: pair(), entries: 1 },
  { name: 'exits of a contract', strategyClass: ManyClosingAsks, config: contract(), entries: 1 },
];

function aCase({ name, strategyClass, config, entries }: Work, orders: number): Case {
  const nameOf = (count: number): string => `${count.toLocaleString('en-US')} ${name} at once`;
  const rows = orders / PER_CANDLE + REST_CANDLES + END_CANDLES;
  const strategy = { ...config.strategy, parameters: { orders } };
  const archive = createArchive(createHistory(rows));
  const options = { config: { ...config, strategy }, archive, strategyClass, sourceHash: '' };
  return {
    name: nameOf(orders),
    unit: 'µs per order',
    better: 'less',
    reference: nameOf(COUNTS[0] ?? orders),
    run: async () => {
      const counts = { canceled: 0, filled: 0 };
      const ms = await milliseconds(async () => {
        const record = await replayBacktest(options);
        for (const { state } of record.orders)
          if (state.status === 'canceled' || state.status === 'filled') counts[state.status] += 1;
      });
      if (counts.canceled !== orders || counts.filled !== entries)
        throw new Error(
          `expected ${String(orders)} canceled orders and ${String(entries)} filled, received ${JSON.stringify(counts)}`,
        );
      return (ms * 1e3) / orders;
    },
  };
}

await measure(
  WORKS.flatMap((work) => COUNTS.map((orders) => aCase(work, orders))),
  { rounds: 3 },
);
