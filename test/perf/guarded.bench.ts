/**
 * Candles per second of runs whose positions always have exits: a stop 1 % below and a target 1 % above each, or a trailing stop of 1 %,
 * on spot and on a contract with marks and funding. Each beside a loop by hand that samples the same stops and fills the same targets. It also
 * prints the loop of the reference work by hand, because the budgets are ratios to that loop.
 */
import type { BacktestConfig } from '../../src/assembly/index.js';
import type { StrategyClass } from '../../src/strategy/index.js';
import {
  AlwaysGuarded,
  AlwaysGuardedContracts,
  AlwaysTrailing,
  AlwaysTrailingContracts,
  guardByHand,
  guardContractsByHand,
  HAND_BRACKET,
  HAND_TRAILING,
} from './guarded-work.js';
import { createArchive, createHistory, type History } from './history.js';
import { CANDLES_PER_SECOND, measureKinds, type Kind } from './kinds.js';
import { runByHand, type HandResult } from './reference-by-hand.js';
import { createContractConfig, createReferenceConfig } from './reference-work.js';

const ROWS = Number(process.env['ROWS'] ?? 1_000_000);
const SPOT_SAMPLES = { sampleMs: 1_000 } as const;
const CONTRACT_SAMPLES = { sampleMs: 2_000 } as const;

function aKind(
  config: BacktestConfig,
  strategyClass: StrategyClass,
  byHand: (history: History) => HandResult,
): Kind {
  const prepare: Kind['prepare'] = () => {
    const history = createHistory(ROWS);
    return {
      archive: createArchive(history),
      candles: ROWS,
      byHand: () => byHand(history),
      beside: { name: 'reference work by hand', work: () => runByHand(history.columns) },
    };
  };
  return { config, strategyClass, prepare, figure: CANDLES_PER_SECOND };
}

const spot = createReferenceConfig();
const contract = createContractConfig();
await measureKinds(
  import.meta.url,
  new Map([
    [
      'always guarded',
      aKind(spot, AlwaysGuarded, ({ columns }) =>
        guardByHand(columns, { ...HAND_BRACKET, ...SPOT_SAMPLES }),
      ),
    ],
    [
      'trailing stop',
      aKind(spot, AlwaysTrailing, ({ columns }) =>
        guardByHand(columns, { ...HAND_TRAILING, ...SPOT_SAMPLES }),
      ),
    ],
    [
      'futures, always guarded',
      aKind(contract, AlwaysGuardedContracts, (history) =>
        guardContractsByHand(history, { ...HAND_BRACKET, ...CONTRACT_SAMPLES }),
      ),
    ],
    [
      'futures, trailing stop',
      aKind(contract, AlwaysTrailingContracts, (history) =>
        guardContractsByHand(history, { ...HAND_TRAILING, ...CONTRACT_SAMPLES }),
      ),
    ],
  ]),
);
