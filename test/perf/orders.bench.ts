/**
 * The cost of orders and intents on spot: take-profits that rest while candles pass, in candles per second; with each candle a refused intent, or
 * a limit order that is canceled and placed again, in microseconds each. Each beside a loop by hand that does the same.
 */
import type { BacktestConfig } from '../../src/assembly/index.js';
import { FIXED_ONE, type CandleColumns } from '../../src/domain/index.js';
import type { StrategyClass } from '../../src/strategy/index.js';
import { createArchive, createHistory } from './history.js';
import {
  CANDLES_PER_SECOND,
  measureKinds,
  MICROSECONDS_EACH,
  type Kind,
  type RunFigure,
} from './kinds.js';
import {
  AlwaysQuoting,
  AlwaysRefused,
  quoteByHand,
  refuseByHand,
  RestingTakeProfits,
  SMALLEST_ORDER,
  takeProfitsByHand,
} from './order-work.js';
import { runByHand, type HandResult } from './reference-by-hand.js';
import { createReferenceConfig, REFERENCE_ID } from './reference-work.js';

const ROWS = Number(process.env['ROWS'] ?? 1_000_000);
/** Number of candles of runs that have an order or a refusal with each candle. */
const BUSY_ROWS = Math.min(ROWS, 100_000);

/** Number of candles, the seed of their walk, and the figure to print. */
interface Extent {
  readonly rows: number;
  readonly seed?: number;
  readonly figure: RunFigure;
}

function aKind(
  strategyClass: StrategyClass,
  byHand: (columns: CandleColumns) => HandResult,
  { rows, seed, figure }: Extent,
): Kind {
  const prepare: Kind['prepare'] = () => {
    const history = createHistory(rows, seed);
    const { columns } = history;
    const beside = { name: 'reference work by hand', work: () => runByHand(columns) };
    return {
      archive: createArchive(history),
      candles: rows,
      byHand: () => byHand(columns),
      ...(figure === CANDLES_PER_SECOND && { beside }),
    };
  };
  return { config: withSmallestOrder(), strategyClass, prepare, figure };
}

function withSmallestOrder(): BacktestConfig {
  const { simulation, ...config } = createReferenceConfig();
  const minOrderMoney = BigInt(SMALLEST_ORDER) * FIXED_ONE;
  const rules = { tradable: true, pricePrecision: 2, quantityPrecision: 5, minOrderMoney };
  return { ...config, simulation: { ...simulation, rules: new Map([[REFERENCE_ID, rules]]) } };
}

/** The reference walk falls first and stays low for long. This walk rises, so that limits above the price are reached. */
const rising: Extent = { rows: ROWS, seed: 8, figure: CANDLES_PER_SECOND };
const busy: Extent = { rows: BUSY_ROWS, figure: MICROSECONDS_EACH };
await measureKinds(
  import.meta.url,
  new Map([
    ['resting take-profits', aKind(RestingTakeProfits, takeProfitsByHand, rising)],
    ['an intent refused', aKind(AlwaysRefused, refuseByHand, busy)],
    ['a limit order canceled and placed', aKind(AlwaysQuoting, quoteByHand, busy)],
  ]),
);
