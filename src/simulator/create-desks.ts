import { TierBook, type EpochMs, type InstrumentId, type ResolvedRules } from '../domain/index.js';
import type { Accounts } from './accounts.js';
import { FuturesDesk, type FuturesDeskOptions } from './futures-desk.js';
import { MarginDesk } from './margin-desk.js';
import { MarginPrices } from './margin-prices.js';
import type { MarketTape } from './market-tape.js';
import { takerPrice } from './matching.js';
import type { OrderMatcher } from './order-matcher.js';
import type { VenueOptions } from './venue-options.js';

/** What the venue's own acts need of it. */
export interface DeskParts {
  readonly options: Pick<VenueOptions, 'futures' | 'fees' | 'onUpdate'>;
  readonly accounts: Accounts;
  readonly matcher: OrderMatcher;
  /** In the order of the instruments. */
  readonly tapes: readonly MarketTape[];
  readonly rulesAt: (instrumentId: InstrumentId, time: EpochMs) => ResolvedRules;
}

/** What acts for the futures account; undefined where there is none. */
export function createFuturesDesk(parts: DeskParts): FuturesDesk | undefined {
  const account = parts.accounts.futures;
  if (account === undefined) return undefined;
  const tiers = parts.options.futures?.tiers ?? new TierBook();
  return new FuturesDesk({
    account,
    tapes: parts.tapes,
    tiersAt: (id, time) => tiers.at(id, time),
    ...forcedTerms(parts, '-1157', 'canceled by a liquidation'),
  });
}

/** What acts for the margin account; undefined where there is none. */
export function createMarginDesk(parts: DeskParts): MarginDesk | undefined {
  const account = parts.accounts.margin;
  if (account === undefined) return undefined;
  const tapes = parts.tapes.filter(({ source }) => source.instrument.kind === 'margin');
  return new MarginDesk({
    account,
    tapes,
    prices: new MarginPrices(account.ledger.currency, tapes),
    fees: parts.options.fees,
    rulesAt: parts.rulesAt,
    ...forcedTerms(parts, 'margin-call', 'canceled by a margin call'),
  });
}

/** How the venue itself trades and cancels for an account. */
function forcedTerms(
  { options, matcher, rulesAt }: DeskParts,
  code: string,
  text: string,
): Pick<FuturesDeskOptions, 'takerPriceAt' | 'cancelOrders' | 'onUpdate'> {
  return {
    takerPriceAt: (tape, { side, quantity, time }) =>
      takerPrice(side, tape.priceAt(time), {
        cost: matcher.takerCost(tape, quantity),
        tick: rulesAt(tape.source.instrument.id, time).tick,
      }),
    cancelOrders: (id, time) => {
      matcher.cancelAll(id, time, { code, text });
    },
    onUpdate: options.onUpdate,
  };
}
