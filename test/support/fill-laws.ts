import {
  ceilToStep,
  closeTimeOf,
  FIXED_ONE,
  fixedFromNumber,
  fixedToNumber,
  floorToStep,
  multiplyFixed,
  nominalIntervalMs,
  present,
  stepOfPrecision,
  type CandleSeries,
  type EpochMs,
  type FillRecord,
  type Fixed,
  type InstrumentId,
} from '../../src/domain/index.js';
import type { RunOrder, RunRecord } from '../../src/report/index.js';
import { findBrokenAccountLaws } from './account-laws.js';
import type { RandomRun } from './arbitraries/random-runs.js';

/** A candle as exact numbers. */
interface ExactCandle {
  readonly openTime: EpochMs;
  readonly closeTime: EpochMs;
  readonly high: Fixed;
  readonly low: Fixed;
  readonly volume: Fixed;
}

/** One fill with its order and the candles it may have happened on. */
interface PlacedFill {
  readonly fill: FillRecord;
  readonly order: RunOrder;
  /** One candle. Two for a fill of a resting order at the instant at which one candle closes and the next opens. */
  readonly candles: readonly ExactCandle[];
  /** Candles whose path overlaps the time between the order's arrival and the fill. */
  readonly since: readonly ExactCandle[];
}

/**
 * Checks the fills of a run against its orders and candles, from its record alone, and returns a sentence for each broken law
 * (DESIGN R1, R4-R6), including those of {@link findBrokenAccountLaws}:
 *
 * - nothing fills before its order could arrive, nor on the path of a candle that had closed by then;
 * - a taker pays a price of its candle, worsened at most by spread, slippage and one tick; a maker gets its limit, and only if the
 *   candle reached it and the limit was not marketable at some time since the order arrived; no order fills at a price worse than its limit;
 * - the fills of a candle take at most their share of its volume.
 */
export function findBrokenFillLaws(record: RunRecord, run: RandomRun): readonly string[] {
  const placed = placeFills(record, run);
  return [
    ...placed.flatMap((each) => findTimeFlaws(each, run)),
    ...placed.flatMap((each) => findPriceFlaws(each, run)),
    ...findVolumeFlaws(placed, run),
    ...findBrokenAccountLaws(record, run.config),
  ];
}

function placeFills(record: RunRecord, run: RandomRun): readonly PlacedFill[] {
  const orders = new Map([...record.orders].map((order) => [order.request.clientOrderId, order]));
  const candles = new Map<InstrumentId, readonly ExactCandle[]>();
  return [...record.fills].map(({ record: fill }) => {
    const { instrumentId, eventTime, liquidity } = fill;
    if (!candles.has(instrumentId)) candles.set(instrumentId, pathCandles(run, instrumentId));
    const order = present(orders.get(fill.clientOrderId), 'order of a fill');
    const arrival = arrivalOf(order, run);
    return {
      fill,
      order,
      since: (candles.get(instrumentId) ?? []).filter(
        ({ openTime, closeTime }) => openTime <= eventTime && arrival <= closeTime,
      ),
      candles: (candles.get(instrumentId) ?? []).filter(
        ({ openTime, closeTime }) =>
          arrival < closeTime &&
          openTime <= eventTime &&
          (eventTime < closeTime || (eventTime === closeTime && liquidity === 'maker')),
      ),
    };
  });
}

function arrivalOf({ state }: RunOrder, { config }: RandomRun): EpochMs {
  return state.createdTime + config.simulation.latency.submit.min;
}

/** The candles of an instrument's finest interval. */
function pathCandles({ series }: RandomRun, instrumentId: InstrumentId): readonly ExactCandle[] {
  const [finest] = series
    .filter((each) => each.instrumentId === instrumentId)
    .toSorted((a, b) => nominalIntervalMs(a.interval) - nominalIntervalMs(b.interval));
  return finest === undefined ? [] : exactCandles(finest);
}

function exactCandles({ columns, interval }: CandleSeries): readonly ExactCandle[] {
  const exact = (column: Float64Array, row: number): Fixed =>
    fixedFromNumber(column[row] as number);
  return Array.from(columns.openTime, (openTime, row) => ({
    openTime,
    closeTime: closeTimeOf(openTime, interval),
    high: exact(columns.high, row),
    low: exact(columns.low, row),
    volume: exact(columns.volume, row),
  }));
}

function findTimeFlaws({ fill, order, candles }: PlacedFill, run: RandomRun): readonly string[] {
  const flaws: string[] = [];
  if (fill.eventTime < arrivalOf(order, run)) flaws.push('filled before it arrived');
  if (candles.length === 0) flaws.push('filled where no candle was open after its arrival');
  return flaws.map((flaw) => `${describeFill(fill)}: ${flaw}`);
}

