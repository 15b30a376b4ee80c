import {
  dearestRate,
  FIXED_ONE,
  type FeeRates,
  type Fixed,
  type Instrument,
  type Side,
} from '../../domain/index.js';

/** One entry and exit: the prices of the fills, and the rates of their fees. */
interface StoppedTrade {
  readonly side: Side;
  readonly entry: Fixed;
  readonly entryRate: Fixed;
  readonly exit: Fixed;
  readonly fees: FeeRates;
}

/** An exact amount: numerator ÷ denominator, scaled like all other amounts. */
interface ExactLoss {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

const SQUARE: Fixed = FIXED_ONE * FIXED_ONE;

/**
 * The loss of a quantity of 1 from its entry to its exit with the fees of both, in the asset that pays for it: quote, or the margin asset of
 * contracts. Not rounded, because it is multiplied by any quantity.
 */
export function lossOfOne(instrument: Instrument, trip: StoppedTrade): ExactLoss {
  return instrument.kind !== 'futures' && trip.fees.paidIn === 'received'
    ? lossOfPair(trip)
    : lossInMoney(instrument, trip);
}

/** If a buy pays its fee in base, a long sells that much less than it bought, and a short buys back that much more than it sold. */
function lossOfPair({ side, entry, entryRate, exit, fees }: StoppedTrade): ExactLoss {
  if (side === 'buy') {
    const sold = exit * (FIXED_ONE - entryRate) * (FIXED_ONE - fees.taker);
    return { numerator: entry * SQUARE - sold, denominator: SQUARE };
  }
  const bought = FIXED_ONE - dearestRate(fees);
  const brought = entry * (FIXED_ONE - entryRate) * bought;
  return { numerator: exit * SQUARE - brought, denominator: FIXED_ONE * bought };
}

/** The value of the more valuable fill plus its fee, minus the other fill's value after its own fee. */
function lossInMoney(
  instrument: Instrument,
  { side, entry, entryRate, exit, fees }: StoppedTrade,
): ExactLoss {
  const isInverse = instrument.kind === 'futures' && instrument.contract === 'inverse';
  const multiplier = instrument.kind === 'futures' ? instrument.multiplier : FIXED_ONE;
  const entered = { price: entry, rate: entryRate };
  const left = { price: exit, rate: fees.taker };
  // At a higher price, fewer coins have the same value. So the losing exit of an inverse long is worth more coins than its entry.
  const [more, less] = (side === 'buy') === isInverse ? [left, entered] : [entered, left];
  const withFee = FIXED_ONE + more.rate;
  const withoutFee = FIXED_ONE - less.rate;
  return isInverse
    ? {
        numerator: multiplier * (withFee * less.price - withoutFee * more.price),
        denominator: more.price * less.price,
      }
    : {
        numerator: multiplier * (more.price * withFee - less.price * withoutFee),
        denominator: SQUARE,
      };
}
