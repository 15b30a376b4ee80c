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

/** What the venue under an account is built from; who takes its updates is the account's matter. */
export type AccountVenue = Omit<SimulatedVenueOptions, 'onUpdate' | 'onPositionEnded'> & {
  /** Whether orders say the margin mode of a contract that is flat. @defaultValue false */
  readonly ordersChooseMode?: boolean;
};

/** What accounts trade on: the same for all of them. */
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

/** The venue of an account on the common ground, with the balances, fees, leverage and margin mode it has. */
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

/** What an account has and pays. */
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

/** An instrument as the account trades it, with the leverage and margin mode it has set; a pair also on margin. */
function marketsOf(market: MarketSource, settings: AccountSettings): readonly MarketSource[] {
  const { instrument } = market;
  const leverage = parseFixed(settings.leverage);
  const { marginMode = 'isolated' } = settings;
  if (instrument.kind === 'futures') {
    return [{ ...market, instrument: { ...instrument, leverage, marginMode } }];
  }
  // Without money for it there is no margin account.
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

/** Pairs pay the tier of spot, on margin too; contracts their own. */
function feesOf({ fees }: AccountSettings): FeeModel {
  const pairs = ratesOf(fees.spot);
  const contracts = ratesOf(fees.futures);
  return { ratesAt: (id) => (id.startsWith('futures:') ? contracts : pairs) };
}

function ratesOf({ maker, taker }: FeeTier): FeeRates {
  return { maker: parseFixed(maker), taker: parseFixed(taker), paidIn: 'received' };
}
