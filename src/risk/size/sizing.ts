import {
  dearestRate,
  feeRateOfBuy,
  FIXED_DECIMALS,
  FIXED_ONE,
  formatFixed,
  maxFixed,
  type DecimalInput,
  type FeeRates,
  type Fixed,
  type RiskChange,
  type Size,
} from '../../domain/index.js';
import type { RiskAccount } from '../account.js';
import { floorAmount, isPositive, readAmount, type Amount } from './amount.js';
import { roundingChange } from './changes.js';
import { floorPositive, quantityUnitName, QUOTE_DECIMALS, QUOTE_STEP } from './money.js';
import type { RiskPolicy } from '../policy.js';
import { createRefusal, describeInput, type Refused } from '../refusal.js';
import { costOfOne, type OrderTerms } from '../terms.js';
import { fromEquityCurrency, refuseWithoutWorth } from './worth.js';

/** A size as a number on its grid, with the change that led to it. */
export interface SizedAmount {
  readonly value: Fixed;
  readonly change: RiskChange | undefined;
}

/** The requested quantity, rounded down to the step (0 if it is less than one step). */
export function readQuantity(
  { proposal, rules }: OrderTerms,
  input: DecimalInput,
): SizedAmount | Refused {
  const asked = readSize(input);
  if (asked === undefined) return refuseSize(input, quantityUnitName(proposal.instrument));
  const value = floorAmount(asked, rules.quantityPrecision, rules.step);
  return { value, change: roundingChange('quantity', asked, value) };
}

/** The requested quote amount: the notional, or the share of equity minus its costs, rounded down to the quote step. */
export function readMoney(
  terms: OrderTerms,
  size: Size,
  { account, policy }: { readonly account: RiskAccount; readonly policy: RiskPolicy },
): SizedAmount | Refused {
  if ('notional' in size) return readNotional(terms, size.notional);
  const { proposal } = terms;
  const input = 'equity' in size ? size.equity : undefined;
  const fraction = input === undefined ? undefined : readSize(input);
  if (fraction === undefined) return refuseSize(input, 'fraction of equity');
  const share = floorAmount(fraction, FIXED_DECIMALS, 1n);
  const fees = policy.fees(proposal.instrument.id, account.now);
  const isFutures = proposal.instrument.kind === 'futures';
  const feeRate = isFutures ? dearestRate(fees) : feeRateOfBuy(fees);
  const reserve = isFutures ? (policy.costReserve ?? 0n) : 0n;
  const { quote } = proposal.instrument;
  const equity = fromEquityCurrency(account, quote, maxFixed(account.equity(), 0n));
  if (equity === undefined) return refuseWithoutWorth(quote, account);
  const notional = (equity * share) / (FIXED_ONE + feeRate + reserve);
  return clampToFree(terms, floorPositive(notional, QUOTE_STEP), { account, fees });
}

function readNotional({ proposal }: OrderTerms, input: DecimalInput): SizedAmount | Refused {
  const asked = readSize(input);
  if (asked === undefined) return refuseSize(input, proposal.instrument.quote);
  const value = floorAmount(asked, QUOTE_DECIMALS, QUOTE_STEP);
  return { value, change: roundingChange('quantity', asked, value) };
}

/** One part in this number of an amount still counts as a rounding difference. */
const ROUNDING_SHARE = 10_000n;

/**
 * Cuts a share of equity to the amount that spot's free balance affords, if it exceeds that by rounding only: by at most one quantity step at this
 * price (dust counts in equity and cannot be spent), or by a ten-thousandth of the amount if that is more (dust of several instruments). A larger
 * excess stays, and the balance check refuses it.
 */
function clampToFree(
  terms: OrderTerms,
  notional: Fixed,
  { account, fees }: { readonly account: RiskAccount; readonly fees: FeeRates },
): SizedAmount {
  const { proposal, rules } = terms;
  if (proposal.instrument.kind !== 'spot' || proposal.action !== 'open') {
    return { value: notional, change: undefined };
  }
  const free = account.freeBalance(proposal.instrument.quote, proposal.instrument.kind);
  const affordable = (free * FIXED_ONE) / (FIXED_ONE + feeRateOfBuy(fees));
  if (notional <= affordable || affordable < QUOTE_STEP)
    return { value: notional, change: undefined };
  const dust = ((costOfOne(terms) ?? 0n) * rules.step) / FIXED_ONE;
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

export function refuseSize(input: unknown, unit: string): Refused {
  const received = describeInput(input);
  return createRefusal({
    check: 'invalid-size',
    limit: '> 0',
    actual: received,
    unit,
    text: `expected a size above 0 as decimal text such as "0.5" (${unit}), received ${received}`,
  });
}
