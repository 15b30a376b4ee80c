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

/** What a portfolio goes on from. Flows and costs count anew: what it holds here is what it begins with. */
export interface AccountCheckpoint {
  readonly balances: readonly BalanceCheckpoint[];
  readonly positions: readonly PositionCheckpoint[];
  /** Interest that was charged and that no position bears yet. */
  readonly interest: readonly InterestCharge[];
  readonly prices: readonly PriceCheckpoint[];
  /** What the margin account owes. @defaultValue nothing */
  readonly debts?: readonly DebtCheckpoint[] | undefined;
}

/** Owned less owed. What working orders hold back of it follows from the orders. */
export interface BalanceCheckpoint {
  readonly account: ProductKind;
  readonly asset: Asset;
  readonly total: Fixed;
}

/**
 * One side of an instrument, dust included. A pair without an entry for its long side begins with what the balance has of its base, to
 * be valued by the `opening` event, as a bot does that has done nothing yet.
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
   * Whether it is what a long side began with that was never traded, where the balance says something else: interest on a short side is paid in what
   * the long side holds. @defaultValue it was traded, or valued
   */
  readonly isUnopened?: true | undefined;
  /** What an isolated position holds; no other has any. */
  readonly money?: IsolatedMoney | undefined;
}

/** What was known of the market, float64. */
export interface PriceCheckpoint {
  readonly instrumentId: InstrumentId;
  readonly lastNumber?: number | undefined;
  /** When the last price was learned. */
  readonly lastTime?: EpochMs | undefined;
  readonly markNumber?: number | undefined;
}

/** Balances by account, as a portfolio is opened with. */
export function balancesByAccount(balances: readonly BalanceCheckpoint[]): AccountBalances {
  const accounts: Partial<Record<ProductKind, Map<Asset, Fixed>>> = {};
  for (const { account, asset, total } of balances)
    (accounts[account] ??= new Map<Asset, Fixed>()).set(asset, total);
  return accounts;
}

/** In an order that does not depend on how they came about. */
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
  const contracts = futures.open.map(({ instrument, ledger, isIsolated, money }) => ({
    ...take(instrument, ledger),
    ...(isIsolated && { money }),
  }));
  return [...pairs, ...contracts];
}

/**
 * Brings positions back and returns the sides that are more than dust.
 *
 * @throws {DomainError} `E_CHECKPOINT` for what is held of an instrument that is not configured, or with another margin mode.
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

/** A long side that was never traded, and of which nothing else is known, began with the balance. */
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

/** What a long side has that was never traded, by what the balance has of its base: of that a short side owes its part. */
function unopenedOf(total: Fixed, { holding }: SideLedger): Fixed {
  return holding.quantity > 0n ? total + holding.quantity : total;
}

function restoreContract(
  { instrumentId, direction, money }: PositionCheckpoint,
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
  futures.restore(side, money);
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

/** Prices of instruments that are no longer configured are of no use. */
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
