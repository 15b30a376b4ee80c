import {
  DomainError,
  type AccountBalances,
  type Asset,
  type Direction,
  type EpochMs,
  type Fixed,
  type Instrument,
  type InstrumentId,
  type IsolatedMoney,
  type ProductKind,
} from '../../domain/index.js';
import type { DebtCheckpoint } from './debt-book.js';
import type { InterestCharge } from './financing.js';
import type { CashBook } from './cash-book.js';
import type { FuturesBook } from './futures-book.js';
import type { InstrumentAccount } from './instrument-account.js';
import type { SideLedger } from './side-ledger.js';

/** State that a portfolio continues from. Flows and costs start at 0 again: the positions here become the initial holdings. */
export interface AccountCheckpoint {
  readonly balances: readonly BalanceCheckpoint[];
  readonly positions: readonly PositionCheckpoint[];
  /** Charged interest that no position bears yet. */
  readonly interest: readonly InterestCharge[];
  readonly prices: readonly PriceCheckpoint[];
  /** Debts of the margin account. @defaultValue nothing */
  readonly debts?: readonly DebtCheckpoint[] | undefined;
}

/** Owned less owed. The locked part is not stored, because it follows from the working orders. */
export interface BalanceCheckpoint {
  readonly account: ProductKind;
  readonly asset: Asset;
  readonly total: Fixed;
}

/**
 * One side of an instrument, dust included. If a pair has no entry for its long side, that side starts with the balance of the base.
 * The `opening` event then values it, as for a new bot.
 */
export interface PositionCheckpoint {
  readonly instrumentId: InstrumentId;
  readonly direction: Direction;
  /** Base or contracts. */
  readonly quantity: Fixed;
  /** In quote, of inverse contracts in base. */
  readonly entryValue: Fixed;
  /** Whether it is more than dust. */
  readonly isHeld: boolean;
  /**
   * Set for a long side that still has its initial quantity, never traded or valued, if that differs from the balance: interest on a short side
   * is paid in the same asset. @defaultValue it was traded, or valued
   */
  readonly isUnopened?: true | undefined;
  /** Money of an isolated position; undefined for all others. */
  readonly money?: IsolatedMoney | undefined;
  /** When an isolated position was opened. @defaultValue before all funding that is still to be learned of */
  readonly openedTime?: EpochMs | undefined;
}

/** Last known prices of an instrument, float64. */
interface PriceCheckpoint {
  readonly instrumentId: InstrumentId;
  readonly lastNumber?: number | undefined;
  /** When the engine learned the last price. */
  readonly lastTime?: EpochMs | undefined;
  readonly markNumber?: number | undefined;
}

/** Balances by account, in the form that opens a portfolio. */
export function balancesByAccount(balances: readonly BalanceCheckpoint[]): AccountBalances {
  const accounts: Partial<Record<ProductKind, Map<Asset, Fixed>>> = {};
  for (const { account, asset, total } of balances)
    (accounts[account] ??= new Map<Asset, Fixed>()).set(asset, total);
  return accounts;
}

/** Balances other than 0, sorted so that their order does not depend on the history. */
export function takeBalances(cash: CashBook): readonly BalanceCheckpoint[] {
  return cash.list
    .filter(({ total }) => total !== 0n)
    .map(({ kind, asset, total }) => ({ account: kind, asset, total }))
    .toSorted((one, other) =>
      `${one.account} ${one.asset}` < `${other.account} ${other.asset}` ? -1 : 1,
    );
}

/** Pairs in the order of the config, then contracts in the order in which they were opened. */
export function takePositions(
  accounts: Iterable<InstrumentAccount>,
  futures: FuturesBook,
  cash: CashBook,
): readonly PositionCheckpoint[] {
  const take = (
    { id }: Instrument,
    { direction, holding, isExposed }: SideLedger,
  ): PositionCheckpoint => ({ instrumentId: id, direction, ...holding, isHeld: isExposed });
  const pairs = [...accounts].flatMap(({ instrument, long, short }) => {
    if (instrument.kind === 'futures') return [];
    const total = cash.find(instrument.kind, instrument.base)?.total ?? 0n;
    const isAsInBalance = long.holding.quantity === unopenedOf(total, short);
    return [
      ...(long.isUnopened && isAsInBalance
        ? []
        : [{ ...take(instrument, long), ...(long.isUnopened && { isUnopened: true as const }) }]),
      ...(short.holding.quantity === 0n ? [] : [take(instrument, short)]),
    ];
  });
  const contracts = futures.open.map(({ instrument, ledger, isIsolated, money, openedTime }) => ({
    ...take(instrument, ledger),
    ...(isIsolated && { money }),
    ...(isIsolated && Number.isFinite(openedTime) && { openedTime }),
  }));
  return [...pairs, ...contracts];
}

