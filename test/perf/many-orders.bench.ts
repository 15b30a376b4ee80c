/**
 * A run of many working orders at once, on spot, in microseconds per order: 500 bids are placed with each candle, far below the market, candles pass
 * while all of them rest, and all are canceled. Commands wait for the venue's limits in simulated time. As many microseconds for each, however many there
 * are, is a run that is linear in orders.
 */
import { runBacktest, type BacktestConfig } from '../../src/assembly/index.js';
import { parseFixed, type Candle } from '../../src/domain/index.js';
import { CandleStrategy, int } from '../../src/strategy/index.js';
import { createArchive, createHistory } from './history.js';
import { measure, milliseconds, type Case } from './measure.js';
import { createReferenceConfig, REFERENCE_ID } from './reference-work.js';

const COUNTS = [12_500, 25_000, 50_000, 100_000];
/** The engine takes so many intents an event at most. */
const PER_CANDLE = 500;
/** All commands have arrived, and candles pass. */
const REST_CANDLES = 1_000;
/** After all cancels have arrived. */
const END_CANDLES = 2_000;

class ManyBids extends CandleStrategy({ orders: int(1, 1_000_000, 1_000) }) {
  #placed = 0;
  #rested = 0;

  override onCandle({ close }: Candle): void {
    if (this.#placed < this.parameters.orders) {
      for (let order = 0; order < PER_CANDLE; order += 1) {
        const limitPrice = (close * 0.5 + order * 0.01).toFixed(2);
        this.enterLong({ quantity: '0.001' }, { add: true, limitPrice, label: 'bid' });
      }
      this.#placed += PER_CANDLE;
      return;
    }
    this.#rested += 1;
    if (this.#rested === REST_CANDLES) this.cancel({ label: 'bid' });
  }
}

function configOf(orders: number): BacktestConfig {
  const { simulation, strategy, ...config } = createReferenceConfig();
  const rules = {
    ...{ tradable: true, pricePrecision: 2, quantityPrecision: 5 },
    maxWorkingOrders: 1_000_000,
  };
  return {
    ...config,
    strategy: { ...strategy, parameters: { orders } },
    simulation: {
      ...simulation,
      balances: { spot: new Map([['USDT', parseFixed('1000000000')]]) },
      rules: new Map([[REFERENCE_ID, rules]]),
    },
  };
}

function aCase(orders: number): Case {
  const rows = orders / PER_CANDLE + REST_CANDLES + END_CANDLES;
  const archive = createArchive(createHistory(rows));
  const options = { config: configOf(orders), archive, strategyClass: ManyBids, sourceHash: '' };
  return {
    name: nameOf(orders),
    unit: 'µs per order',
    better: 'less',
    reference: nameOf(COUNTS[0] ?? orders),
    run: async () => {
      let canceled = 0;
      const ms = await milliseconds(async () => {
        const record = await runBacktest(options);
        for (const { state } of record.orders) if (state.status === 'canceled') canceled += 1;
      });
      if (canceled !== orders)
        throw new Error(`expected ${String(orders)} canceled orders, received ${String(canceled)}`);
      return (ms * 1e3) / orders;
    },
  };
}

function nameOf(orders: number): string {
  return `${orders.toLocaleString('en-US')} working orders at once`;
}

await measure(COUNTS.map(aCase), { rounds: 3 });
