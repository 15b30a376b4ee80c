import {
  amountText,
  ceilToStep,
  dearestRate,
  divideCeil,
  FIXED_ONE,
  formatFixed,
  maxFixed,
  minFixed,
  type Fixed,
} from '../domain/index.js';
import type { RiskAccount } from './account.js';
import { quantityChange } from './size/changes.js';
import { settleDust } from './legs/dust.js';
import { floorPositive, quantityForMoney, quantityUnitName } from './size/money.js';
import { collectChanges, type OrderDraft } from './order-draft.js';
import type { RiskPolicy } from './policy.js';
import { createRefusal, type Refused } from './refusal.js';
import { readMoney, readQuantity, type SizedAmount } from './size/sizing.js';
import { readSharedQuantity } from './size/share.js';
import { costOfOne, refuseWithoutPrice, type OrderTerms } from './terms.js';

/**
 * Sizes an order that reduces a position. It takes at most the part that no other exit works on, so that several exits together never flip the
 * position. If the dust policy is `sweep`, it also takes a remainder that could not be sold alone.
 */
export function draftExit(
  terms: OrderTerms,
  account: RiskAccount,
  policy: RiskPolicy,
): OrderDraft | Refused {
  const { proposal, rules } = terms;
  const free = unclaimed(terms, account, policy);
  const closable = floorPositive(maxFixed(free, 0n), rules.step);
  if (closable === 0n) return refuseNothing(terms, account, free);
  const asked = readExitSize(terms, closable, { account, policy });
  if ('check' in asked) return asked;
  const within = minFixed(asked.value, closable);
  const clamp =
    within < asked.value ? quantityChange('clamped', asked.value, formatFixed(within)) : undefined;
  const dust = settleDust(terms, policy, { quantity: within, closable });
  const quantity = dust?.kind === 'swept' ? closable : within;
  return {
    proposal,
    terms,
    sent: quantity,
    quantity,
    closable,
    changes: collectChanges(terms.change, asked.change, clamp, dust),
    needed: 0n,
  };
}

/** The part of the position that no working exit claims. On spot also at most the free balance, because other orders may hold the base. */
function unclaimed(terms: OrderTerms, account: RiskAccount, policy: RiskPolicy): Fixed {
  const { instrument, side } = terms.proposal;
  const direction = side === 'sell' ? 'long' : 'short';
  const rest = toClose(terms, account, policy) - account.closing(instrument.id, direction);
  if (instrument.kind !== 'spot' || direction === 'short') return rest;
  return minFixed(rest, account.freeBalance(instrument.base, instrument.kind));
}

/**
 * The quantity that ends the position: all of it. If fees are taken from the bought base, a loan of base needs the fee on top, rounded up to the
 * step. Otherwise it would never be repaid.
 */
function toClose({ proposal, rules }: OrderTerms, account: RiskAccount, policy: RiskPolicy): Fixed {
  const { instrument, side } = proposal;
  const direction = side === 'sell' ? 'long' : 'short';
  const held = account.held(instrument.id, direction);
  const isLoan = instrument.kind === 'margin' && direction === 'short' && held >= rules.step;
  if (isLoan) {
    const fees = policy.fees(instrument.id, account.now);
    if (fees.paidIn === 'received') {
      const received = FIXED_ONE - dearestRate(fees);
      return ceilToStep(divideCeil(held * FIXED_ONE, received), rules.step);
    }
  }
  return held;
}

function readExitSize(
  terms: OrderTerms,
  closable: Fixed,
  by: { readonly account: RiskAccount; readonly policy: RiskPolicy },
): SizedAmount | Refused {
  const { proposal, rules } = terms;
  const { size } = proposal;
  if ('all' in size) return { value: closable, change: undefined };
  if ('quantity' in size) return readQuantity(terms, size.quantity);
  if ('share' in size)
    return readSharedQuantity(terms, size.share, toClose(terms, by.account, by.policy));
  const oneCosts = costOfOne(terms);
  if (oneCosts === undefined) return refuseWithoutPrice(proposal);
  const money = readMoney(terms, size, by);
  if ('check' in money) return money;
  return { value: quantityForMoney(money.value, oneCosts, rules), change: money.change };
}

function refuseNothing(
  { proposal, rules }: OrderTerms,
  account: RiskAccount,
  free: Fixed,
): Refused {
  const { instrument, side } = proposal;
  const direction = side === 'sell' ? 'long' : 'short';
  const unit = quantityUnitName(instrument);
  const held = account.held(instrument.id, direction);
  const working = account.closing(instrument.id, direction);
  const detail =
    held > 0n && held < rules.step
      ? `, less than one step of ${amountText(rules.step, unit)}: the position counts as flat`
      : working > 0n
        ? `, of which ${formatFixed(working)} are in working exits`
        : held > 0n
          ? `, of which ${formatFixed(maxFixed(free, 0n))} are free`
          : '';
  return createRefusal({
    check: 'nothing-to-close',
    limit: maxFixed(free, 0n),
    actual: 'all' in proposal.size ? 'all' : 'close',
    unit,
    text: `nothing to close: holds ${amountText(held, unit)} ${direction}${detail}`,
  });
}
