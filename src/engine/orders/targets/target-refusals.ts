import {
  FIXED_ONE,
  formatFixed,
  type Fixed,
  type InstrumentId,
  type Refusal,
} from '../../../domain/index.js';

// Refusals of targets that cannot be carried out.

/** 1, and a billionth for roundings of numbers. */
const MOST_ON_SPOT = FIXED_ONE + 10n ** 9n;

export function targetPriceRefusal(id: InstrumentId): Refusal {
  return {
    check: 'no-price',
    limit: 'a last price',
    actual: 'none',
    unit: 'price',
    text: `no last price of ${id}, or of what its quote is worth, is known yet: a target cannot be counted`,
  };
}

export function twiceRefusal(id: InstrumentId): Refusal {
  return {
    check: 'invalid-term',
    limit: 'one target for each instrument',
    actual: id,
    unit: 'targets',
    text: `targets: expected one target for each instrument, received two for ${id}`,
  };
}

/** Spot holds no more than there is equity. Weights computed from numbers may sum to a little more than 1. */
export function sumRefusal(sum: Fixed): Refusal | undefined {
  if (sum <= MOST_ON_SPOT) return undefined;
  return {
    check: 'invalid-term',
    limit: 'weights of spot instruments that sum to at most 1',
    actual: formatFixed(sum),
    unit: 'share of equity',
    text: `targets: expected weights of spot instruments that sum to at most 1, received ${formatFixed(sum)}: spot holds no more than there is equity`,
  };
}

export function spotRefusal(id: InstrumentId, wanted: Fixed): Refusal {
  return {
    check: 'spot-short',
    limit: '0',
    actual: formatFixed(wanted),
    unit: 'quantity',
    text: `${id}: spot cannot be sold short; use margin or futures, or a target of 0`,
  };
}

/** For a purchase by weight of which the free money leaves less than the smallest trade. */
export function tooLittleFreeRefusal(needed: Fixed, free: Fixed, quote: string): Refusal {
  return {
    check: 'insufficient-balance',
    limit: formatFixed(free),
    actual: formatFixed(needed),
    unit: quote,
    text: `needs ${formatFixed(needed)} ${quote}, and ${formatFixed(free)} ${quote} can be used, which is less than the smallest trade`,
  };
}
