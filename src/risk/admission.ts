import type { ResolvedRules } from '../domain/index.js';
import type { RiskAccount } from './account.js';
import type { CheckName } from './check-names.js';
import type { OrderProposal } from './proposal.js';
import { createRefusal, describeInput, type Refused } from './refusal.js';

/** A named check of the intent itself, before any calculation. */
export interface AdmissionCheck {
  readonly name: CheckName;
  check(proposal: OrderProposal, rules: ResolvedRules, account: RiskAccount): Refused | undefined;
}

const tradable: AdmissionCheck = {
  name: 'not-tradable',
  check({ instrument }, rules) {
    if (rules.tradable) return undefined;
    return createRefusal({
      check: this.name,
      limit: 'tradable',
      actual: 'not tradable',
      unit: 'status',
      text: `${instrument.id} cannot be traded at the moment: the venue has it switched off`,
    });
  },
};

const spotShort: AdmissionCheck = {
  name: 'spot-short',
  check({ instrument, side, action }, _rules, account) {
    if (instrument.kind !== 'spot' || side !== 'sell' || action !== 'open') return undefined;
    return createRefusal({
      check: this.name,
      limit: account.held(instrument.id, 'long'),
      actual: 'sell to open',
      unit: instrument.base,
      text: 'spot cannot be sold short; use margin or futures',
    });
  },
};

const timeInForce: AdmissionCheck = {
  name: 'time-in-force',
  check(proposal) {
    const { instrument, timeInForce: asked, limitPrice } = proposal;
    if (asked === undefined || asked === 'GTC') return undefined;
    if (instrument.kind !== 'futures') {
      return refuseTime(
        asked,
        'GTC',
        `${instrument.kind} orders know no time in force: leave ${asked} out`,
      );
    }
    if (limitPrice !== undefined || asked === 'IOC') return undefined;
    if (asked === 'FOK' && proposal.action === 'open' && 'quantity' in proposal.size)
      return undefined;
    return refuseTime(
      asked,
      'IOC',
      `${asked} needs a limit price: without one the order takes what there is`,
    );
  },
};

function refuseTime(actual: string, limit: string, text: string): Refused {
  return createRefusal({ check: timeInForce.name, limit, actual, unit: 'time in force', text });
}

const sizeGiven: AdmissionCheck = {
  name: 'invalid-size',
  check({ size }) {
    // Plugins may be plain JavaScript.
    const given: unknown = size;
    if (typeof given === 'object' && given !== null) return undefined;
    return createRefusal({
      check: this.name,
      limit: '{ quantity }, { notional }, { equity } or { risk }',
      actual: describeInput(given),
      unit: 'size',
      text: `expected a size such as { quantity: "0.5" }, received ${describeInput(given)}`,
    });
  },
};

/** Runs the checks in order; undefined if none refuses. Written out, because a loop over a list would look up each check by its name. */
export function refuseAdmission(
  proposal: OrderProposal,
  rules: ResolvedRules,
  account: RiskAccount,
): Refused | undefined {
  return (
    tradable.check(proposal, rules, account) ??
    spotShort.check(proposal, rules, account) ??
    sizeGiven.check(proposal, rules, account) ??
    timeInForce.check(proposal, rules, account)
  );
}
