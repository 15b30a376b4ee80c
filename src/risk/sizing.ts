import {
  dearestRate,
  feeRateOfBuy,
  FIXED_DECIMALS,
  FIXED_ONE,
  formatFixed,
  maxFixed,
  type DecimalInput,
  type Fixed,
  type Refusal,
  type RiskChange,
  type Size,
} from '../domain/index.js';
import { floorAmount, isPositive, readAmount, type Amount } from './amount.js';
import { roundingChange } from './changes.js';
import { floorPositive, quantityUnitName, QUOTE_DECIMALS, QUOTE_STEP } from './money.js';
import type { DraftContext } from './order-draft.js';
import { createRefusal, describeInput } from './refusal.js';
import { fromEquityCurrency, refuseWithoutWorth } from './worth.js';

/** A size as a number on its grid, with what was changed on the way. */
export interface SizedAmount {
  readonly value: Fixed;
  readonly change: RiskChange | undefined;
}

/** Quantity asked for, rounded down to the step (0 when it is less than one). */
export function readQuantity(context: DraftContext, input: DecimalInput): SizedAmount | Refusal {
  const { proposal, rules } = context;
  const asked = readSize(input);
  if (asked === undefined) return refuseSize(input, quantityUnitName(proposal.instrument));
  const value = floorAmount(asked, rules.quantityPrecision, rules.step);
  return { value, change: roundingChange('quantity', asked, value) };
}

/** Quote amount asked for: the notional, or the share of equity with its costs taken off, rounded down to the quote step. */
export function readMoney(context: DraftContext, size: Size): SizedAmount | Refusal {
  if ('notional' in size) return readNotional(context, size.notional);
  const { proposal, account, fees, policy } = context;
  const input = 'equity' in size ? size.equity : undefined;
  const fraction = input === undefined ? undefined : readSize(input);
  if (fraction === undefined) return refuseSize(input, 'fraction of equity');
  const share = floorAmount(fraction, FIXED_DECIMALS, 1n);
  const isFutures = proposal.instrument.kind === 'futures';
  const feeRate = isFutures ? dearestRate(fees) : feeRateOfBuy(fees);
  const reserve = isFutures ? (policy.costReserve ?? 0n) : 0n;
  const { quote } = proposal.instrument;
  const equity = fromEquityCurrency(account, quote, maxFixed(account.equity(), 0n));
  if (equity === undefined) return refuseWithoutWorth(quote, account);
  const notional = (equity * share) / (FIXED_ONE + feeRate + reserve);
  return clampToFree(context, floorPositive(notional, QUOTE_STEP));
}

function readNotional({ proposal }: DraftContext, input: DecimalInput): SizedAmount | Refusal {
  const asked = readSize(input);
  if (asked === undefined) return refuseSize(input, proposal.instrument.quote);
  const value = floorAmount(asked, QUOTE_DECIMALS, QUOTE_STEP);
  return { value, change: roundingChange('quantity', asked, value) };
}

/** Share of an amount that is still a rounding difference. */
const ROUNDING_SHARE = 10_000n;

/**
 * Cuts a share of equity to what spot's free balance affords where it is above it by rounding only: by at most one quantity step at
 * this price (dust counts in equity and cannot be spent), or a ten-thousandth of the amount where that is more (dust of several
 * instruments). A larger excess stays, and is refused for want of balance.
 */
function clampToFree(context: DraftContext, notional: Fixed): SizedAmount {
  const { proposal, terms, rules, account, fees } = context;
  if (proposal.instrument.kind !== 'spot' || proposal.action !== 'open') {
    return { value: notional, change: undefined };
  }
  const free = account.freeBalance(proposal.instrument.quote, proposal.instrument.kind);
  const affordable = (free * FIXED_ONE) / (FIXED_ONE + feeRateOfBuy(fees));
  if (notional <= affordable || affordable < QUOTE_STEP)
    return { value: notional, change: undefined };
  const dust = ((terms.oneCosts ?? 0n) * rules.step) / FIXED_ONE;
  if (notional - affordable > maxFixed(dust, notional / ROUNDING_SHARE)) {
    return { value: notional, change: undefined };
  }
  const value = floorPositive(affordable, QUOTE_STEP);
  return {
    value,
    change: {
      kind: 'clamped',
      field: 'quantity',
      from: formatFixed(notional),
      to: formatFixed(value),
    },
  };
}

function readSize(input: DecimalInput): Amount | undefined {
  const amount = readAmount(input);
  return amount !== undefined && isPositive(amount) ? amount : undefined;
}

export function refuseSize(input: unknown, unit: string): Refusal {
  const received = describeInput(input);
  return createRefusal({
    check: 'invalid-size',
    limit: '> 0',
    actual: received,
    unit,
    text: `expected a size above 0 as decimal text such as "0.5" (${unit}), received ${received}`,
  });
}
