import {
  present,
  TierBook,
  type AccountBalances,
  type Asset,
  type CashWatch,
  type Fixed,
  type FuturesInstrument,
  type Instrument,
  type PositionMode,
} from '../../domain/index.js';
import type { AccountUpdate } from '../../venue/index.js';
import { FuturesAccount, type OnPositionEnded } from '../futures/futures-account.js';
import { FuturesLedger } from '../futures/futures-ledger.js';
import { MarginAccount } from '../margin/margin-account.js';
import { MarginLedger } from '../margin/margin-ledger.js';
import { commonCurrency } from '../margin/margin-prices.js';
import type { PriceOf } from '../margin/valuation.js';
import type { FeeModel } from '../models/fee.js';
import { SpotAccount } from './spot-account.js';
import type { TradingAccount } from './trading-account.js';

/** How the venue treats contracts. */
export interface FuturesTerms {
  /** @defaultValue 'hedge' */
  readonly positionMode?: PositionMode;
  /** @defaultValue one tier that allows every size and leverage, with a maintenance rate of 0 */
  readonly tiers?: TierBook;
  /** Fee of a forced close as a ratio. The maintenance margin includes it. @defaultValue 0 */
  readonly maxFeeRate?: Fixed;
}

/** How the venue treats borrowed assets. */
export interface MarginTerms {
  /** Interest per hour as a ratio of the debt. @defaultValue 0 */
  readonly hourlyRate?: Fixed;
}

interface VenueAccountOptions {
  readonly instruments: readonly Instrument[];
  readonly balances: AccountBalances;
  readonly fees: FeeModel;
  readonly futures?: FuturesTerms | undefined;
  readonly margin?: MarginTerms | undefined;
  /** Price of an asset now in the currency of the margin account. */
  readonly marginPriceOf: PriceOf;
  readonly onUpdate: (update: AccountUpdate) => void;
  readonly onPositionEnded?: OnPositionEnded | undefined;
  readonly cashWatch?: CashWatch | undefined;
}

const NOTHING: ReadonlyMap<Asset, Fixed> = new Map();

/** The accounts of one user at the venue. Each product has its own account, and no money moves between them. */
export class Accounts {
  readonly spot: SpotAccount;
  readonly futures: FuturesAccount | undefined;
  readonly margin: MarginAccount | undefined;

  constructor(options: VenueAccountOptions) {
    const { balances, fees, cashWatch } = options;
    this.spot = new SpotAccount(balances.spot ?? NOTHING, fees, cashWatch);
    this.futures = createFutures(options);
    this.margin = createMargin(options);
  }

  /** The account that trades an instrument. */
  of({ kind }: Instrument): TradingAccount {
    if (kind === 'spot') return this.spot;
    return present(kind === 'futures' ? this.futures : this.margin, `${kind} account`);
  }

  /** Assets minus debts of each account. Includes amounts that working orders hold. Leaves out unrealized results. */
  balances(): AccountBalances {
    return {
      spot: this.spot.totals(),
      ...(this.margin !== undefined && { margin: this.margin.totals() }),
      ...(this.futures !== undefined && { futures: this.futures.totals() }),
    };
  }
}

function createFutures({
  instruments,
  balances,
  fees,
  futures: terms = {},
  onPositionEnded,
  cashWatch,
}: VenueAccountOptions): FuturesAccount | undefined {
  const contracts = instruments.filter((one): one is FuturesInstrument => one.kind === 'futures');
  if (contracts.length === 0 && balances.futures === undefined) return undefined;
  const { tiers = new TierBook(), maxFeeRate = 0n, positionMode = 'hedge' } = terms;
  const ledger = new FuturesLedger({
    contracts: contracts.map((instrument) => ({
      instrument,
      tiers: tiers.at(instrument.id, Number.NEGATIVE_INFINITY),
      maxFeeRate,
    })),
    balances: balances.futures ?? NOTHING,
    positionMode,
    // A backtest does not read the list of ended positions, and the list could become very long.
    listsEnded: onPositionEnded !== undefined,
    cashWatch,
  });
  return new FuturesAccount(ledger, fees, onPositionEnded);
}

function createMargin({
  instruments,
  balances,
  fees,
  margin: terms = {},
  marginPriceOf,
  onUpdate,
}: VenueAccountOptions): MarginAccount | undefined {
  const currency = commonCurrency(instruments.filter(({ kind }) => kind === 'margin'));
  if (currency === undefined) return undefined;
  const { hourlyRate = 0n } = terms;
  const ledger = new MarginLedger({
    balances: balances.margin ?? NOTHING,
    currency,
    hourlyRate: () => hourlyRate,
  });
  return new MarginAccount({ ledger, fees, priceOf: marginPriceOf, onUpdate });
}
