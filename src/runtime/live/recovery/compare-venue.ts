import {
  formatFixed,
  type EpochMs,
  type Instrument,
  type InstrumentId,
  type RuleBook,
  type VenueOrderId,
} from '../../../domain/index.js';
import type { AccountSnapshot, AccountSource, VenueOrder } from '../../../venue/index.js';
import type { Engine } from '../../engine.js';
import type { OrderHistory } from '../../journal/order-history.js';
import type { MarketSession } from '../market-session.js';
import { believe } from './belief.js';
import type { Disagreement, ForeignPolicy } from './disagreements.js';
import { reconcile } from './reconcile.js';

export interface CompareVenueOptions {
  readonly engine: Engine;
  readonly session: Pick<MarketSession, 'orders' | 'lanes' | 'readAccount'>;
  readonly source: AccountSource;
  readonly instruments: readonly Instrument[];
  readonly rules: RuleBook;
  readonly now: () => EpochMs;
  readonly signal: AbortSignal;
  /** Orders of epochs before are the bot's, too. @defaultValue there were none */
  readonly history?: Pick<OrderHistory, 'orders'> | undefined;
  readonly foreignOrders: ForeignPolicy;
}

/**
 * Reads orders, executions and accounts, tells the engine what is new of its orders, and compares what it then believes with what the
 * venue shows. Returns what does not agree, one line each; what the owner wants ignored is left out.
 *
 * @throws errors of the source: what could not be read agrees with nothing.
 */
export async function compareVenue(options: CompareVenueOptions): Promise<readonly string[]> {
  const { engine, session, source, instruments, rules, signal, foreignOrders } = options;
  await session.readAccount();
  const openOrders = new Map<InstrumentId, readonly VenueOrder[]>();
  for (const { id } of instruments) openOrders.set(id, await source.openOrders(id, { signal }));
  const accounts: AccountSnapshot[] = [];
  for (const product of ['spot', 'futures'] as const)
    if (instruments.some(({ kind }) => kind === product))
      accounts.push(await source.account(product, { signal }));
  const known = new Set<VenueOrderId>();
  for (const { venueOrderId } of [
    ...(options.history?.orders ?? []),
    ...engine.orders,
    ...session.orders.list(),
  ])
    if (venueOrderId) known.add(venueOrderId);
  const now = options.now();
  const inFlight = session.lanes.underWay > 0 ? engine.workingOrders : [];
  const found = reconcile(
    {
      ...believe({ orders: engine.workingOrders, portfolio: engine.portfolio }, { rules, now }),
      isKnown: (id) => known.has(id),
      inFlight: new Set(inFlight.map(({ request }) => request.clientOrderId)),
    },
    { time: now, openOrders, orders: new Map(), untold: [], accounts },
  );
  return found
    .filter((each) => foreignOrders !== 'ignore' || !isForeign(each))
    .map(describeDisagreement);
}

function isForeign({ kind }: Disagreement): boolean {
  return kind === 'order-unknown-foreign' || kind === 'position-foreign';
}

/** One line for people: what differs, where, and what both sides say. */
function describeDisagreement(found: Disagreement): string {
  const what = (text: string): string => `${found.kind}: ${text}`;
  if ('order' in found) return what(`order ${found.order.request.clientOrderId}`);
  if ('venueOrderId' in found) return what(`${found.instrumentId}: order ${found.venueOrderId}`);
  if ('state' in found) return what(`${found.instrumentId}: order ${found.state.venueOrderId}`);
  if ('believed' in found) {
    const place =
      'asset' in found
        ? `${found.account} ${found.asset}`
        : `${found.instrumentId} ${found.direction}`;
    return what(
      `${place}: the bot counts on ${formatFixed(found.believed)}, the venue shows ${formatFixed(found.actual)}`,
    );
  }
  return what(found.instrumentId);
}
