import {
  Balance,
  type EpochMs,
  type Instrument,
  type InstrumentId,
  type RuleBook,
  type VenueOrderId,
} from '../../domain/index.js';
import type { AccountSnapshot, AccountSource, VenueOrder } from '../../venue/index.js';
import type { Engine, OrderHistory } from '../../engine/index.js';
import type { MarketSession } from '../session/market-session.js';
import { believe } from './belief.js';
import type { Disagreement } from './disagreements.js';
import { reconcile } from './reconcile.js';

export interface CompareVenueOptions {
  readonly engine: Engine;
  readonly session: Pick<MarketSession, 'orders' | 'commands' | 'readAccount'> &
    Partial<Pick<MarketSession, 'margins'>>;
  readonly source: AccountSource;
  readonly instruments: readonly Instrument[];
  readonly rules: RuleBook;
  readonly now: () => EpochMs;
  readonly signal: AbortSignal;
  /** Whether an instrument is gone from the venue. @defaultValue all are there */
  readonly isGone?: ((instrumentId: InstrumentId) => boolean) | undefined;
  /** Orders of earlier epochs, which also belong to the bot. @defaultValue there were none */
  readonly history?: Pick<OrderHistory, 'orders'> | undefined;
}

/**
 * Reads orders, executions and accounts, reports news of own orders to the engine, and compares its books with the venue. Returns the disagreements.
 *
 * @throws errors of the source: without a reading nothing can be compared.
 */
export async function compareVenue(options: CompareVenueOptions): Promise<readonly Disagreement[]> {
  const { engine, session, source, instruments, rules, signal } = options;
  await session.readAccount();
  const openOrders = new Map<InstrumentId, readonly VenueOrder[]>();
  for (const { id } of instruments)
    if (options.isGone?.(id) !== true) openOrders.set(id, await source.openOrders(id, { signal }));
  const accounts = await readAccounts(instruments, source, signal);
  session.margins?.take(accounts);
  const known = new Set<VenueOrderId>();
  for (const { venueOrderId } of [
    ...(options.history?.orders ?? []),
    ...engine.orders,
    ...session.orders.list(),
  ])
    if (venueOrderId) known.add(venueOrderId);
  const now = options.now();
  const inFlight = session.commands.underWay > 0 ? engine.workingOrders : [];
  return reconcile(
    {
      ...believe({ orders: engine.workingOrders, portfolio: engine.portfolio }, { rules, now }),
      unread: unreadOf(options),
      isKnown: (id) => known.has(id),
      inFlight: new Set(inFlight.map(({ request }) => request.clientOrderId)),
    },
    { time: now, openOrders, orders: new Map(), accounts },
  );
}

/**
 * Compares positions of contracts and balances of the spot account with what the venue shows, in one or two calls. Orders and executions
 * are polled anyway, and balances of futures move with the mark.
 *
 * @throws errors of the source.
 */
export async function compareHoldings({
  engine,
  session,
  source,
  instruments,
  rules,
  now,
  signal,
  isGone,
}: Omit<CompareVenueOptions, 'history'>): Promise<readonly Disagreement[]> {
  const accounts = await readAccounts(instruments, source, signal);
  session.margins?.take(accounts);
  const time = now();
  const orders = engine.workingOrders;
  const belief = believe({ orders, portfolio: engine.portfolio }, { rules, now: time });
  const inFlight = session.commands.underWay > 0 ? orders : [];
  return reconcile(
    {
      ...belief,
      balances: belief.balances.filter(({ account }) => account === 'spot'),
      unread: unreadOf({ engine, instruments, isGone }),
      isKnown: () => true,
      inFlight: new Set(inFlight.map(({ request }) => request.clientOrderId)),
    },
    {
      time,
      openOrders: new Map(),
      orders: new Map(),
      accounts: accounts.map(unlocked),
    },
  );
}

/** Gone instruments of which the bot has a position or an order. */
function unreadOf({
  engine,
  instruments,
  isGone = () => false,
}: Pick<CompareVenueOptions, 'engine' | 'instruments' | 'isGone'>): readonly InstrumentId[] {
  const { portfolio, workingOrders } = engine;
  const isOf = (id: InstrumentId): boolean => {
    const { long, short } = portfolio.instrument(id);
    return (
      [long, short].some(({ holding }) => holding.quantity > 0n) ||
      workingOrders.some(({ request }) => request.instrumentId === id)
    );
  };
  return instruments.map(({ id }) => id).filter((id) => isGone(id) && isOf(id));
}

/** Counts locked amounts as free, because this comparison does not read whose orders lock them. */
function unlocked(snapshot: AccountSnapshot): AccountSnapshot {
  if (snapshot.kind !== 'spot') return snapshot;
  const balances = snapshot.balances.map(
    ({ asset, exact }) => new Balance(asset, { free: exact.free + exact.locked, locked: 0n }),
  );
  return { ...snapshot, balances };
}

/** Reads the accounts that show their balances, if the bot trades on them. @throws errors of the source. */
export async function readAccounts(
  instruments: readonly Instrument[],
  source: Pick<AccountSource, 'account'>,
  signal: AbortSignal,
): Promise<readonly AccountSnapshot[]> {
  const accounts: AccountSnapshot[] = [];
  for (const product of ['spot', 'futures'] as const)
    if (instruments.some(({ kind }) => kind === product))
      accounts.push(await source.account(product, { signal }));
  return accounts;
}
