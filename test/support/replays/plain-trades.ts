import {
  formatFixed,
  nominalIntervalMs,
  type CandleColumns,
  type Instrument,
  type Interval,
} from '../../../src/domain/index.js';
import type { RunRecord, Trade } from '../../../src/report/index.js';
import type { PlainBars, PlainInstrument, PlainRun, PlainTrade } from '../../brute-force/trades.js';

/** The input of the brute-force check of trades. It has no trades and no sums of the result. */
export function plainRunOf(
  record: RunRecord,
  bars: ReadonlyMap<string, PlainBars>,
  arrivalOf: (orderId: string) => string | undefined,
): PlainRun {
  return {
    from: record.run.from,
    to: record.run.to,
    instruments: record.instruments.map((instrument) =>
      plainInstrument(instrument, record.equityCurrency),
    ),
    holdings: record.openingHoldings.map(({ instrumentId, holding }) => ({
      instrument: instrumentId,
      quantity: formatFixed(holding.quantity),
      value: formatFixed(holding.entryValue),
    })),
    fills: Array.from(record.fills, ({ record: fill, step, quoteRate }) => ({
      time: fill.eventTime,
      instrument: fill.instrumentId,
      side: fill.side,
      action: fill.action,
      price: formatFixed(fill.price),
      quantity: formatFixed(fill.quantity),
      fee: formatFixed(fill.fee),
      feeAsset: fill.feeAsset,
      step: formatFixed(step),
      rate: formatFixed(quoteRate),
      arrival: arrivalOf(fill.clientOrderId),
    })),
    charges: record.financings.map(({ time, instrumentId, direction, cost, accrued }) => ({
      time,
      instrument: instrumentId,
      side: direction,
      cost: formatFixed(cost),
      quantity: formatFixed(accrued.quantity),
      value: formatFixed(accrued.value),
    })),
    finals: new Map(
      [...(record.finalPrices ?? [])].map(([id, { price, worth }]) => [
        id,
        { price: formatFixed(price), worth: formatFixed(worth) },
      ]),
    ),
    bars,
  };
}

export function barsOf(columns: CandleColumns, interval: Interval): PlainBars {
  return { ...columns, stepMs: nominalIntervalMs(interval) };
}

function plainInstrument(instrument: Instrument, equityCurrency: string): PlainInstrument {
  const { id, base } = instrument;
  const isCoin = base === equityCurrency;
  return instrument.kind === 'futures'
    ? {
        ...{ id, base, isCoin, product: instrument.contract },
        multiplier: formatFixed(instrument.multiplier),
      }
    : { id, base, isCoin, product: instrument.kind, multiplier: '1' };
}

/** Trades of a result in the form of the brute-force check, in its order. */
export function asPlainTrades(
  trades: readonly Trade[],
  { instruments }: RunRecord,
): readonly PlainTrade[] {
  const sides = instruments.flatMap(({ id }) => [`${id} long`, `${id} short`]);
  const placeOf = ({ instrument, side }: Trade): number => sides.indexOf(`${instrument} ${side}`);
  return trades
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .map((trade) => ({
      instrument: trade.instrument,
      side: trade.side,
      open: trade.open,
      from: trade.entry.time,
      to: trade.entry.time + trade.duration,
      fills: [...trade.entry.fills, ...(trade.exit?.fills ?? [])].toSorted((a, b) => a - b),
      entryPrice: trade.entry.price,
      exitPrice: trade.exit?.price ?? null,
      gross: trade.gross,
      fees: trade.fees,
      financing: trade.interest === '0' ? trade.funding : trade.interest,
      profit: trade.profit,
      mae: trade.mae,
      mfe: trade.mfe,
      shortfall: trade.shortfall,
    }));
}
