import {
  ceilToStep,
  fixedFromNumber,
  floorToStep,
  type Candle,
  type EpochMs,
  type Fixed,
  type InstrumentId,
} from '../domain/index.js';
import { nearestOrder } from '../simulator/index.js';

/** Decimals of prices in a test: more than at any venue. */
export const PRICE_DECIMALS = 8;
/** The last price of a candle is polled this long before its end, because the next candle opens at the end. */
const BEFORE_CLOSE_MS = 1;

/** Times at which the path reaches a candle's open, its two extremes and its close. */
export function pathTimes(openTime: EpochMs, closeTime: EpochMs): readonly EpochMs[] {
  const third = Math.floor((closeTime - openTime) / 3);
  return [openTime, openTime + third, openTime + 2 * third, closeTime - BEFORE_CLOSE_MS];
}

/** Last prices of one instrument within a candle's time: straight from the open to the nearer extreme, the other extreme and the close. */
export class PlayedPath {
  readonly instrumentId: InstrumentId;
  readonly #prices: readonly Fixed[];
  readonly #times: readonly EpochMs[];
  readonly #tick: Fixed;

  /** @param tick - the tick size in force. */
  constructor(candle: Candle, tick: Fixed) {
    const exact = (price: number): Fixed => fixedFromNumber(price, PRICE_DECIMALS);
    const shape = {
      ...candle,
      open: exact(candle.open),
      high: exact(candle.high),
      low: exact(candle.low),
      close: exact(candle.close),
    };
    const { open, high, low, close } = shape;
    const extremes = nearestOrder(shape) === 'high-first' ? [high, low] : [low, high];
    this.instrumentId = candle.instrumentId;
    this.#prices = [open, ...extremes, close];
    this.#times = pathTimes(candle.openTime, candle.closeTime);
    this.#tick = tick;
  }

  /** Price at the end of a piece of the path; for piece 0 the open. */
  endPrice(piece: number): Fixed {
    return this.#prices[piece] as Fixed;
  }

  /** The price on the tick grid at a time of a piece. */
  priceAt(piece: number, time: EpochMs): Fixed {
    const { fromTime, toTime, from, to } = this.#piece(piece);
    const moved = ((to - from) * BigInt(time - fromTime)) / BigInt(toTime - fromTime);
    return floorToStep(from + moved, this.#tick);
  }

  /** The first time after `now` at which a piece reaches a level; Infinity if it does not. */
  timeOf(piece: number, level: Fixed, now: EpochMs): EpochMs {
    const { fromTime, toTime, from, to } = this.#piece(piece);
    const [low, high] = from < to ? [from, to] : [to, from];
    if (from === to || level < low || level > high) return Number.POSITIVE_INFINITY;
    const part = Number(level - from) / Number(to - from);
    const time = Math.ceil(fromTime + part * (toTime - fromTime));
    return time > now ? time : Number.POSITIVE_INFINITY;
  }

  /** Rounds a level to the tick grid, at the level or beyond it in the direction of a piece. */
  onGrid(piece: number, level: Fixed): Fixed {
    const { from, to } = this.#piece(piece);
    return from < to ? ceilToStep(level, this.#tick) : floorToStep(level, this.#tick);
  }

  #piece(piece: number): {
    readonly fromTime: EpochMs;
    readonly toTime: EpochMs;
    readonly from: Fixed;
    readonly to: Fixed;
  } {
    return {
      fromTime: this.#times[piece - 1] as EpochMs,
      toTime: this.#times[piece] as EpochMs,
      from: this.endPrice(piece - 1),
      to: this.endPrice(piece),
    };
  }
}
