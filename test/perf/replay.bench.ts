/**
 * Candles per second of the whole path (engine, averages, risk, venue, ledgers, equity) on the reference work, on spot and on a contract with marks and
 * funding, in candle style and by three operators of RxJS, with many fills and with few, and of a strategy that never trades, also with a daily
 * schedule; each beside a loop by hand that does the same work, with the same fills, in the same run. Medians of rounds taken in turn.
 */
import type { BacktestConfig } from '../../src/assembly/index.js';
import type { StrategyClass } from '../../src/strategy/index.js';
import { createArchive, createHistory, type History } from './history.js';
import { CANDLES_PER_SECOND, measureKinds, type Kind } from './kinds.js';
import {
  idleByHand,
  runByHand,
  runContractsByHand,
  type HandResult,
  type HandWork,
} from './reference-by-hand.js';
import {
  createContractConfig,
  createReferenceConfig,
  LongContractsWhileAbove,
  LongWhileAbove,
  LongWhileAboveStreamed,
  NeverTrades,
  NeverTradesDaily,
  SeldomLongContractsWhileAbove,
  SeldomLongWhileAbove,
} from './reference-work.js';

const ROWS = Number(process.env['ROWS'] ?? 1_000_000);
const OFTEN: HandWork = { fast: 10, slow: 30 };
const SELDOM: HandWork = { ...OFTEN, every: 1_000 };

type ByHand = (history: History) => HandResult;

function aKind(config: BacktestConfig, strategyClass: StrategyClass, byHand: ByHand): Kind {
  const prepare: Kind['prepare'] = () => {
    const history = createHistory(ROWS);
    return { archive: createArchive(history), candles: ROWS, byHand: () => byHand(history) };
  };
  return { config, strategyClass, prepare, figure: CANDLES_PER_SECOND };
}

function ofPair(work: HandWork): ByHand {
  return ({ columns }) => runByHand(columns, work);
}

function ofContract(work: HandWork, trades = true): ByHand {
  return ({ columns, marks, funding }) => runContractsByHand(columns, marks, funding, work, trades);
}

const spot = createReferenceConfig();
const contract = createContractConfig();
await measureKinds(
  import.meta.url,
  new Map([
    ['spot', aKind(spot, LongWhileAbove, ofPair(OFTEN))],
    ['spot, three operators', aKind(spot, LongWhileAboveStreamed, ofPair(OFTEN))],
    ['spot, few fills', aKind(spot, SeldomLongWhileAbove, ofPair(SELDOM))],
    ['futures', aKind(contract, LongContractsWhileAbove, ofContract(OFTEN))],
    ['futures, few fills', aKind(contract, SeldomLongContractsWhileAbove, ofContract(SELDOM))],
    ['spot idle', aKind(spot, NeverTrades, ({ columns }) => idleByHand(columns))],
    [
      'spot idle, a daily schedule',
      aKind(spot, NeverTradesDaily, ({ columns }) => idleByHand(columns)),
    ],
    ['futures idle', aKind(contract, NeverTrades, ofContract(OFTEN, false))],
  ]),
);
