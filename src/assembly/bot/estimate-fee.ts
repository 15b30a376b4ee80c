import { contractValue, multiplyFixed, type EpochMs, type Instrument } from '../../domain/index.js';
import type { EstimateFee } from '../../feed/index.js';
import { spotFee } from '../../simulator/index.js';
import type { SimulationConfig } from '../../config/index.js';
import { feeModelOf } from '../venue-models.js';

/** Estimates the fee of an execution that the venue reports only as a sum: the taker rate of the configuration. */
export function createFeeEstimate(
  simulation: Pick<SimulationConfig, 'fees' | 'feeChanges' | 'models'>,
  {
    instruments,
    now,
  }: { readonly instruments: readonly Instrument[]; readonly now: () => EpochMs },
): EstimateFee {
  const model = feeModelOf(simulation);
  const byId = new Map(instruments.map((instrument) => [instrument.id, instrument]));
  return ({ order, price, quantity }) => {
    const instrument = byId.get(order.instrumentId);
    const rates = model.ratesAt(order.instrumentId, now());
    const liquidity = 'taker';
    if (instrument === undefined) return { fee: 0n, feeAsset: order.feeAsset, liquidity };
    if (instrument.kind === 'futures') {
      const value = contractValue(instrument, quantity, price);
      return { fee: multiplyFixed(value, rates.taker), feeAsset: order.feeAsset, liquidity };
    }
    const side = order.action === 'open' ? 'buy' : 'sell';
    const { fee, feeAsset } = spotFee(rates, side, { instrument, liquidity, price, quantity });
    return { fee, feeAsset, liquidity };
  };
}
