import {
  feeInQuote,
  multiplyFixed,
  type Asset,
  type EpochMs,
  type FeeRates,
  type Fixed,
  type InstrumentId,
  type Liquidity,
  type Side,
} from '../../domain/index.js';

/** The fee rates in force for an instrument at a time (DESIGN R8). */
export interface FeeModel {
  ratesAt(instrumentId: InstrumentId, time: EpochMs): FeeRates;
}

/** Rates of one instrument from a time on. If `instrumentId` is undefined, the rates of all instruments. */
export interface FeeChange {
  readonly from: EpochMs;
  readonly instrumentId: InstrumentId | undefined;
  readonly maker: Fixed;
  readonly taker: Fixed;
}

/** The same rates for every instrument, always. */
export function createConstantFees(rates: FeeRates): FeeModel {
  return { ratesAt: () => rates };
}

/**
 * Rates that change over time. The latest change for the instrument applies; of two changes at one time, the later one of the list. Before the first
 * change, `rates` apply.
 */
export function createDatedFees(rates: FeeRates, changes: readonly FeeChange[]): FeeModel {
  if (changes.length === 0) return createConstantFees(rates);
  const byTime = changes
    .map(({ from, instrumentId, maker, taker }) => ({
      from,
      instrumentId,
      rates: { ...rates, maker, taker },
    }))
    .sort((one, other) => one.from - other.from);
  return {
    ratesAt: (id, time) =>
      byTime.findLast(({ from, instrumentId = id }) => from <= time && instrumentId === id)
        ?.rates ?? rates,
  };
}

/** The charge for one execution; negative when received. */
interface SpotFee {
  readonly fee: Fixed;
  readonly feeAsset: Asset;
}

/**
 * Fee of one execution on spot or margin. It is one posting, rounded once (DESIGN R8, R15). `value`: price × quantity, if the caller has it already.
 */
export function spotFee(
  rates: FeeRates,
  side: Side,
  execution: {
    readonly instrument: { readonly base: Asset; readonly quote: Asset };
    readonly liquidity: Liquidity;
    readonly price: Fixed;
    readonly quantity: Fixed;
  },
  value?: Fixed,
): SpotFee {
  const { instrument, liquidity, price, quantity } = execution;
  const rate = liquidity === 'maker' ? rates.maker : rates.taker;
  return side === 'buy' && rates.paidIn === 'received'
    ? { fee: multiplyFixed(quantity, rate), feeAsset: instrument.base }
    : { fee: feeInQuote(price, quantity, rate, value), feeAsset: instrument.quote };
}
