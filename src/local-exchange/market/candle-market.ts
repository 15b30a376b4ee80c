import {
  canResample,
  floorToInterval,
  splitInstrumentId,
  type Candle,
  type EpochMs,
  type Fixed,
  type InstrumentId,
  type VenueInterval,
} from '../../domain/index.js';
import {
  MarketView,
  type DepthQuery,
  type MarketViewOptions,
  type SlippageModel,
  type MarketSource,
} from '../../simulator/index.js';
import type {
  DepthSnapshot,
  FuturesListing,
  ContractIndex,
  PublicTrade,
  SpotListing,
  Ticker,
} from '../../venue/index.js';
import type { CandleParts, CandleQuery, ExchangeMarket } from '../exchange-market.js';
import { RecentlyUsed } from '../recently-used.js';
import type { ListingRules } from './listing-rules.js';

interface CandleMarketOptions {
  /** Pairs and contracts, in the order in which they are listed. */
  readonly sources: readonly MarketSource[];
  readonly rules: ListingRules;
  /** Half the spread as a ratio of the price. */
  readonly halfSpread: Fixed;
  readonly slippage: SlippageModel;
  /** Seed of the draws of public trades. */
  readonly seed: number;
  /** How the public sees candles happen, if it differs from the default. */
  readonly seen?:
    Pick<MarketViewOptions, 'hasOpened' | 'order' | 'fundingRateKnown' | 'markDelayMs'> | undefined;
}

interface Listed {
  readonly source: MarketSource;
  readonly view: MarketView;
}

/** Number of lists of closed candles that are kept: each has at most 300 candles, as text 40 KB. */
const KEPT_LISTS = 256;

/** The public side of the exchange: the simulator's views of the stored candles, by listed instrument. */
export class CandleMarket implements ExchangeMarket {
  readonly #rules: ListingRules;
  readonly #listed = new Map<InstrumentId, Listed>();
  readonly #closed = new RecentlyUsed<readonly Candle[]>(KEPT_LISTS);

  constructor({ sources, rules, halfSpread, slippage, seed, seen }: CandleMarketOptions) {
    this.#rules = rules;
    for (const source of sources) {
      const { id } = source.instrument;
      const view = new MarketView({
        source,
        rulesAt: (time) => rules.at(id, time),
        halfSpread,
        slippage,
        seed,
        ...seen,
      });
      this.#listed.set(id, { source, view });
    }
  }

  isListed(instrumentId: InstrumentId): boolean {
    return this.#listed.has(spotTwin(instrumentId));
  }

  spotListings(time: EpochMs): readonly SpotListing[] {
    return [...this.#listed.values()].flatMap(({ source: { instrument } }) => {
      const rules = this.#rules.inForce(instrument.id, time);
      if (instrument.kind !== 'spot' || rules === undefined) return [];
      const { id: instrumentId, symbol, base, quote } = instrument;
      return [{ kind: 'spot', instrumentId, symbol, base, quote, rules }];
    });
  }

  futuresListings(time: EpochMs): readonly FuturesListing[] {
    return [...this.#listed.values()].flatMap(({ source: { instrument } }, index) => {
      const rules = this.#rules.inForce(instrument.id, time);
      if (instrument.kind !== 'futures' || rules === undefined) return [];
      const { id: instrumentId, symbol, base, quote, contract, multiplier } = instrument;
      return [
        {
          ...({
            kind: 'futures',
            instrumentId,
            symbol,
            base,
            quote,
            contract,
            multiplier,
          } as const),
          contractType: 'E',
          multiplierAsset: contract === 'linear' ? base : quote,
          marginAsset: instrument.marginAsset,
          maxLimitMoney: undefined,
          contractId: String(index + 1),
          rules,
        },
      ];
    });
  }

  depth(instrumentId: InstrumentId, time: EpochMs, query: DepthQuery): DepthSnapshot | undefined {
    return this.#viewOf(instrumentId)?.depthAt(time, query);
  }

  ticker(instrumentId: InstrumentId, time: EpochMs): Ticker | undefined {
    return this.#viewOf(instrumentId)?.tickerAt(time);
  }

  trades(
    instrumentId: InstrumentId,
    time: EpochMs,
    limit: number,
  ): readonly PublicTrade[] | undefined {
    return this.#viewOf(instrumentId)?.tradesAt(time, limit);
  }

  /** Empty if the stored candles cannot make this interval. */
  candles(
    instrumentId: InstrumentId,
    interval: VenueInterval,
    time: EpochMs,
    query: CandleQuery,
  ): readonly Candle[] | undefined {
    const listed = this.#listed.get(spotTwin(instrumentId));
    if (listed === undefined) return undefined;
    return canResample(listed.source.interval, interval)
      ? listed.view.klinesAt(interval, time, query)
      : [];
  }

  /** The closed candles change once per interval. Until then, equal queries get the same list object. */
  candleParts(
    instrumentId: InstrumentId,
    interval: VenueInterval,
    time: EpochMs,
    query: CandleQuery,
  ): CandleParts | undefined {
    const begun = floorToInterval(time, interval);
    const { limit, startTime, endTime } = query;
    const open = this.candles(instrumentId, interval, time, {
      limit: 1,
      startTime: Math.max(begun, startTime ?? begun),
      endTime,
    });
    if (open === undefined) return undefined;
    const count = limit - open.length;
    const key = [instrumentId, interval, begun, count, startTime, endTime].join(' ');
    const closed = this.#closed.get(key, () => {
      const rows = this.candles(instrumentId, interval, time, query) ?? [];
      return rows.slice(0, rows.length - open.length);
    });
    return { closed, open: open[0] };
  }

  mark(instrumentId: InstrumentId, time: EpochMs): ContractIndex | undefined {
    const { kind } = splitInstrumentId(instrumentId);
    return kind === 'futures' ? this.#viewOf(instrumentId)?.markAt(time) : undefined;
  }

  nextClose(time: EpochMs): EpochMs {
    return Math.min(...[...this.#listed.values()].map(({ view }) => view.nextClose(time)));
  }

  #viewOf(instrumentId: InstrumentId): MarketView | undefined {
    return this.#listed.get(spotTwin(instrumentId))?.view;
  }
}

/** Margin pairs trade on the spot market. */
function spotTwin(instrumentId: InstrumentId): InstrumentId {
  const { kind, symbol } = splitInstrumentId(instrumentId);
  return kind === 'margin' ? (`spot:${symbol}` as InstrumentId) : instrumentId;
}
