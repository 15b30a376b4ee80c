import {
  dearestRate,
  FIXED_ONE,
  type FeeRates,
  type Fixed,
  type Instrument,
  type Side,
} from '../domain/index.js';

/** One way in and out: prices of the fills, and what each of them costs. */
export interface RoundTrip {
  readonly side: Side;
  readonly entry: Fixed;
  readonly entryRate: Fixed;
  readonly exit: Fixed;
  readonly fees: FeeRates;
}

/** An exact amount: numerator ÷ denominator, scaled as all others. */
export interface ExactLoss {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

const SQUARE: Fixed = FIXED_ONE * FIXED_ONE;

/**
 * What a quantity of 1 loses from its entry to its exit with the fees of both, in what pays for it: in quote, of contracts in the margin asset. Not
 * rounded, because it is multiplied by any quantity.
 */
export function lossOfOne(instrument: Instrument, trip: RoundTrip): ExactLoss {
  return instrument.kind !== 'futures' && trip.fees.paidIn === 'received'
    ? lossOfPair(trip)
    : lossInMoney(instrument, trip);
}

/** Where a buy pays its fee in base, a long sells so much less than it bought, and a short buys back so much more than it sold. */
function lossOfPair({ side, entry, entryRate, exit, fees }: RoundTrip): ExactLoss {
  if (side === 'buy') {
    const sold = exit * (FIXED_ONE - entryRate) * (FIXED_ONE - fees.taker);
    return { numerator: entry * SQUARE - sold, denominator: SQUARE };
  }
  const bought = FIXED_ONE - dearestRate(fees);
  const brought = entry * (FIXED_ONE - entryRate) * bought;
  return { numerator: exit * SQUARE - brought, denominator: FIXED_ONE * bought };
}

/** What the dearer fill is worth with its fee on top, less what the other one is worth without its own. */
function lossInMoney(
  instrument: Instrument,
  { side, entry, entryRate, exit, fees }: RoundTrip,
): ExactLoss {
  const isInverse = instrument.kind === 'futures' && instrument.contract === 'inverse';
  const multiplier = instrument.kind === 'futures' ? instrument.multiplier : FIXED_ONE;
  const entered = { price: entry, rate: entryRate };
  const left = { price: exit, rate: fees.taker };
  // Fewer coins are worth as much when the price has risen: of an inverse long the exit is worth more of them.
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
