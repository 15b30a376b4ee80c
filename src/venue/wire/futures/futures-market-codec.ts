import {
  createInstrumentId,
  type Fixed,
  type InstrumentId,
  type InstrumentRules,
} from '../../../domain/index.js';
import type { z } from 'zod';
import type {
  FuturesListing,
  Listings,
  ContractIndex,
  SkippedListing,
  Ticker,
} from '../../market-data.js';
import { encodeAmount, encodeAmountOrZero, symbolOf } from '../json/encoding.js';
import type { CONTRACT, FUTURES_TICKER, INDEX } from './futures-public.js';
import { numberOrZero } from './futures-encoding.js';
import type { JsonOutput } from '../json/json.js';
import type { AnswerProfile } from '../profile.js';
import type { UnreadableRecord } from '../json/record-list.js';
import {
  encodeBest,
  encodeRose,
  encodeTickerFields,
  ruleProblem,
} from '../spot/spot-market-codec.js';

type ContractAnswer = z.output<typeof CONTRACT>;

/**
 * Makes listings of the contract list. Contracts that cannot be read, contradict themselves, whose face value is not in the unit their
 * kind calls for, or whose name shows no base and quote, are skipped with the reason: their amounts could only be guessed.
 */
export function decodeContracts(
  contracts: readonly (ContractAnswer | UnreadableRecord)[],
): Listings<FuturesListing> {
  const listings: FuturesListing[] = [];
  const skipped: SkippedListing[] = [];
  for (const record of contracts) {
    const listing = 'kind' in record ? record.problem : decodeContract(record);
    if (typeof listing === 'string') skipped.push({ symbol: record.symbol, reason: listing });
    else listings.push(listing);
  }
  return { listings, skipped };
}

/** One listing, or the reason why there is none. */
function decodeContract(record: ContractAnswer): FuturesListing | string {
  const [, base, quote, ...rest] = record.symbol.split('-');
  if (!base || !quote || rest.length > 0) return 'expected a name of the form E-BASE-QUOTE';
  if (record.side > 1) return `expected side 0 or 1, received ${String(record.side)}`;
  const contract = record.side === 1 ? 'linear' : 'inverse';
  const multiplierAsset = record.multiplierCoin.toUpperCase();
  if ((multiplierAsset === quote) === (contract === 'linear')) {
    return `expected a face value in ${contract === 'linear' ? 'base' : 'quote'}, received one in ${multiplierAsset}`;
  }
  if (record.multiplier === 0n) return 'expected a face value > 0';
  const rules = contractRules(record);
  const problem = ruleProblem(rules);
  if (problem !== undefined) return problem;
  return {
    kind: 'futures',
    instrumentId: createInstrumentId('futures', record.symbol),
    symbol: record.symbol,
    base,
    quote,
    contract,
    contractType: record.type,
    multiplier: record.multiplier,
    multiplierAsset,
    marginAsset: record.marginCoin?.toUpperCase() ?? (contract === 'linear' ? quote : base),
    maxLimitMoney: record.maxLimitMoney,
    contractId: record.contractId,
    rules,
  };
}

function contractRules(record: ContractAnswer): InstrumentRules {
  const limits = {
    minOrderQuantity: unlessZero(record.minOrderVolume),
    minOrderMoney: unlessZero(record.minOrderMoney),
    maxMarketQuantity: record.maxMarketVolume,
    maxMarketMoney: record.maxMarketMoney,
    maxLimitQuantity: record.maxLimitVolume,
    maxWorkingOrders: record.maxValidOrder,
  };
  const stated = Object.entries(limits).filter(([, limit]) => limit !== undefined);
  return {
    tradable: record.status === 1,
    pricePrecision: record.pricePrecision,
    quantityPrecision: 0,
    ...Object.fromEntries(stated),
  };
}

/**
 * A minimum of 0 means no minimum. A maximum of 0 stays as it is, which makes the record unusable: it would allow nothing, and to read it
 * as "no limit" would be a guess that risks money.
 */
function unlessZero(minimum: Fixed | undefined): Fixed | undefined {
  return minimum === 0n ? undefined : minimum;
}

