import type { InstrumentRules } from '../../domain/index.js';
import type { RuleChange } from '../market/listing-rules.js';
import type { FaultRule } from './fault-rule.js';

/** A fault that changes the rules of an instrument for as long as it is in force. */
export type RuleFault = Extract<FaultRule, { fault: 'untradable' | 'precision' }>;

export function isRuleFault(rule: FaultRule): rule is RuleFault {
  return rule.fault === 'untradable' || rule.fault === 'precision';
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

/** The change that restores the rules with which the instrument was listed. */
export function undoingOf(rule: RuleFault, listed: InstrumentRules): RuleChange {
  const { tradable, pricePrecision, quantityPrecision } = listed;
  return rule.fault === 'untradable' ? { tradable } : { pricePrecision, quantityPrecision };
}
