import type { EpochMs, Instrument, ResolvedRules } from '../../domain/index.js';
import type { TradingAccount } from '../accounts/trading-account.js';
import type { InstrumentMarket } from '../instrument-market.js';
import type { PathPrice } from '../path/candle-path.js';
import type { FoundByRules } from './venue-rules.js';

/** The market and account of an instrument, with the rules in force now. */
export interface TradingPlace {
  readonly market: InstrumentMarket;
  readonly instrument: Instrument;
  readonly account: TradingAccount;
  readonly rules: ResolvedRules;
  readonly found: FoundByRules;
}

/** The place, price and time that an arriving order meets. */
export interface Arrival {
  readonly place: TradingPlace;
  readonly path: PathPrice;
  readonly time: EpochMs;
}
