import type { ResolvedRules, TimeInForce } from '../domain/index.js';
import type { RiskAccount } from './account.js';
import type { OrderProposal } from './proposal.js';
import { createRefusal, describeInput, type Refused } from './refusal.js';

/** Checks the intent itself, before any calculation; undefined if nothing is refused. */
export function refuseAdmission(
  proposal: OrderProposal,
  rules: ResolvedRules,
  account: RiskAccount,
): Refused | undefined {
  const { instrument, side, action, timeInForce } = proposal;
  if (!rules.tradable) return refuseUntradable(proposal);
  if (instrument.kind === 'spot' && side === 'sell' && action === 'open')
    return refuseSpotShort(proposal, account);
  // Plugins may be plain JavaScript.
  const size: unknown = proposal.size;
  if (typeof size !== 'object' || size === null) return refuseSize(size);
  return timeInForce === undefined || timeInForce === 'GTC'
    ? undefined
    : refuseTimeInForce(proposal, timeInForce);
}

function refuseUntradable({ instrument }: OrderProposal): Refused {
  return createRefusal({
    check: 'not-tradable',
    limit: 'tradable',
    actual: 'not tradable',
    unit: 'status',
    text: `${instrument.id} cannot be traded at the moment: the venue has it switched off`,
  });
}

function refuseSpotShort({ instrument }: OrderProposal, account: RiskAccount): Refused {
  return createRefusal({
    check: 'spot-short',
    limit: account.held(instrument.id, 'long'),
    actual: 'sell to open',
    unit: instrument.base,
    text: 'spot cannot be sold short; use margin or futures',
  });
}

function refuseSize(given: unknown): Refused {
  return createRefusal({
    check: 'invalid-size',
    limit: '{ quantity }, { notional }, { equity } or { risk }',
    actual: describeInput(given),
    unit: 'size',
    text: `expected a size such as { quantity: "0.5" }, received ${describeInput(given)}`,
  });
}

/** Refuses a time in force that the product does not know, or that needs a limit price. */
function refuseTimeInForce(
  { instrument, limitPrice, action, size }: OrderProposal,
  asked: TimeInForce,
): Refused | undefined {
  if (instrument.kind !== 'futures') {
    return refuseTime(
      asked,
      'GTC',
      `${instrument.kind} orders know no time in force: leave ${asked} out`,
    );
  }
  if (limitPrice !== undefined || asked === 'IOC') return undefined;
  if (asked === 'FOK' && action === 'open' && 'quantity' in size) return undefined;
  return refuseTime(
    asked,
    'IOC',
    `${asked} needs a limit price: without one the order takes what there is`,
  );
}

function refuseTime(actual: string, limit: string, text: string): Refused {
  return createRefusal({ check: 'time-in-force', limit, actual, unit: 'time in force', text });
}
