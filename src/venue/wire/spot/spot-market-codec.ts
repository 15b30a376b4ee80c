import {
  createInstrumentId,
  divideFixed,
  DomainError,
  formatFixed,
  type InstrumentId,
  type InstrumentRules,
  resolveRules,
} from '../../../domain/index.js';
import type { z } from 'zod';
import type {
  Listings,
  PublicTrade,
  SkippedListing,
  SpotListing,
  Ticker,
} from '../../market-data.js';
import { encodeAmount, encodeSide } from '../json/encoding.js';
import type { JsonOutput } from '../json/json.js';
import type { AnswerProfile } from '../profile.js';
import type { UnreadableRecord } from '../json/record-list.js';
import type { SPOT_SYMBOL, SPOT_TICKER, SPOT_TRADE } from './spot-public.js';

type SymbolAnswer = z.output<typeof SPOT_SYMBOL>;

/** Makes listings of the symbol list. A record that cannot be read, or whose limits contradict each other, is skipped with the reason. */
export function decodeSymbols(
  symbols: readonly (SymbolAnswer | UnreadableRecord)[],
): Listings<SpotListing> {
  const listings: SpotListing[] = [];
  const skipped: SkippedListing[] = [];
  for (const record of symbols) {
    if ('kind' in record) {
      skipped.push({ symbol: record.symbol, reason: record.problem });
      continue;
    }
    const rules = spotRules(record);
    const problem = ruleProblem(rules);
    if (problem !== undefined) {
      skipped.push({ symbol: record.symbol, reason: problem });
      continue;
    }
    listings.push({
      kind: 'spot',
      instrumentId: createInstrumentId('spot', record.symbol),
      symbol: record.symbol,
      base: record.baseAsset.toUpperCase(),
      quote: record.quoteAsset.toUpperCase(),
      rules,
    });
  }
  return { listings, skipped };
}

function spotRules(record: SymbolAnswer): InstrumentRules {
  const { limitVolumeMin, limitAmountMin } = record;
  return {
    tradable: true,
    pricePrecision: record.pricePrecision,
    quantityPrecision: record.quantityPrecision,
    ...(limitVolumeMin === undefined ? {} : { minOrderQuantity: limitVolumeMin }),
    ...(limitAmountMin === undefined ? {} : { minOrderMoney: limitAmountMin }),
  };
}

/** Says what is wrong with a record's rules, or nothing. */
export function ruleProblem(rules: InstrumentRules): string | undefined {
  try {
    resolveRules(rules);
    return undefined;
  } catch (error: unknown) {
    if (error instanceof DomainError) return error.message;
    throw error;
  }
}

/** Writes the symbol list: bare by the interface, in `symbols`, lower case and with minima in the family's form. */
export function encodeSymbols(
  listings: readonly SpotListing[],
  profile: AnswerProfile,
): JsonOutput {
  const isFamily = profile === 'family';
  const symbols = listings.map(({ symbol, base, quote, rules }) => ({
    symbol: isFamily ? symbol.toLowerCase() : symbol,
    baseAsset: base,
    quoteAsset: quote,
    pricePrecision: rules.pricePrecision,
    quantityPrecision: rules.quantityPrecision,
    ...(isFamily && rules.minOrderQuantity !== undefined
      ? { limitVolumeMin: encodeAmount(rules.minOrderQuantity, profile) }
      : {}),
    ...(isFamily && rules.minOrderMoney !== undefined
      ? { limitAmountMin: encodeAmount(rules.minOrderMoney, profile) }
      : {}),
  }));
  return isFamily ? { symbols } : symbols;
}

/** Makes a ticker. The change is computed from open and last where there is an open. */
export function decodeSpotTicker(
  answer: z.output<typeof SPOT_TICKER>,
  instrumentId: InstrumentId,
): Ticker {
  const { open, last } = answer;
  const hasOpen = open !== undefined && open > 0n;
  return {
    instrumentId,
    time: answer.time,
    last,
    high: answer.high,
    low: answer.low,
    volume: answer.vol,
    open: hasOpen ? open : undefined,
    bestBid: answer.buy,
    bestAsk: answer.sell,
    change: hasOpen ? divideFixed(last - open, open) : undefined,
  };
}

export function encodeSpotTicker(ticker: Ticker, profile: AnswerProfile): JsonOutput {
  return {
    ...encodeTickerFields(ticker, profile),
    ...(ticker.open === undefined ? {} : { open: encodeAmount(ticker.open, profile) }),
    ...(profile === 'family' ? { ...encodeBest(ticker, profile), rose: encodeRose(ticker) } : {}),
  };
}

/** The fields both tickers share. */
export function encodeTickerFields(
  ticker: Ticker,
  profile: AnswerProfile,
): Readonly<Record<string, JsonOutput>> {
  return {
    time: ticker.time,
    high: encodeAmount(ticker.high, profile),
    low: encodeAmount(ticker.low, profile),
    last: encodeAmount(ticker.last, profile),
    vol: encodeAmount(ticker.volume, profile),
  };
}

/** Best bid and ask, where there are any. */
export function encodeBest(
  { bestBid, bestAsk }: Ticker,
  profile: AnswerProfile,
): Readonly<Record<string, JsonOutput>> {
  return {
    ...(bestBid === undefined ? {} : { buy: encodeAmount(bestBid, profile) }),
    ...(bestAsk === undefined ? {} : { sell: encodeAmount(bestAsk, profile) }),
  };
}

/** The change as signed ratio: `+0.05` is +5 %. */
export function encodeRose({ change = 0n }: Ticker): string {
  return `${change > 0n ? '+' : ''}${formatFixed(change)}`;
}

/**
 * Makes prints of a trade list, oldest first. Prints of one time keep their order: times that rise show that the list has its oldest first, any
 * other list has its newest first, as documents of the family show lists.
 */
export function decodeTrades(
  trades: readonly z.output<typeof SPOT_TRADE>[],
  instrumentId: InstrumentId,
): readonly PublicTrade[] {
  const isRising = (trades[0]?.time ?? 0) < (trades.at(-1)?.time ?? 0);
  const oldestFirst = isRising ? trades : trades.toReversed();
  return oldestFirst
    .map(({ time, price, qty, side }) => ({
      instrumentId,
      time,
      price,
      quantity: qty,
      takerSide: side,
    }))
    .sort((a, b) => a.time - b.time);
}

/** Writes prints newest first. */
export function encodeTrades(trades: readonly PublicTrade[], profile: AnswerProfile): JsonOutput {
  return trades
    .map(({ time, price, quantity, takerSide }) => ({
      price: encodeAmount(price, profile),
      time,
      qty: encodeAmount(quantity, profile),
      side: encodeSide(takerSide),
    }))
    .reverse();
}
