import {
  createInstrumentId,
  TierBook,
  type Clock,
  type EpochMs,
  type Fixed,
  type FundingRateKnown,
} from '../domain/index.js';
import type { SlippageModel } from '../simulator/index.js';
import type { AnswerProfile } from '../venue/wire/index.js';
import { AccountBook } from './accounts/account-book.js';
import type { AccountSettings } from './accounts/account-settings.js';
import { venueOn, type TradingGround } from './accounts/account-venue.js';
import { SimulatedAccount } from './accounts/simulated-account.js';
import { MarketTime, type ClockMode } from './clock/market-time.js';
import { FaultPlan } from './faults/fault-plan.js';
import type { FaultRule } from './faults/fault-rule.js';
import type { ListForm } from './handlers/list-form.js';
import { CallLimits, type CallLimitOptions } from './http/call-limits.js';
import { LocalExchange, type LocalExchangeParts } from './local-exchange.js';
import { CandleMarket } from './market/candle-market.js';
import { endOfCandles, type ListedSource } from './market/load-market.js';
import { ListingRules } from './market/listing-rules.js';
import type { ExchangeJournal } from './state/journal-entry.js';

/** How the exchange executes orders: the terms of the simulator. */
interface ExecutionTerms {
  readonly slippage: SlippageModel;
  /** Half the spread as a ratio of the price. */
  readonly halfSpread: Fixed;
  readonly participation: Fixed | 'off';
  readonly fillOnTouch: boolean;
  /** Interest per hour on the debts of margin accounts, as a ratio. */
  readonly hourlyRate: Fixed;
  /** Fee of a forced close of contracts, as a ratio. */
  readonly maxFeeRate: Fixed;
}

export interface ExchangeBuild {
  readonly instruments: readonly ListedSource[];
  /** Makes the instruments' candles while market time moves on, as {@link SyntheticMarket} does. @defaultValue all candles exist already */
  readonly growth?:
    { readonly limit: EpochMs; readonly growTo: (time: EpochMs) => void } | undefined;
  readonly terms: ExecutionTerms;
  /** Which funding rate the index shows. @defaultValue current */
  readonly fundingRateKnown?: FundingRateKnown | undefined;
  readonly profile: AnswerProfile;
  /** Form of the lists of spot and margin. @defaultValue 'bare' */
  readonly lists?: ListForm | undefined;
  readonly clock: {
    readonly mode: ClockMode;
    readonly start: EpochMs;
    readonly speed?: number | undefined;
  };
  /** Accounts to open. Accounts that the journal restores are not opened again. */
  readonly accounts: readonly AccountSettings[];
  readonly faults: { readonly seed: number; readonly rules: readonly FaultRule[] };
  /** Undefined means no limits for calls. */
  readonly limits: CallLimitOptions | undefined;
  /** Seed of the draws of public trades. @defaultValue 1 */
  readonly seed?: number | undefined;
  readonly transport: Clock;
  readonly journal?: ExchangeJournal | undefined;
}

type ServiceParts = Pick<
  LocalExchangeParts,
  'transport' | 'profile' | 'lists' | 'limits' | 'faults' | 'journal'
>;

/** Interval of the polls in which bots learn what happened by itself, in ms, as in a backtest (DESIGN R2). */
const UPDATE_POLL_MS = 2_000;

/**
 * Builds an exchange and restores the state from its journal.
 *
 * @throws {DomainError} `E_ACCOUNT` for accounts that share a key or a user id, `E_FAULT` for a fault that names no listed instrument.
 */
export function buildExchange(build: ExchangeBuild): LocalExchange {
  const { instruments, growth, terms, transport } = build;
  const rules = new ListingRules();
  const tiers = new TierBook();
  for (const { instrument, rules: own, tiers: dated } of instruments) {
    rules.list(instrument.id, own);
    if (instrument.kind === 'spot')
      rules.list(createInstrumentId('margin', instrument.symbol), own);
    if (dated.length > 0) tiers.set(instrument.id, dated);
  }
  const ground: TradingGround = { ...terms, rules, tiers, markets: instruments };
  const marketTime = new MarketTime({
    ...build.clock,
    transport,
    prepare: growth && ((time) => growth.growTo(time)),
  });
  const hasOpened = (time: EpochMs): boolean => marketTime.hasOpened(time);
  return completeExchange(
    {
      market: new CandleMarket({
        sources: instruments,
        rules,
        halfSpread: terms.halfSpread,
        slippage: terms.slippage,
        seed: build.seed ?? 1,
        seen: { hasOpened, fundingRateKnown: build.fundingRateKnown },
      }),
      rules,
      marketTime,
      marketEnd: growth?.limit ?? endOfCandles(instruments),
      accounts: new AccountBook(
        (settings, { time, ordinal }) =>
          new SimulatedAccount({
            userId: settings.userId,
            ordinal,
            time,
            listed: instruments,
            venue: venueOn(ground, settings),
            hasOpened,
            updatePollMs: UPDATE_POLL_MS,
          }),
      ),
    },
    build,
  );
}

/** Adds the parts that do not depend on the market, and restores the journal. Then opens the configured accounts and adds the configured faults. */
export function completeExchange(
  market: Omit<LocalExchangeParts, keyof ServiceParts>,
  build: Pick<
    ExchangeBuild,
    'profile' | 'lists' | 'accounts' | 'faults' | 'limits' | 'transport' | 'journal'
  >,
): LocalExchange {
  const exchange = new LocalExchange({
    ...market,
    transport: build.transport,
    profile: build.profile,
    lists: build.lists,
    limits: build.limits && new CallLimits(build.limits),
    faults: new FaultPlan(build.faults.seed),
    journal: build.journal,
  });
  for (const settings of build.accounts) {
    if (exchange.parts.accounts.byUser(settings.userId) === undefined)
      exchange.openAccount(settings);
  }
  for (const rule of build.faults.rules) exchange.addFault(rule);
  return exchange;
}