/** Writes the contract list. Minimums that do not exist are 0; a maximum that does not exist has no field: read as 0, it would forbid every order. */
export function encodeContracts(
  listings: readonly FuturesListing[],
  profile: AnswerProfile,
): JsonOutput {
  return listings.map(({ rules, ...listing }) => ({
    symbol: listing.symbol,
    status: rules.tradable ? 1 : 0,
    type: listing.contractType,
    side: listing.contract === 'linear' ? 1 : 0,
    multiplier: encodeAmount(listing.multiplier, profile),
    multiplierCoin: listing.multiplierAsset,
    pricePrecision: rules.pricePrecision,
    minOrderVolume: encodeAmountOrZero(rules.minOrderQuantity, profile),
    minOrderMoney: encodeAmountOrZero(rules.minOrderMoney, profile),
    ...encodeMaximums({ ...rules, maxLimitMoney: listing.maxLimitMoney }, profile),
    ...(profile === 'family'
      ? { marginCoin: listing.marginAsset, contractId: numberOrZero(listing.contractId) }
      : {}),
  }));
}

function encodeMaximums(
  limits: InstrumentRules & Pick<FuturesListing, 'maxLimitMoney'>,
  profile: AnswerProfile,
): { readonly [key: string]: JsonOutput } {
  const maximums: Readonly<Record<string, Fixed | undefined>> = {
    maxMarketVolume: limits.maxMarketQuantity,
    maxMarketMoney: limits.maxMarketMoney,
    maxLimitVolume: limits.maxLimitQuantity,
    ...(profile === 'family' ? { maxLimitMoney: limits.maxLimitMoney } : {}),
  };
  const stated = Object.entries(maximums).flatMap(([name, maximum]) =>
    maximum === undefined ? [] : [[name, encodeAmount(maximum, profile)] as const],
  );
  const { maxWorkingOrders } = limits;
  return {
    ...Object.fromEntries(stated),
    ...(maxWorkingOrders === undefined ? {} : { maxValidOrder: maxWorkingOrders }),
  };
}

/** Makes a ticker. Its text `rose` is not read: the unit differs between deployments. */
export function decodeFuturesTicker(
  answer: z.output<typeof FUTURES_TICKER>,
  instrumentId: InstrumentId,
): Ticker {
  return {
    instrumentId,
    time: answer.time,
    last: answer.last,
    high: answer.high,
    low: answer.low,
    volume: answer.vol,
    open: undefined,
    bestBid: answer.buy,
    bestAsk: answer.sell,
    change: undefined,
  };
}

export function encodeFuturesTicker(ticker: Ticker, profile: AnswerProfile): JsonOutput {
  return {
    ...encodeTickerFields(ticker, profile),
    rose: encodeRose(ticker),
    ...(profile === 'family' ? encodeBest(ticker, profile) : {}),
  };
}

/** Makes a mark price. The contract is the one that was asked for: live answers do not name it. */
export function decodeIndex(
  answer: z.output<typeof INDEX>,
  instrumentId: InstrumentId,
): ContractIndex {
  return {
    instrumentId,
    markPrice: answer.markPrice,
    indexPrice: answer.indexPrice,
    fundingRate: answer.lastFundingRate ?? answer.currentFundRate,
    nextFundingRate: answer.nextFundRate,
    time: answer.time,
  };
}

/** Writes a mark price; the family's form has both spellings, the time and the estimate of the next rate. */
export function encodeIndex(mark: ContractIndex, profile: AnswerProfile): JsonOutput {
  const markPrice = encodeAmount(mark.markPrice, profile);
  const fundingRate = encodeAmountOrZero(mark.fundingRate, profile);
  return {
    indexPrice: encodeAmount(mark.indexPrice, profile),
    markPrice,
    contractName: symbolOf(mark.instrumentId),
    lastFundingRate: fundingRate,
    ...(profile === 'family'
      ? {
          tagPrice: markPrice,
          currentFundRate: fundingRate,
          nextFundRate: encodeAmountOrZero(mark.nextFundingRate, profile),
          time: mark.time,
        }
      : {}),
  };
}