function findPriceFlaws(
  { fill, order, candles, since }: PlacedFill,
  run: RandomRun,
): readonly string[] {
  const { request } = order;
  const isBuy = fill.side === 'buy';
  const flaws: string[] = [];
  if (request.type === 'limit') {
    const isWorse = isBuy ? fill.price > request.limitPrice : fill.price < request.limitPrice;
    if (isWorse) flaws.push('a price worse than the limit');
  }
  if (fill.liquidity === 'maker') {
    if (request.type !== 'limit' || fill.price !== request.limitPrice)
      flaws.push('a maker fill away from the limit');
    if (!candles.some((candle) => hasReached(fill, candle, run)))
      flaws.push('a maker fill where the candle never went');
    if (!since.some((candle) => canRestOn(fill, candle, run)))
      flaws.push('a maker fill of a limit that was marketable all the time');
  } else if (!candles.some((candle) => isTakerPrice({ fill, order, candle, run }))) {
    flaws.push('a taker fill outside the candle and its costs');
  }
  return flaws.map((flaw) => `${describeFill(fill)}: ${flaw}`);
}

function hasReached(
  { side, price, instrumentId }: FillRecord,
  candle: ExactCandle,
  run: RandomRun,
): boolean {
  const beyond = run.config.simulation.fillOnTouch ? 0n : tickOf(instrumentId, run);
  return side === 'buy' ? candle.low <= price - beyond : candle.high >= price + beyond;
}

/** Whether a limit was not marketable at some price of a candle (DESIGN R5). */
function canRestOn(
  { side, price }: FillRecord,
  { high, low }: ExactCandle,
  run: RandomRun,
): boolean {
  const halfSpread = run.config.simulation.spreadBps / 20_000n;
  return side === 'buy'
    ? price * FIXED_ONE < high * (FIXED_ONE + halfSpread)
    : price * FIXED_ONE > low * (FIXED_ONE - halfSpread);
}

function isTakerPrice(options: {
  readonly fill: FillRecord;
  readonly order: RunOrder;
  readonly candle: ExactCandle;
  readonly run: RandomRun;
}): boolean {
  const { fill, candle, run } = options;
  const tick = tickOf(fill.instrumentId, run);
  const cost = largestCost(options);
  return fill.side === 'buy'
    ? fill.price >= candle.low &&
        fill.price <= ceilToStep(multiplyFixed(candle.high, FIXED_ONE + cost), tick)
    : fill.price <= candle.high &&
        fill.price >= floorToStep(multiplyFixed(candle.low, FIXED_ONE - cost), tick);
}

/** Half the spread, plus the slippage for the full quantity of the order. */
function largestCost({
  order,
  candle,
  run,
}: {
  readonly order: RunOrder;
  readonly candle: ExactCandle;
  readonly run: RandomRun;
}): Fixed {
  const { spreadBps, slippage } = run.config.simulation;
  const halfSpread = spreadBps / 20_000n;
  if (slippage.model === 'fixed') return halfSpread + slippage.bps / 10_000n;
  const { quantity, unit } = order.request;
  const wanted = unit === 'quote' ? (quantity * FIXED_ONE) / candle.low : quantity;
  const share =
    candle.volume === 0n ? 1 : Math.sqrt(fixedToNumber(wanted) / fixedToNumber(candle.volume));
  // A billionth more than the square root, for the rounding of float64.
  return halfSpread + fixedFromNumber(fixedToNumber(slippage.coefficient) * share * (1 + 1e-9), 18);
}

/**
 * A fill at the instant at which one candle closes and the next opens can belong to either. It counts against both volumes together; the
 * other fills of each candle count against that candle alone.
 */
function findVolumeFlaws(placed: readonly PlacedFill[], run: RandomRun): readonly string[] {
  const { participation } = run.config.simulation;
  if (participation === 'off') return [];
  const flaws: string[] = [];
  for (const { instrumentId } of run.config.instruments) {
    const step = stepOf(instrumentId, run);
    const mine = placed.filter(({ fill }) => fill.instrumentId === instrumentId);
    const candles = pathCandles(run, instrumentId);
    const taken = (of: readonly ExactCandle[]): Fixed =>
      mine
        .filter((each) =>
          each.candles.every(({ openTime }) => of.some((one) => one.openTime === openTime)),
        )
        .reduce((sum, { fill }) => sum + fill.quantity, 0n);
    const pool = ({ volume }: ExactCandle): Fixed =>
      floorToStep(multiplyFixed(participation, volume), step);
    for (const [index, candle] of candles.entries()) {
      const next = candles[index + 1];
      const isOver =
        taken([candle]) > pool(candle) ||
        (next !== undefined && taken([candle, next]) > pool(candle) + pool(next));
      if (isOver)
        flaws.push(`${instrumentId} ${String(candle.openTime)}: more than its volume allows`);
    }
  }
  return flaws;
}

function tickOf(instrumentId: InstrumentId, { config }: RandomRun): Fixed {
  return stepOfPrecision(config.simulation.rules.get(instrumentId)?.pricePrecision ?? 0);
}

function stepOf(instrumentId: InstrumentId, { config }: RandomRun): Fixed {
  return stepOfPrecision(config.simulation.rules.get(instrumentId)?.quantityPrecision ?? 0);
}

function describeFill({ clientOrderId, eventTime, side, liquidity }: FillRecord): string {
  return `${clientOrderId} ${side} ${liquidity} at ${String(eventTime)}`;
}
