import {
  closeTimeOf,
  isPossibleCandle,
  type Candle,
  type EpochMs,
  type InstrumentId,
  type VenueInterval,
} from '../../domain/index.js';
import type { z } from 'zod';
import type { DepthLevel, DepthSnapshot, PolledCandle } from '../market-data.js';
import { encodeAmount, encodeTime } from './json/encoding.js';
import type { JsonOutput } from './json/json.js';
import type { DEPTH, KLINE } from './market-shapes.js';
import type { AnswerProfile } from './profile.js';

type KlineAnswer = z.output<typeof KLINE>;
type DepthAnswer = z.output<typeof DEPTH>;

/** Writes the server time. The zone is that of the local times in other answers: UTC. */
export function encodeServerTime(serverTime: EpochMs): JsonOutput {
  return { timezone: 'UTC', serverTime };
}

/** Facts about klines that the caller knows and the answer does not hold. */
interface KlineContext {
  readonly instrumentId: InstrumentId;
  readonly interval: VenueInterval;
  /** The server's clock at the call; decides whether the newest candle is closed. */
  readonly now: EpochMs;
}

/**
 * Makes candles of klines in any order: sorted by open time, each time once. Of several rows for one time the one with the largest
 * volume is kept, because a candle's volume only grows. If the rows differ, the candle is marked `isDisputed`. A row whose numbers cannot be those of
 * a candle is none.
 */
export function decodeKlines(
  klines: readonly KlineAnswer[],
  { instrumentId, interval, now }: KlineContext,
): readonly PolledCandle[] {
  const byTime = new Map<EpochMs, KlineAnswer>();
  const disputed = new Set<EpochMs>();
  let newest = 0;
  for (const kline of klines) {
    newest = Math.max(newest, kline.idx);
    if (!isPossibleCandle({ ...kline, volume: kline.vol })) continue;
    const known = byTime.get(kline.idx);
    if (known !== undefined && !areEqual(kline, known)) disputed.add(kline.idx);
    if (known === undefined || kline.vol > known.vol) byTime.set(kline.idx, kline);
  }
  const rows = [...byTime.values()].sort((a, b) => a.idx - b.idx);
  return rows.map(({ idx, open, high, low, close, vol }) => {
    const closeTime = closeTimeOf(idx, interval);
    const closed = idx < newest || closeTime <= now;
    const times = { openTime: idx, closeTime };
    const candle = {
      instrumentId,
      interval,
      ...times,
      open,
      high,
      low,
      close,
      volume: vol,
      closed,
    };
    return disputed.has(idx) ? { ...candle, isDisputed: true } : candle;
  });
}

function areEqual(one: KlineAnswer, other: KlineAnswer): boolean {
  const { open, high, low, close, vol } = one;
  const isAt = open === other.open && close === other.close;
  return isAt && high === other.high && low === other.low && vol === other.vol;
}

/** Writes candles as klines, newest first as the family's documents show them. */
export function encodeKlines(candles: readonly Candle[], profile: AnswerProfile): JsonOutput {
  const price = (value: number): JsonOutput => (profile === 'family' ? String(value) : value);
  return candles
    .toSorted((a, b) => b.openTime - a.openTime)
    .map(({ openTime, open, high, low, close, volume }) => ({
      idx: openTime,
      open: price(open),
      close: price(close),
      high: price(high),
      low: price(low),
      vol: price(volume),
    }));
}

/** Makes a book of a depth answer, best price first on both sides, whatever the order of the answer. */
export function decodeDepth(answer: DepthAnswer, instrumentId: InstrumentId): DepthSnapshot {
  return {
    instrumentId,
    time: answer.time,
    bids: answer.bids.map(levelOf).sort((a, b) => compare(b.price, a.price)),
    asks: answer.asks.map(levelOf).sort((a, b) => compare(a.price, b.price)),
  };
}

function levelOf([price, quantity]: DepthAnswer['bids'][number]): DepthLevel {
  return { price, quantity };
}

function compare(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Writes a book; the family's rows have a third column with the quantity up to that level. */
export function encodeDepth(depth: DepthSnapshot, profile: AnswerProfile): JsonOutput {
  return {
    time: encodeTime(depth.time),
    bids: encodeLevels(depth.bids, profile),
    asks: encodeLevels(depth.asks, profile),
  };
}

function encodeLevels(levels: readonly DepthLevel[], profile: AnswerProfile): JsonOutput {
  let total = 0n;
  return levels.map(({ price, quantity }) => {
    total += quantity;
    const columns = [encodeAmount(price, profile), encodeAmount(quantity, profile)];
    return profile === 'family' ? [...columns, encodeAmount(total, profile)] : columns;
  });
}
