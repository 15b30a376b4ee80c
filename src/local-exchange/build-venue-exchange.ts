import {
  createInstrumentId,
  formatFixed,
  type Asset,
  type EpochMs,
  type FeeRates,
  type Fixed,
} from '../domain/index.js';
import type { LatencyModel, MarketViewOptions, MarketSource } from '../simulator/index.js';
import { AccountBook } from './accounts/account-book.js';
import type { AccountSettings, FeeTier } from './accounts/account-settings.js';
import { accountMoneyOf, type AccountVenue } from './accounts/account-venue.js';
import { SimulatedAccount } from './accounts/simulated-account.js';
import { completeExchange, type ExchangeBuild } from './build-exchange.js';
import { MarketTime } from './clock/market-time.js';
import type { LocalExchange } from './local-exchange.js';
import { CandleMarket } from './market/candle-market.js';
import { ListingRules } from './market/listing-rules.js';
import { endOfCandles } from './market/load-market.js';

export interface VenueExchangeBuild extends Pick<
  ExchangeBuild,
  'profile' | 'faults' | 'limits' | 'transport' | 'seed'
> {
  /** Options of the backtest's venue. The exchange's account trades on exactly these. */
  readonly venue: AccountVenue;
  /** Market time at the beginning. */
  readonly start: EpochMs;
  readonly account: Pick<AccountSettings, 'name' | 'userId' | 'key' | 'secret'>;
  /** How long commands travel, in market time; drawn in the order in which they come in. @defaultValue commands arrive at once */
  readonly latency?: LatencyModel | undefined;
  /** Interval of the polls in which the bot learns what the venue did by itself, in ms (DESIGN R2). */
  readonly updatePollMs: number;
  /** How the public sees candles happen. The order of their extremes must be that of `venue.chooseOrder`. @defaultValue the nearer extreme first */
  readonly seen?: Pick<MarketViewOptions, 'order' | 'fundingRateKnown' | 'markDelayMs'> | undefined;
  /** Which clock the time endpoints show. @defaultValue 'transport', because market time jumps and a client's measurement of it is soon wrong */
  readonly shownClock?: 'market' | 'transport' | undefined;
}

/**
 * Builds an exchange in lockstep over the venue of a backtest. Instruments, candles, marks, funding, rules, tiers, balances, fees, slippage,
 * participation, leverage and path come from `venue`. How to drive it: docs/exchange.md, "Lockstep".
 *
 * @throws {DomainError} `E_RULES` for an instrument without rules, `E_FAULT` for a fault that names no listed instrument.
 */
export function buildVenueExchange(build: VenueExchangeBuild): LocalExchange {
  const { transport, start, account, updatePollMs } = build;
  const rules = new ListingRules();
  const listed = listedOf(build.venue.markets);
  for (const { instrument } of [...build.venue.markets, ...listed]) {
    const pair = createInstrumentId('margin', instrument.symbol);
    const own = build.venue.rules.entriesOf(instrument.id);
    rules.list(instrument.id, own.length > 0 ? own : build.venue.rules.entriesOf(pair));
  }
  const venue: AccountVenue = { ...build.venue, rules: rules.book };
  const marketTime = new MarketTime({ mode: 'lockstep', start, transport });
  const hasOpened = (time: EpochMs): boolean => marketTime.hasOpened(time);
  return completeExchange(
    {
      market: new CandleMarket({
        sources: listed,
        rules,
        halfSpread: venue.halfSpread,
        slippage: venue.slippage,
        seed: build.seed ?? 1,
        seen: { ...build.seen, hasOpened },
      }),
      rules,
      marketTime,
      marketEnd: endOfCandles(listed),
      accounts: new AccountBook(
        (settings, { time, ordinal }) =>
          new SimulatedAccount({
            userId: settings.userId,
            ordinal,
            time,
            listed,
            // Other accounts trade on the same terms with their own money.
            venue:
              settings.userId === account.userId
                ? venue
                : { ...venue, ...accountMoneyOf(settings) },
            hasOpened,
            updatePollMs,
          }),
      ),
      latency: build.latency,
      shownClock: build.shownClock ?? 'transport',
    },
    { ...build, accounts: [{ ...account, ...describeVenue(venue, start) }] },
  );
}

/** The listed pairs and contracts. A margin pair is listed as its spot pair, because it trades on the spot market. */
function listedOf(markets: readonly MarketSource[]): readonly MarketSource[] {
  const listed = new Map<string, MarketSource>();
  for (const market of markets) {
    const { kind, symbol, base, quote } = market.instrument;
    const id = createInstrumentId('spot', symbol);
    const twin = { ...market, instrument: { kind: 'spot', id, symbol, base, quote } as const };
    const source = kind === 'margin' ? twin : market;
    if (!listed.has(source.instrument.id)) listed.set(source.instrument.id, source);
  }
  return [...listed.values()];
}

/** Balances, fees and leverage of a venue, in the form of account settings. */
function describeVenue(
  { balances, fees, markets }: AccountVenue,
  start: EpochMs,
): Pick<AccountSettings, 'balances' | 'fees' | 'leverage' | 'marginMode'> {
  const tierOf = (isContract: boolean): FeeTier => {
    const market = markets.find(({ instrument }) => (instrument.kind === 'futures') === isContract);
    const rates: Pick<FeeRates, 'maker' | 'taker'> =
      market === undefined ? { maker: 0n, taker: 0n } : fees.ratesAt(market.instrument.id, start);
    return { maker: formatFixed(rates.maker), taker: formatFixed(rates.taker) };
  };
  const contract = markets
    .map(({ instrument }) => instrument)
    .find(({ kind }) => kind === 'futures');
  const isContract = contract?.kind === 'futures';
  return {
    balances: {
      spot: textsOf(balances.spot),
      margin: textsOf(balances.margin),
      futures: textsOf(balances.futures),
    },
    fees: { spot: tierOf(false), futures: tierOf(true) },
    leverage: isContract ? formatFixed(contract.leverage) : '1',
    marginMode: isContract ? contract.marginMode : 'isolated',
  };
}

function textsOf(amounts: ReadonlyMap<Asset, Fixed> = new Map()): Readonly<Record<string, string>> {
  return Object.fromEntries([...amounts].map(([asset, amount]) => [asset, formatFixed(amount)]));
}
