import {
  createInstrumentId,
  parseFixed,
  type Asset,
  type FeeRates,
  type Fixed,
  type TierBook,
} from '../../domain/index.js';
import {
  nearestOrder,
  type FeeModel,
  type SimulatedVenueOptions,
  type SlippageModel,
  type MarketSource,
} from '../../simulator/index.js';
import type { ListingRules } from '../market/listing-rules.js';
import type { AccountSettings, FeeTier, Wallet } from './account-settings.js';

/** Options of the venue under an account. The account itself handles the updates. */
export type AccountVenue = Omit<SimulatedVenueOptions, 'onUpdate' | 'onPositionEnded'> & {
  /** Whether orders choose the margin mode of a flat contract. @defaultValue false */
  readonly ordersChooseMode?: boolean;
};

/** The market and the terms that all accounts share. */
export interface TradingGround {
  /** Pairs and contracts, in the order in which they are listed. */
  readonly markets: readonly MarketSource[];
  readonly rules: ListingRules;
  readonly tiers: TierBook;
  readonly slippage: SlippageModel;
  readonly halfSpread: Fixed;
  readonly participation: Fixed | 'off';
  readonly fillOnTouch: boolean;
  readonly hourlyRate: Fixed;
  readonly maxFeeRate: Fixed;
}

/** The venue of an account: the shared terms with the account's balances, fees, leverage and margin mode. */
export function venueOn(ground: TradingGround, settings: AccountSettings): AccountVenue {
  const { markets, rules, tiers, maxFeeRate, hourlyRate, ...terms } = ground;
  return {
    ...terms,
    markets: markets.flatMap((market) => marketsOf(market, settings)),
    rules: rules.book,
    ...accountMoneyOf(settings),
    futures: { tiers, maxFeeRate },
    margin: { hourlyRate },
    chooseOrder: nearestOrder,
    ordersChooseMode: settings.marginMode === undefined,
  };
}

/** Balances and fees of an account. */
export function accountMoneyOf(settings: AccountSettings): Pick<AccountVenue, 'balances' | 'fees'> {
  return {
    balances: {
      spot: amountsOf(settings, 'spot'),
      margin: amountsOf(settings, 'margin'),
      futures: amountsOf(settings, 'futures'),
    },
    fees: feesOf(settings),
  };
}

/** An instrument with the leverage and margin mode of the account. A pair is also traded on margin. */
function marketsOf(market: MarketSource, settings: AccountSettings): readonly MarketSource[] {
  const { instrument } = market;
  const leverage = parseFixed(settings.leverage);
  const { marginMode = 'isolated' } = settings;
  if (instrument.kind === 'futures') {
    return [{ ...market, instrument: { ...instrument, leverage, marginMode } }];
  }
  // Without margin balances there is no margin account.
  if (Object.keys(settings.balances.margin).length === 0) return [market];
  const { symbol, base, quote } = instrument;
  const id = createInstrumentId('margin', symbol);
  return [market, { ...market, instrument: { kind: 'margin', id, symbol, base, quote, leverage } }];
}

function amountsOf({ balances }: AccountSettings, wallet: Wallet): ReadonlyMap<Asset, Fixed> {
  return new Map(
    Object.entries(balances[wallet]).map(([asset, amount]) => [asset, parseFixed(amount)]),
  );
}

/** Pairs pay the spot tier, also on margin; contracts pay the futures tier. */
function feesOf({ fees }: AccountSettings): FeeModel {
  const pairs = ratesOf(fees.spot);
  const contracts = ratesOf(fees.futures);
  return { ratesAt: (id) => (id.startsWith('futures:') ? contracts : pairs) };
}

function ratesOf({ maker, taker }: FeeTier): FeeRates {
  return { maker: parseFixed(maker), taker: parseFixed(taker), paidIn: 'received' };
}
