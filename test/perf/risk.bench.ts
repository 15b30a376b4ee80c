/** The time of one assessment, of the common approved intents and of refused ones. The reference is the smallest possible check by hand, in floats. */
import { decimal, parseFixed } from '../../src/domain/index.js';
import {
  assess,
  createGuards,
  type GuardedPolicy,
  type OrderProposal,
  type RiskAccount,
} from '../../src/risk/index.js';
import {
  anAccount,
  aPolicy,
  aProposal,
  contractRules,
  LINEAR,
  someRules,
} from '../support/risk/builders.js';
import { anExposure, aView } from '../support/risk/protections.js';
import { measure, nanosecondsEach } from './measure.js';

const CALLS = 100_000;

const policy = aPolicy();
const guards = createGuards(
  {
    maxPositionNotional: parseFixed('5000'),
    maxTotalNotional: parseFixed('20000'),
    maxOpenOrders: 10,
    maxDailyLoss: parseFixed('200'),
    maxOrdersPerMinute: 30,
    priceBand: { last: parseFixed('0.1') },
  },
  aView({ exposures: [anExposure('1000')] }),
);
const spot = someRules({ maxLimitQuantity: '100', maxMarketMoney: '100000', maxWorkingOrders: 50 });
const contracts = contractRules({ maxLimitQuantity: '100000', maxWorkingOrders: 50 });
const flat = anAccount();
const long = anAccount({ long: '0.4995004' });
const exit = { side: 'sell', action: 'close', size: { all: true } } as const;

interface Assessment {
  readonly name: string;
  readonly proposal: OrderProposal;
  readonly account: RiskAccount;
  readonly rules: typeof spot;
  readonly policy: GuardedPolicy;
}

const cases: readonly Assessment[] = [
  {
    name: 'approved: share of equity at market',
    proposal: aProposal({ size: { equity: '0.95' } }),
  },
  { name: 'approved: notional at market', proposal: aProposal({ size: { notional: '250' } }) },
  { name: 'approved: quantity, last × 1.05', proposal: aProposal() },
  { name: 'approved: quantity at a limit', proposal: aProposal({ limitPrice: '99.5' }) },
  {
    name: 'approved: both rounded',
    proposal: aProposal({ size: { quantity: '0.123456' }, limitPrice: '99.555' }),
  },
  {
    name: 'approved: quantity and limit as Decimal',
    proposal: aProposal({ size: { quantity: decimal('0.5') }, limitPrice: decimal('99.5') }),
  },
  { name: 'approved: exit of all', proposal: aProposal(exit), account: long },
  {
    name: 'approved: futures, contracts at a limit',
    proposal: aProposal({ instrument: LINEAR, size: { quantity: '200' }, limitPrice: '99.5' }),
    rules: contracts,
  },
  {
    name: 'approved: quantity at a limit, guarded',
    proposal: aProposal({ limitPrice: '99.5' }),
    policy: { ...policy, guards },
  },
  { name: 'refused: too small', proposal: aProposal({ size: { notional: '4' } }) },
  { name: 'refused: balance', proposal: aProposal({ size: { notional: '40000' } }) },
  { name: 'refused: nothing to close', proposal: aProposal(exit) },
].map((one) => ({ account: flat, rules: spot, policy, ...one }));

const TIME = { unit: 'ns', better: 'less' } as const;
const BY_HAND = 'by hand, in floats';
let approved = 0;

await measure(
  [
    { ...TIME, name: BY_HAND, run: () => nanosecondsEach(CALLS, assessByHand) },
    ...cases.map((one) => ({
      ...TIME,
      name: one.name,
      reference: BY_HAND,
      run: () => timeOf(one),
    })),
  ],
  { rounds: 7 },
);

/** Rounds a quantity to its step and compares it with a minimum, a maximum and the available money. It counts approvals, so that nothing is optimized away. */
function assessByHand(): void {
  const quantity = Math.floor(((approved % 7) + 0.5) / 0.001) * 0.001;
  const money = quantity * 100 * 1.001;
  if (quantity <= 0 || quantity > 100 || money < 5 || money > 10_000) return;
  approved += 1;
}

/** Checks each verdict, so that nothing is optimized away. */
function timeOf({ name, proposal, account, rules, policy: choices }: Assessment): number {
  const expected = name.startsWith('approved') ? 'approved' : 'refused';
  return nanosecondsEach(CALLS, () => {
    if (assess(proposal, rules, account, choices).kind !== expected) throw new Error(name);
  });
}
