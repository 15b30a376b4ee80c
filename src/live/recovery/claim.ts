import {
  contractValue,
  divideFixed,
  NO_ISOLATED_MONEY,
  shareFixed,
  type Fixed,
  type FuturesInstrument,
  type IsolatedMoney,
} from '../../domain/index.js';
import type { AccountSnapshot, VenuePosition } from '../../venue/index.js';
import {
  type EngineCheckpoint,
  type ClaimedSide,
  type EngineOptions,
  type BalanceCheckpoint,
  type PositionCheckpoint,
  claimOrders,
} from '../../engine/index.js';
import type { Disagreement } from './disagreements.js';

type OfPosition = Extract<Disagreement, { readonly direction: unknown }>;
type OfBalance = Extract<Disagreement, { readonly kind: 'balance-short' }>;

/** Disagreements whose state at the venue becomes the bot's. */
export interface ClaimedState {
  readonly found: readonly Disagreement[];
  /** The venue's accounts. */
  readonly accounts: readonly AccountSnapshot[];
}

/**
 * Adds claimed state to an engine's checkpoint: orders with their remaining quantity, and positions as the venue shows them, at its entry prices,
 * with the margin of isolated ones. A short balance is reduced to the amount that can be there. `claimed` has the positions, with the funding that those of
 * others had paid: it is not the bot's.
 */
export function claimInto(
  options: EngineOptions,
  ending: EngineCheckpoint,
  { found, accounts }: ClaimedState,
): EngineCheckpoint {
  let owned = ending;
  for (const each of found) {
    if ('direction' in each) owned = claimPosition(owned, each, { options, accounts });
    else if (each.kind === 'balance-short') owned = claimBalance(owned, each, options);
  }
  const orders = found.flatMap((each) =>
    each.kind === 'order-unknown-foreign' ? [each.state] : [],
  );
  const { claimed = [] } = owned;
  return { ...claimOrders(options, owned, orders), ...(claimed.length > 0 && { claimed }) };
}

function claimPosition(
  owned: EngineCheckpoint,
  { instrumentId, direction, actual }: OfPosition,
  {
    options,
    accounts,
  }: { readonly options: EngineOptions; readonly accounts: ClaimedState['accounts'] },
): EngineCheckpoint {
  const isSide = (one: { readonly instrumentId: string; readonly direction: string }): boolean =>
    one.instrumentId === instrumentId && one.direction === direction;
  const instrument = options.instruments
    .map((each) => each.instrument)
    .find((each): each is FuturesInstrument => each.id === instrumentId && each.kind === 'futures');
  if (instrument === undefined) return owned;
  const before = owned.positions.find(isSide);
  const shown = positionsOf(accounts).find((each) => isSide(each) && each.isValid);
  const position = actual === 0n ? undefined : takeOver(instrument, { shown, before, actual });
  const brought = moneyIn(position) - moneyIn(before);
  const claimed: ClaimedSide = {
    ...{ kind: 'claimed', instrumentId, direction, quantity: actual },
    ...(before === undefined && { funding: shown?.fundingFee ?? 0n }),
  };
  return {
    ...owned,
    claimed: [...(owned.claimed ?? []), claimed],
    positions: [
      ...owned.positions.filter((one) => !isSide(one)),
      ...(position === undefined ? [] : [{ ...position, instrumentId, direction }]),
    ],
    // The margin inside a position is added or removed with it.
    balances: addTo(owned.balances, {
      account: 'futures',
      asset: instrument.marginAsset,
      total: brought,
    }),
    // Without the position, its guard and its waiting intents are useless.
    sides: position === undefined ? owned.sides.filter((one) => !isSide(one)) : owned.sides,
  };
}

function takeOver(
  instrument: FuturesInstrument,
  {
    shown,
    before,
    actual,
  }: {
    readonly shown: VenuePosition | undefined;
    readonly before: PositionCheckpoint | undefined;
    readonly actual: Fixed;
  },
): Omit<PositionCheckpoint, 'instrumentId' | 'direction'> {
  const price = shown?.averagePrice ?? shown?.openPrice;
  const entryValue =
    price === undefined
      ? shareFixed(before?.entryValue ?? 0n, actual, before?.quantity ?? actual)
      : contractValue(instrument, actual, price);
  return {
    quantity: actual,
    entryValue,
    isHeld: true,
    ...(instrument.marginMode === 'isolated' && {
      money: moneyShown(shown, divideFixed(entryValue, instrument.leverage)),
    }),
  };
}

/** The money of an isolated position. The venue shows it without what the position has realized: `holdAmount` and `realizedAmount` together are all of it. */
function moneyShown(shown: VenuePosition | undefined, margin: Fixed): IsolatedMoney {
  if (shown === undefined) return NO_ISOLATED_MONEY;
  return { margin, kept: shown.margin + shown.realizedProfit - margin };
}

function claimBalance(
  owned: EngineCheckpoint,
  { account, asset, believed, actual }: OfBalance,
  options: EngineOptions,
): EngineCheckpoint {
  const balances = addTo(owned.balances, { account, asset, total: actual - believed });
  const total = balances.find((one) => one.account === account && one.asset === asset)?.total ?? 0n;
  let left = total > 0n ? total : 0n;
  const holds = new Set<string>(
    options.instruments.flatMap(({ instrument: { id, kind, base } }) =>
      kind === account && base === asset && kind === 'spot' ? [id] : [],
    ),
  );
  // Positions of pairs are part of the balance of their base. The first ones keep the available quantity.
  const positions = owned.positions.map((position) => {
    if (!holds.has(position.instrumentId)) return position;
    const quantity = position.quantity < left ? position.quantity : left;
    left -= quantity;
    if (quantity === position.quantity) return position;
    const entryValue = shareFixed(position.entryValue, quantity, position.quantity);
    return { ...position, quantity, entryValue, isHeld: position.isHeld && quantity > 0n };
  });
  return { ...owned, balances, positions };
}

function addTo(
  balances: readonly BalanceCheckpoint[],
  { account, asset, total }: BalanceCheckpoint,
): readonly BalanceCheckpoint[] {
  if (total === 0n) return balances;
  const isSame = (one: BalanceCheckpoint): boolean =>
    one.account === account && one.asset === asset;
  const before = balances.find(isSame)?.total ?? 0n;
  return [...balances.filter((one) => !isSame(one)), { account, asset, total: before + total }];
}

function moneyIn(position: Pick<PositionCheckpoint, 'money'> | undefined): Fixed {
  return (position?.money?.margin ?? 0n) + (position?.money?.kept ?? 0n);
}

function positionsOf(accounts: readonly AccountSnapshot[]): readonly VenuePosition[] {
  return accounts.flatMap((snapshot) =>
    snapshot.kind === 'futures' ? snapshot.accounts.flatMap(({ positions }) => positions) : [],
  );
}
