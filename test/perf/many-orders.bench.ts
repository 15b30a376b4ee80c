/**
 * A run of many working orders at once, in microseconds per order: 500 orders are placed with each candle, far from the market, candles pass while all of
 * them rest, and all are canceled. They are entries of a pair, and exits of a pair and of a contract of which long and short can be held at once. Commands
 * wait for the venue's limits in simulated time. As many microseconds for each, however many there are, is a run that is linear in orders.
 */
import { runBacktest, type BacktestConfig } from '../../src/assembly/index.js';
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
/** The engine takes so many intents an event at most. */
const PER_CANDLE = 500;
/** All commands have arrived, and candles pass. */
const REST_CANDLES = 1_000;
/** After all cancels have arrived. */
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

/** Parts of one position, at a price that is never reached. */
class ManyAsks extends ManyBids {
  /** Of each part. */
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
  /** Orders beside those that rest. */
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
        const record = await runBacktest(options);
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
