import type { Archive } from '../../src/archive/index.js';
import type { BacktestConfig } from '../../src/assembly/index.js';
import {
  FIXED_ONE,
  parseFixed,
  splitInstrumentId,
  type Asset,
  type Fixed,
  type InstrumentId,
  type LeverageTier,
  type MarginMode,
} from '../../src/domain/index.js';
import { aBacktestConfig } from './backtest-config.js';

/** The contracts of an archive that have hourly candles. */
export async function hourlyContracts(
  archive: Archive,
): Promise<readonly { readonly instrumentId: InstrumentId }[]> {
  return (await archive.list())
    .map(({ key }) => key)
    .filter(
      ({ instrumentId, interval }) =>
        splitInstrumentId(instrumentId).kind === 'futures' && interval === '1h',
    );
}

export function isInverse(instrumentId: InstrumentId): boolean {
  return splitInstrumentId(instrumentId).symbol.startsWith('I-');
}

/** What one contract is worth: 100 quote of an inverse contract, 0.001 base of a linear one. */
export function faceOf(instrumentId: InstrumentId): string {
  return isInverse(instrumentId) ? '100' : '0.001';
}

export interface StoredContractTerms {
  readonly leverage: number;
  readonly marginMode: MarginMode;
  /** Rate of the fee of a forced close. */
  readonly forcedFee: Fixed;
  /** From the first candle on. */
  readonly tiers: readonly LeverageTier[];
  /** The starting balance, in the margin asset. */
  readonly balance: string;
}

/** A backtest of one stored contract on its hourly candles, without funding of its own: its terms come from the test, not from the archive. */
export function contractBacktest(
  instrumentId: InstrumentId,
  { leverage, marginMode, forcedFee, tiers, balance }: StoredContractTerms,
): BacktestConfig {
  const { symbol } = splitInstrumentId(instrumentId);
  const [, base = 'BTC', quote = 'USDT'] = symbol.split('-');
  const inverse = isInverse(instrumentId);
  const marginAsset: Asset = inverse ? base : quote;
  const config = aBacktestConfig({ instrumentId, interval: '1h' });
  const { simulation } = config;
  return {
    ...config,
    equityCurrency: marginAsset,
    instruments: [
      {
        kind: 'futures',
        instrumentId,
        symbol,
        base,
        quote,
        intervals: ['1h'],
        contract: inverse ? 'inverse' : 'linear',
        multiplier: parseFixed(faceOf(instrumentId)),
        leverage: BigInt(leverage) * FIXED_ONE,
        marginMode,
      },
    ],
    simulation: {
      ...simulation,
      balances: { futures: new Map([[marginAsset, parseFixed(balance)]]) },
      rules: new Map([[instrumentId, { tradable: true, pricePrecision: 2, quantityPrecision: 0 }]]),
      futures: {
        ...simulation.futures,
        fundingRate: 0n,
        maxFeeRate: forcedFee,
        tiers: new Map([[instrumentId, [{ from: 0, tiers }]]]),
      },
    },
  };
}
