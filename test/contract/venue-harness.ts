import {
  formatFixed,
  type ClientOrderId,
  type EpochMs,
  type InstrumentId,
  type LimitOrderRequest,
  type MarketOrderRequest,
  type OrderRequest,
  type RiskApproved,
} from '../../src/domain/index.js';
import type { ContractVenue, VenueInstrument } from '../../src/testing/index.js';
import type { VenueOrder, VenueTrade } from '../../src/venue/index.js';

/**
 * One venue behind its three ports, fresh for each case. Each implementation of the ports provides a harness: the client against a server, the
 * simulator directly.
 */
export interface VenueHarness extends ContractVenue {
  readonly margin: VenueInstrument;
  readonly futures: VenueInstrument;
  /** A symbol of the right form that the venue does not list. */
  readonly unlistedSpot: InstrumentId;
  /** The venue's clock. */
  now(): EpochMs;
}

export type CreateHarness = () => Promise<VenueHarness>;

export const NEVER = new AbortController().signal;

let sequence = 0;

/** A client order id that is unique in the run. */
export function freshId(): ClientOrderId {
  sequence += 1;
  return `contract-${String(sequence)}` as ClientOrderId;
}

/** A LIMIT order that buys to open and rests, unless `overrides` change that. It has the type of an order that risk approved. */
export function aLimit(
  instrument: VenueInstrument,
  overrides: Partial<LimitOrderRequest> = {},
): RiskApproved<OrderRequest> {
  const isFutures = instrument.id.startsWith('futures:');
  const order: LimitOrderRequest = {
    type: 'limit',
    clientOrderId: freshId(),
    intentId: sequence,
    instrumentId: instrument.id,
    side: 'buy',
    action: 'open',
    quantity: instrument.quantity,
    unit: isFutures ? 'contracts' : 'base',
    limitPrice: instrument.restingBid,
    timeInForce: 'GTC',
    ...(isFutures ? { marginMode: 'isolated' as const } : {}),
    ...overrides,
  };
  return order as RiskApproved<OrderRequest>;
}

/** A MARKET order. The caller gives unit and quantity, which belong together. */
export function aMarket(
  instrument: VenueInstrument,
  terms: Pick<MarketOrderRequest, 'side' | 'action' | 'quantity' | 'unit'>,
): RiskApproved<OrderRequest> {
  const order: MarketOrderRequest = {
    type: 'market',
    clientOrderId: freshId(),
    intentId: sequence,
    instrumentId: instrument.id,
    ...(instrument.id.startsWith('futures:') ? { marginMode: 'isolated' as const } : {}),
    ...terms,
  };
  return order as RiskApproved<OrderRequest>;
}

export async function collect<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const row of rows) list.push(row);
  return list;
}

/** Submits an order that the venue must accept. Returns its venue order id. */
export async function accepted(
  { execution, settle }: VenueHarness,
  order: RiskApproved<OrderRequest>,
): Promise<VenueOrder['venueOrderId']> {
  const outcome = await execution.submit(order, { signal: NEVER });
  if (outcome.kind !== 'accepted') {
    throw new Error(`expected acceptance, received ${outcome.reason.code} ${outcome.reason.text}`);
  }
  await settle();
  return outcome.venueOrderId;
}

/** The number of fills of one order, and their sum. */
export function filledBy(
  trades: readonly VenueTrade[],
  venueOrderId: VenueOrder['venueOrderId'],
): { readonly count: number; readonly quantity: string } {
  const own = trades.filter((trade) => trade.venueOrderId === venueOrderId);
  const quantity = own.reduce((sum, trade) => sum + trade.quantity, 0n);
  return { count: own.length, quantity: formatFixed(quantity) };
}
