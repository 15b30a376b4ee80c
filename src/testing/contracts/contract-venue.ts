import type {
  Asset,
  ClientOrderId,
  Fixed,
  InstrumentId,
  LimitOrderRequest,
  OrderRequest,
  RiskApproved,
  Side,
  VenueOrderId,
} from '../../domain/index.js';
import type {
  AccountSource,
  CallOptions,
  ExecutionAdapter,
  MarketDataSource,
  VenueTrade,
} from '../../venue/index.js';
import { broken } from './contract-test.js';

/** A pair of a venue under test, with amounts that fit its rules. */
export interface VenueInstrument {
  readonly id: InstrumentId;
  /** Prices on the tick grid: at two of them orders rest for the length of a test, at the other two they fill at once. */
  readonly restingBid: Fixed;
  readonly restingAsk: Fixed;
  readonly fillingBid: Fixed;
  readonly fillingAsk: Fixed;
  /** A quantity that the venue accepts, in base or contracts. The account can pay a dozen such orders. */
  readonly quantity: Fixed;
}

/** A venue with its three ports, made for one test. Nothing else trades on its account. */
export interface ContractVenue {
  readonly marketData: MarketDataSource;
  readonly account: AccountSource;
  readonly execution: ExecutionAdapter;
  readonly spot: VenueInstrument;
  /** Gives the venue time to match, to end a canceled order, and to show accepted orders. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** The account's balance of one asset. */
export interface Held {
  readonly free: Fixed;
  readonly locked: Fixed;
}

export const OPTIONS: CallOptions = { signal: new AbortController().signal };

/** A LIMIT order as risk would have approved it. */
export function limitOrder(
  { spot }: ContractVenue,
  side: Side,
  terms: Pick<LimitOrderRequest, 'limitPrice'> & Partial<LimitOrderRequest>,
): RiskApproved<OrderRequest> {
  const order: LimitOrderRequest = {
    type: 'limit',
    clientOrderId: 'contract-1' as ClientOrderId,
    intentId: 1,
    instrumentId: spot.id,
    side,
    action: side === 'buy' ? 'open' : 'close',
    quantity: spot.quantity,
    unit: 'base',
    timeInForce: 'GTC',
    ...terms,
  };
  return order as RiskApproved<OrderRequest>;
}

/** Submits an order that the venue must take. */
export async function place(
  venue: ContractVenue,
  order: RiskApproved<OrderRequest>,
): Promise<VenueOrderId> {
  const outcome = await venue.execution.submit(order, OPTIONS);
  if (outcome.kind !== 'accepted')
    throw broken('an accepted order', `${outcome.reason.code} ${outcome.reason.text}`);
  await venue.settle();
  return outcome.venueOrderId;
}

/** Balances by asset; zero for an asset that is not listed. */
export async function balancesOf(venue: ContractVenue): Promise<(asset: Asset) => Held> {
  const account = await venue.account.account('spot', OPTIONS);
  if (account.kind !== 'spot') throw broken('the account of spot', account.kind);
  const held = new Map(account.balances.map(({ asset, exact }) => [asset, exact]));
  return (asset) => held.get(asset) ?? { free: 0n, locked: 0n };
}

export async function fillsOf(
  { account, spot }: ContractVenue,
  venueOrderId: VenueOrderId,
): Promise<readonly VenueTrade[]> {
  const own: VenueTrade[] = [];
  for await (const trade of account.trades(spot.id, OPTIONS))
    if (trade.venueOrderId === venueOrderId) own.push(trade);
  return own;
}
