import {
  absFixed,
  divideFixed,
  formatFixed,
  maxFixed,
  minFixed,
  multiplyFixed,
  type Asset,
  type Direction,
  type Fixed,
  type Instrument,
  type InstrumentId,
  type ResolvedRules,
} from '../../domain/index.js';
import type { RiskAccount } from '../account.js';
import type { CheckName } from '../check-names.js';
import { tightestMaximum } from '../legs/maximum.js';
import { floorPositive } from '../size/money.js';
import { sentStep, type OrderDraft } from '../order-draft.js';
import { largestPassing } from '../legs/passing.js';
import { advise, createRefusal, type Refused } from '../refusal.js';
import { worthOfOrder } from '../size/worth.js';
import type { EntryGuard } from './entry-guard.js';
import type { Exposure, ProtectionView } from './protection-view.js';

/** Money that an entry may use, and money in use without it, in the equity currency. `used` is undefined if it is unknown. */
interface Allowance {
  readonly most: Fixed;
  readonly used: Fixed | undefined;
}

/** An entry with the value that it adds. */
interface Entry {
  readonly draft: OrderDraft;
  readonly account: RiskAccount;
  /** In the equity currency; 0 if the value of the order is unknown. */
  readonly added: Fixed;
}

/**
 * Compares the value that an entry adds with the rest of a limit in money. If `allow` returns undefined, the limit does not apply. `partOf`: the part of
 * its value that counts.
 */
function moneyGuard(
  name: CheckName,
  limit: string,
  allow: (entry: Entry) => Allowance | undefined,
  partOf: (worth: Fixed, instrument: Instrument) => Fixed = (worth) => worth,
): EntryGuard {
  return {
    name,
    limit,
    check(draft, rules, account) {
      const worth = worthOfOrder(draft, account);
      const added = partOf(worth ?? 0n, draft.proposal.instrument);
      const allowance = allow({ draft, account, added });
      if (allowance === undefined) return undefined;
      const { most, used } = allowance;
      if (worth === undefined || used === undefined) return refuseUnknown(name, most, account);
      if (used + added <= most) return undefined;
      return refuse(draft, rules, { name, most, used, added, unit: account.equityCurrency });
    },
  };
}

/** Refuses an entry whose limit cannot be measured. */
function refuseUnknown(name: CheckName, limit: Fixed, { equityCurrency }: RiskAccount): Refused {
  return createRefusal({
    check: name,
    limit,
    actual: 'not known',
    unit: equityCurrency,
    text: `${name} of ${formatFixed(limit)} ${equityCurrency} cannot be measured: a price in ${equityCurrency} is missing`,
  });
}

function refuse(
  draft: OrderDraft,
  rules: ResolvedRules,
  facts: {
    readonly name: CheckName;
    readonly most: Fixed;
    readonly used: Fixed;
    readonly added: Fixed;
    readonly unit: Asset;
  },
): Refused {
  const { name, most, used, added, unit } = facts;
  const room = maxFixed(most - used, 0n);
  const largest = added === 0n ? 0n : (draft.sent * room) / added;
  const within = minFixed(largest, tightestMaximum(draft.terms, rules)?.most ?? largest);
  const wouldPass = largestPassing(
    draft,
    rules,
    floorPositive(within, sentStep(draft.terms, rules)),
  );
  return createRefusal({
    check: name,
    limit: most,
    actual: used + added,
    unit,
    text: `${formatFixed(used)} in use and ${formatFixed(added)} more exceed ${name} of ${formatFixed(most)}${advise(wouldPass)}`,
    wouldPass,
  });
}

const directionOf = ({ proposal }: OrderDraft): Direction =>
  proposal.side === 'buy' ? 'long' : 'short';

export function maxOrderNotional(most: Fixed): EntryGuard {
  return moneyGuard('max-order-notional', `${formatFixed(most)} per order`, () => ({
    most,
    used: 0n,
  }));
}

export function maxPositionNotional(most: Fixed, view: ProtectionView): EntryGuard {
  return moneyGuard('max-position-notional', `${formatFixed(most)} per position`, ({ draft }) => {
    const exposure = exposureOf(draft, view);
    return { most, used: exposure === undefined ? 0n : exposure.notional };
  });
}

export function maxTotalNotional(most: Fixed, view: ProtectionView): EntryGuard {
  return moneyGuard('max-total-notional', `${formatFixed(most)} in total`, () => ({
    most,
    used: grossOf(view),
  }));
}

export function maxLeverage(ratio: Fixed, view: ProtectionView): EntryGuard {
  return moneyGuard('max-leverage', `${formatFixed(ratio)} × equity`, ({ account }) => ({
    most: multiplyFixed(account.equity(), ratio),
    used: grossOf(view),
  }));
}

/** Futures only: spot has no margin, and a margin account borrows instead. */
export function maxMarginUse(ratio: Fixed, view: ProtectionView): EntryGuard {
  return moneyGuard(
    'max-margin-use',
    `${formatFixed(ratio)} × equity`,
    ({ draft, account }) =>
      draft.proposal.instrument.kind === 'futures'
        ? { most: multiplyFixed(account.equity(), ratio), used: view.usedMargin() }
        : undefined,
    (worth, instrument) =>
      instrument.kind === 'futures' ? divideFixed(worth, instrument.leverage) : 0n,
  );
}

export function maxNetExposure(most: Fixed, view: ProtectionView): EntryGuard {
  return moneyGuard('max-net-exposure', `${formatFixed(most)} net`, (entry) =>
    towardNet(entry, most, netOf(view)),
  );
}

export function maxAssetExposure(
  limits: ReadonlyMap<Asset, Fixed>,
  view: ProtectionView,
): EntryGuard {
  const limit = [...limits].map(([asset, most]) => `${asset} ${formatFixed(most)}`).join(', ');
  return moneyGuard('max-asset-exposure', `${limit} net`, (entry) => {
    const { base } = entry.draft.proposal.instrument;
    const most = limits.get(base);
    return most === undefined ? undefined : towardNet(entry, most, netOf(view, base));
  });
}

/** An entry against the net direction first uses up that net. An entry that only brings the net nearer to 0 always passes. */
function towardNet(
  { draft, added }: Entry,
  most: Fixed,
  net: Fixed | undefined,
): Allowance | undefined {
  if (net === undefined) return { most, used: undefined };
  const used = directionOf(draft) === 'long' ? net : -net;
  return used < 0n && absFixed(used + added) <= -used ? undefined : { most, used };
}

function grossOf(view: ProtectionView): Fixed | undefined {
  return sumOf(view.exposures(), () => 1n);
}

function netOf(view: ProtectionView, base?: Asset): Fixed | undefined {
  const exposures = view.exposures();
  return sumOf(
    base === undefined ? exposures : exposures.filter(({ instrument }) => instrument.base === base),
    ({ direction }) => (direction === 'long' ? 1n : -1n),
  );
}

/** Sums up exposures; undefined if the value of one is unknown. */
function sumOf(
  exposures: readonly Exposure[],
  sign: (exposure: Exposure) => bigint,
): Fixed | undefined {
  let sum = 0n;
  for (const exposure of exposures) {
    if (exposure.notional === undefined) return undefined;
    sum += sign(exposure) * exposure.notional;
  }
  return sum;
}

/** The position that an entry adds to; undefined if there is none. */
export function exposureOf(draft: OrderDraft, view: ProtectionView): Exposure | undefined {
  const id: InstrumentId = draft.proposal.instrument.id;
  const direction = directionOf(draft);
  return view.exposures().find((one) => one.instrument.id === id && one.direction === direction);
}
