import {
  divideFixed,
  splitInstrumentId,
  type Candle,
  type EpochMs,
  type Fixed,
  type FuturesInstrument,
  type InstrumentId,
  type ResolvedRules,
  type SpotInstrument,
  type VenueInterval,
} from '../../domain/index.js';
import type {
  DepthSnapshot,
  FuturesListing,
  MarkPrice,
  PublicTrade,
  SpotListing,
  Ticker,
} from '../../venue/index.js';
import type { CandleQuery, ExchangeMarket } from '../exchange-market.js';
import { DayWindow } from './day-figures.js';
import { KlineView } from './kline-view.js';
import type { ListingRules } from './listing-rules.js';
import type { FundingView } from './funding-view.js';
import { MarketSeries, PRINTS_PER_CANDLE, type SeriesSource } from './market-series.js';
import { makeDepth } from './synthetic-depth.js';

/** One instrument of the exchange and what drives it. */
export interface MarketSource {
  readonly instrument: SpotInstrument | FuturesInstrument;
  readonly series: SeriesSource;
  /** Contracts only: mark prices, where some are stored. @defaultValue the last price */
  readonly marks?: SeriesSource | undefined;
  /** Contracts only. */
  readonly funding?: FundingView | undefined;
}

export interface CandleMarketOptions {
  readonly sources: readonly MarketSource[];
  readonly rules: ListingRules;
  /** Half the spread of the book as a ratio of the price. */
  readonly halfSpread: Fixed;
}

interface Listed {
  readonly source: MarketSource;
  readonly series: MarketSeries;
  readonly marks: MarketSeries | undefined;
  readonly day: DayWindow;
  readonly klines: KlineView;
  readonly contractId: string;
}

/** The instrument, its rules and the candle at an instant. */
interface Seen extends Listed {
  readonly rules: ResolvedRules;
  readonly row: number;
}

/** The public side over stored candles: tickers, books, prints, candles and marks, all of one price path. */
export class CandleMarket implements ExchangeMarket {
  readonly #options: CandleMarketOptions;
  readonly #listed = new Map<InstrumentId, Listed>();

  constructor(options: CandleMarketOptions) {
    this.#options = options;
    options.sources.forEach((source, index) => {
      const { id } = source.instrument;
      const series = new MarketSeries(source.series);
      this.#listed.set(id, {
        source,
        series,
        marks: source.marks && new MarketSeries(source.marks),
        day: new DayWindow(series),
        klines: new KlineView(id, series),
        contractId: String(index + 1),
      });
    });
  }

  isListed(instrumentId: InstrumentId): boolean {
    return this.#listed.has(spotTwin(instrumentId));
  }

  spotListings(time: EpochMs): readonly SpotListing[] {
    return [...this.#listed.values()].flatMap(({ source: { instrument } }) => {
      const rules = this.#options.rules.inForce(instrument.id, time);
      if (instrument.kind !== 'spot' || rules === undefined) return [];
      const { id: instrumentId, symbol, base, quote } = instrument;
      return [{ kind: 'spot', instrumentId, symbol, base, quote, rules }];
    });
  }

  futuresListings(time: EpochMs): readonly FuturesListing[] {
    return [...this.#listed.values()].flatMap(({ source: { instrument }, contractId }) => {
      const rules = this.#options.rules.inForce(instrument.id, time);
      if (instrument.kind !== 'futures' || rules === undefined) return [];
      const {
        id: instrumentId,
        symbol,
        base,
        quote,
        contract,
        multiplier,
        marginAsset,
      } = instrument;
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
          marginAsset,
          maxLimitMoney: undefined,
          contractId,
          rules,
        },
      ];
    });
  }

  depth(instrumentId: InstrumentId, time: EpochMs, limit: number): DepthSnapshot | undefined {
    const seen = this.#seen(instrumentId, time);
    if (seen === undefined) return undefined;
    const { series, row, rules } = seen;
    const { bids, asks } = makeDepth(series.last(time, rules), rules, {
      halfSpread: this.#options.halfSpread,
      unit: series.volumeOf(row) / BigInt(PRINTS_PER_CANDLE),
      levels: limit,
    });
    return { instrumentId, time, bids, asks };
  }

  ticker(instrumentId: InstrumentId, time: EpochMs): Ticker | undefined {
    const seen = this.#seen(instrumentId, time);
    if (seen === undefined) return undefined;
    const { series, rules, day } = seen;
    const last = series.last(time, rules);
    const { open, high, low, volume } = day.at(time, rules);
    const { bids, asks } = makeDepth(last, rules, {
      halfSpread: this.#options.halfSpread,
      unit: 0n,
      levels: 1,
    });
    return {
      instrumentId,
      time,
      last,
      high,
      low,
      volume,
      open,
      bestBid: bids[0]?.price,
      bestAsk: asks[0]?.price,
      change: divideFixed(last - open, open),
    };
  }

  trades(
    instrumentId: InstrumentId,
    time: EpochMs,
    limit: number,
  ): readonly PublicTrade[] | undefined {
    const seen = this.#seen(instrumentId, time);
    if (seen === undefined) return undefined;
    const { series, rules } = seen;
    const trades: PublicTrade[] = [];
    for (let row = seen.row; row >= 0 && trades.length < limit; row -= 1) {
      for (const { time: printTime, price, quantity, isUp } of series
        .prints(row, time, rules)
        .toReversed()) {
        const takerSide = isUp ? 'buy' : 'sell';
        if (trades.length < limit)
          trades.push({ instrumentId, time: printTime, price, quantity, takerSide });
      }
    }
    return trades.reverse();
  }

  candles(
    instrumentId: InstrumentId,
    interval: VenueInterval,
    time: EpochMs,
    query: CandleQuery,
  ): readonly Candle[] | undefined {
    const seen = this.#seen(instrumentId, time);
    return seen?.klines.at(interval, time, seen.rules, query);
  }

  mark(instrumentId: InstrumentId, time: EpochMs): MarkPrice | undefined {
    const seen = this.#seen(instrumentId, time);
    if (seen?.source.instrument.kind !== 'futures') return undefined;
    const { series, marks, rules, source } = seen;
    const last = series.last(time, rules);
    const markPrice = marks === undefined || marks.rowAt(time) < 0 ? last : marks.last(time, rules);
    const funding = source.funding?.at(time);
    return {
      instrumentId,
      markPrice,
      // No index is stored: the mark follows it closely.
      indexPrice: markPrice,
      fundingRate: funding?.settled,
      nextFundingRate: funding?.settled,
      time,
    };
  }

  #seen(instrumentId: InstrumentId, time: EpochMs): Seen | undefined {
    const id = spotTwin(instrumentId);
    const listed = this.#listed.get(id);
    const rules = this.#options.rules.at(id, time);
    if (listed === undefined || rules === undefined) return undefined;
    const row = listed.series.rowAt(time);
    return row < 0 ? undefined : { ...listed, rules, row };
  }
}

/** Margin pairs trade on the spot market. */
function spotTwin(instrumentId: InstrumentId): InstrumentId {
  const { kind, symbol } = splitInstrumentId(instrumentId);
  return kind === 'margin' ? (`spot:${symbol}` as InstrumentId) : instrumentId;
}
