import {
  createInstrumentId,
  FIXED_ONE,
  parseFixed,
  type FuturesInstrument,
  type InstrumentId,
  type LeverageTier,
  type MarginMode,
} from '../../src/domain/index.js';
import type { FuturesContract } from '../../src/simulator/futures/contract-book.js';

export const LINEAR: InstrumentId = createInstrumentId('futures', 'E-BTC-USDT');
export const INVERSE: InstrumentId = createInstrumentId('futures', 'E-BTC-USD');

export interface ContractSetup {
  readonly symbol?: string;
  readonly contract?: 'linear' | 'inverse';
  readonly multiplier?: string;
  readonly leverage?: string;
  readonly marginMode?: MarginMode;
  readonly tiers?: readonly LeverageTier[];
  readonly maxFeeRate?: string;
}

/** A tier in decimals, up to a value. Undefined: without an upper bound. */
export function aTier(
  maxValue: string | undefined,
  keepRate: string,
  maxLeverage = '100',
): LeverageTier {
  return {
    maxValue: maxValue === undefined ? undefined : parseFixed(maxValue),
    maxLeverage: parseFixed(maxLeverage),
    keepRate: parseFixed(keepRate),
  };
}

/** The linear contract of a coin on USDT: 0.01 of the coin, 5x isolated. */
export function aLinearContract(base = 'BTC'): FuturesInstrument {
  const symbol = `E-${base}-USDT`;
  return {
    kind: 'futures',
    id: createInstrumentId('futures', symbol),
    symbol,
    base,
    quote: 'USDT',
    contract: 'linear',
    multiplier: parseFixed('0.01'),
    marginAsset: 'USDT',
    leverage: parseFixed('5'),
    marginMode: 'isolated',
  };
}

/** A contract of BTC: linear, 0.0001 BTC, 10x isolated, one tier that keeps 0.5 %, forced closes at 0.25 %. */
export function aContract(setup: ContractSetup = {}): FuturesContract {
  const contract = setup.contract ?? 'linear';
  const quote = contract === 'linear' ? 'USDT' : 'USD';
  const symbol = setup.symbol ?? `E-BTC-${quote}`;
  const instrument: FuturesInstrument = {
    kind: 'futures',
    id: createInstrumentId('futures', symbol),
    symbol,
    base: 'BTC',
    quote,
    contract,
    multiplier: parseFixed(setup.multiplier ?? (contract === 'linear' ? '0.0001' : '10')),
    marginAsset: contract === 'linear' ? quote : 'BTC',
    leverage: setup.leverage === undefined ? 10n * FIXED_ONE : parseFixed(setup.leverage),
    marginMode: setup.marginMode ?? 'isolated',
  };
  return {
    instrument,
    tiers: setup.tiers ?? [aTier(undefined, '0.005')],
    maxFeeRate: parseFixed(setup.maxFeeRate ?? '0.0025'),
  };
}
