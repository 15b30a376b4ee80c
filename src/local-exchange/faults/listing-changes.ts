import type { InstrumentRules } from '../../domain/index.js';
import type { RuleChange } from '../market/listing-rules.js';
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
export function changeOf(rule: RuleFault): RuleChange {
  if (rule.fault === 'untradable') return { tradable: false };
  const { pricePrecision, quantityPrecision } = rule;
  return {
    ...(pricePrecision === undefined ? {} : { pricePrecision }),
    ...(quantityPrecision === undefined ? {} : { quantityPrecision }),
  };
}

/** The change that restores the rules with which the instrument was listed, as far as no fault that is left changes them. */
export function undoingOf(
  rule: RuleFault,
  listed: InstrumentRules,
  left: readonly RuleFault[],
): RuleChange {
  const { tradable, pricePrecision, quantityPrecision } = listed;
  return left
    .filter(({ instrument }) => instrument === rule.instrument)
    .reduce<RuleChange>(
      (change, other) => ({ ...change, ...changeOf(other) }),
      rule.fault === 'untradable' ? { tradable } : { pricePrecision, quantityPrecision },
    );
}