/**
 * Restores positions and returns the sides that hold more than dust.
 *
 * @throws {DomainError} `E_CHECKPOINT` for a position in an instrument that is not configured, or that has another margin mode now.
 */
export function restorePositions(
  positions: readonly PositionCheckpoint[],
  accounts: ReadonlyMap<InstrumentId, InstrumentAccount>,
  futures: FuturesBook,
): readonly SideLedger[] {
  return positions.flatMap((position) => {
    const { instrumentId, direction, quantity, entryValue, isHeld, isUnopened } = position;
    const account = accounts.get(instrumentId);
    if (account === undefined) {
      if (quantity === 0n) return [];
      throw new DomainError(
        'E_CHECKPOINT',
        `a position is carried over, but ${instrumentId} is not among the instruments ${[...accounts.keys()].join(', ')}`,
      );
    }
    if (isUnopened === true) account[direction].holding = { quantity, entryValue };
    else account[direction].begin({ quantity, entryValue });
    if (account.instrument.kind === 'futures') restoreContract(position, futures);
    return isHeld ? [account[direction]] : [];
  });
}

/** Gives long sides that were never traded and have no entry in `positions` their part of the balance. */
export function restoreUnopened(
  accounts: Iterable<InstrumentAccount>,
  positions: readonly PositionCheckpoint[],
): void {
  const known = new Set(
    positions.flatMap(({ instrumentId, direction }) =>
      direction === 'long' ? [instrumentId] : [],
    ),
  );
  for (const { instrument, long, short } of accounts)
    if (long.isUnopened && !known.has(instrument.id))
      long.holding = { ...long.holding, quantity: unopenedOf(long.holding.quantity, short) };
}

/** Quantity of a long side that was never traded: the balance of the base, plus the part of it that the short side owes. */
function unopenedOf(total: Fixed, { holding }: SideLedger): Fixed {
  return holding.quantity > 0n ? total + holding.quantity : total;
}

function restoreContract(
  { instrumentId, direction, money, openedTime }: PositionCheckpoint,
  futures: FuturesBook,
): void {
  const side = futures.side(instrumentId, direction);
  if (side.isIsolated !== (money !== undefined)) {
    const [mode, other] = side.isIsolated ? ['cross', 'isolated'] : ['isolated', 'cross'];
    throw new DomainError(
      'E_CHECKPOINT',
      `expected marginMode ${mode} of ${instrumentId}, as its position is carried over, received ${other}`,
    );
  }
  futures.restore(side, money, openedTime);
}

export function takePrices(accounts: Iterable<InstrumentAccount>): readonly PriceCheckpoint[] {
  return [...accounts]
    .filter(({ lastNumber, markNumber }) => !Number.isNaN(lastNumber) || !Number.isNaN(markNumber))
    .map(({ instrument, lastNumber, lastTime, markNumber }) => ({
      instrumentId: instrument.id,
      ...(!Number.isNaN(lastNumber) && { lastNumber }),
      ...(!Number.isNaN(lastTime) && { lastTime }),
      ...(!Number.isNaN(markNumber) && { markNumber }),
    }));
}

/** Ignores prices of instruments that are no longer configured. */
export function restorePrices(
  prices: readonly PriceCheckpoint[],
  accounts: ReadonlyMap<InstrumentId, InstrumentAccount>,
): void {
  for (const { instrumentId, lastNumber, lastTime, markNumber } of prices) {
    const account = accounts.get(instrumentId);
    if (account === undefined) continue;
    account.lastNumber = lastNumber ?? Number.NaN;
    account.lastTime = lastTime ?? Number.NaN;
    account.markNumber = markNumber ?? Number.NaN;
  }
}
