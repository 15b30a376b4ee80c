import type { RulePatch } from '../market/listing-rules.js';
import type { FaultRule } from './fault-rule.js';

/** A fault that changes the rules of an instrument for as long as it is in force. */
export type RuleFault = Extract<FaultRule, { fault: 'untradable' | 'precision' }>;

export function isRuleFault(rule: FaultRule): rule is RuleFault {
  return rule.fault === 'untradable' || rule.fault === 'precision';
}

/** The faults that change rules, in the order in which they were added. */
export function ruleFaultsAmong(
  faults: readonly { readonly rule: FaultRule }[],
): readonly RuleFault[] {
  return faults.flatMap(({ rule }) => (isRuleFault(rule) ? [rule] : []));
}

/** The change that the fault makes to the rules. */
export function changeOf(rule: RuleFault): RulePatch {
  if (rule.fault === 'untradable') return { tradable: false };
  const { pricePrecision, quantityPrecision } = rule;
  return {
    ...(pricePrecision === undefined ? {} : { pricePrecision }),
    ...(quantityPrecision === undefined ? {} : { quantityPrecision }),
  };
}

/** The change that all these faults together make to the rules of an instrument. */
export function changesTo(instrument: string, faults: readonly RuleFault[]): RulePatch {
  return faults
    .filter((fault) => fault.instrument === instrument)
    .reduce<RulePatch>((change, fault) => ({ ...change, ...changeOf(fault) }), {});
}
