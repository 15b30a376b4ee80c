import {
  absFixed,
  divideFixed,
  FIXED_ONE,
  formatFixed,
  maxFixed,
  minFixed,
  multiplyFixed,
  type Asset,
  type Direction,
  type Fixed,
  type Instrument,
  type InstrumentId,
  type Refusal,
  type ResolvedRules,
} from '../../domain/index.js';
import type { RiskAccount } from '../account.js';
import type { CheckName } from '../check-names.js';
import { tightestMaximum } from '../maximum.js';
import { floorPositive } from '../money.js';
import { sentStep, type OrderDraft } from '../order-draft.js';
import { largestPassing } from '../passing.js';
import { advise, createRefusal } from '../refusal.js';
import type { EntryGuard } from './entry-guard.js';
import type { ProtectionView } from './protection-view.js';

/** Money an entry may use, and what is used without it. */
interface Allowance {
  readonly most: Fixed;
  readonly used: Fixed;
}

/** Compares what an entry adds with what is left of a limit in money; undefined means the limit does not concern it. */
function moneyGuard(
  name: CheckName,
  limit: string,
  allow: (draft: OrderDraft, account: RiskAccount) => Allowance | undefined,
  share: (instrument: Instrument) => Fixed = () => FIXED_ONE,
): EntryGuard {
  return {
    name,
    limit,
    check(draft, rules, account) {
      const allowance = allow(draft, account);
      if (allowance === undefined) return undefined;
      const rate = share(draft.proposal.instrument);
      const added = multiplyFixed(notionalOf(draft), rate);
      if (allowance.used + added <= allowance.most) return undefined;
      return refuse(draft, rules, { name, ...allowance, added, rate });
    },
  };
}

function refuse(
  draft: OrderDraft,
  rules: ResolvedRules,
  facts: Allowance & { readonly name: CheckName; readonly added: Fixed; readonly rate: Fixed },
): Refusal {
  const { name, most, used, added, rate } = facts;
  const room = maxFixed(most - used, 0n);
  const notional = rate === 0n ? 0n : (room * FIXED_ONE) / rate;
  const oneCosts = draft.terms.unit === 'quote' ? FIXED_ONE : (draft.terms.oneCosts ?? FIXED_ONE);
  const largest = (notional * FIXED_ONE) / oneCosts;
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
    unit: draft.proposal.instrument.quote,
    text: `${formatFixed(used)} in use and ${formatFixed(added)} more exceed ${name} of ${formatFixed(most)}${advise(wouldPass)}`,
    wouldPass,
  });
}

/** Money in an entry, at its price or last. */
function notionalOf({ terms, sent, quantity }: OrderDraft): Fixed {
  return terms.unit === 'quote' ? sent : multiplyFixed(quantity, terms.oneCosts ?? 0n);
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
  return moneyGuard('max-position-notional', `${formatFixed(most)} per position`, (draft) => ({
    most,
    used: exposureOf(draft, view)?.notional ?? 0n,
  }));
}

export function maxTotalNotional(most: Fixed, view: ProtectionView): EntryGuard {
  return moneyGuard('max-total-notional', `${formatFixed(most)} in total`, () => ({
    most,
    used: grossOf(view),
  }));
}

export function maxLeverage(ratio: Fixed, view: ProtectionView): EntryGuard {
  return moneyGuard('max-leverage', `${formatFixed(ratio)} × equity`, (_draft, account) => ({
    most: multiplyFixed(account.equity(), ratio),
    used: grossOf(view),
  }));
}

/** Futures only: spot has no margin, and a margin account borrows instead. */
export function maxMarginUse(ratio: Fixed, view: ProtectionView): EntryGuard {
  return moneyGuard(
    'max-margin-use',
    `${formatFixed(ratio)} × equity`,
    ({ proposal }, account) =>
      proposal.instrument.kind === 'futures'
        ? { most: multiplyFixed(account.equity(), ratio), used: view.usedMargin() }
        : undefined,
    (instrument) =>
      instrument.kind === 'futures' ? divideFixed(FIXED_ONE, instrument.leverage) : 0n,
  );
}

export function maxNetExposure(most: Fixed, view: ProtectionView): EntryGuard {
  return moneyGuard('max-net-exposure', `${formatFixed(most)} net`, (draft) =>
    towardNet(draft, most, netOf(view)),
  );
}

export function maxAssetExposure(
  limits: ReadonlyMap<Asset, Fixed>,
  view: ProtectionView,
): EntryGuard {
  const limit = [...limits].map(([asset, most]) => `${asset} ${formatFixed(most)}`).join(', ');
  return moneyGuard('max-asset-exposure', `${limit} net`, (draft) => {
    const { base } = draft.proposal.instrument;
    const most = limits.get(base);
    return most === undefined ? undefined : towardNet(draft, most, netOf(view, base));
  });
}

/** An entry against the net direction uses up that net first; one that only brings it nearer to 0 always passes. */
function towardNet(draft: OrderDraft, most: Fixed, net: Fixed): Allowance | undefined {
  const used = directionOf(draft) === 'long' ? net : -net;
  const after = absFixed(used + notionalOf(draft));
  return used < 0n && after <= -used ? undefined : { most, used };
}

function grossOf(view: ProtectionView): Fixed {
  return view.exposures().reduce((sum, { notional }) => sum + notional, 0n);
}

function netOf(view: ProtectionView, base?: Asset): Fixed {
  return view
    .exposures()
    .filter(({ instrument }) => base === undefined || instrument.base === base)
    .reduce(
      (sum, { direction, notional }) => sum + (direction === 'long' ? notional : -notional),
      0n,
    );
}

/** The position an entry adds to. */
export function exposureOf(
  draft: OrderDraft,
  view: ProtectionView,
): ReturnType<ProtectionView['exposures']>[number] | undefined {
  const id: InstrumentId = draft.proposal.instrument.id;
  const direction = directionOf(draft);
  return view.exposures().find((one) => one.instrument.id === id && one.direction === direction);
}
