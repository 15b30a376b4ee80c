import {
  convertFixed,
  FIXED_ONE,
  formatFixed,
  isInverse,
  maxFixed,
  minFixed,
  missing,
  type Direction,
  type EpochMs,
  type Fixed,
  type InstrumentId,
} from '../../domain/index.js';
import type { FillValue } from '../figures/fill-value.js';
import type { Breakdown, ResultOrder, Trade, TradeTotals } from '../result/result-schema.js';
import type { RoundTrip, TripBook, TripSide } from '../figures/round-trips.js';
import type { RunRecord } from '../run-record.js';
import { arrivalPrices, type ArrivalPrice } from './arrival-prices.js';
import { TradeGroups } from './breakdowns.js';
import type { RunPrices } from './held-prices.js';
import {
  addFill,
  describeTrade,
  gainAt,
  watchUntil,
  type OpenTrade,
  type TradeLine,
  type TradeOutcome,
} from './open-trade.js';
import type { PlacedFill } from './trade-end.js';

/** The part of a result that lists the trades of a run. */
export interface ListedTrades {
  readonly trades: readonly Trade[];
  readonly tradeTotals: TradeTotals;
  readonly breakdowns: readonly Breakdown[];
}

const SIDES = ['long', 'short'] as const;

/**
 * Lists the closed and open trades of a run as the fills come, each with its profit and costs. Profits of closed trades equal those of `roundTrips` to the
 * last decimal.
 *
 * @throws {InvariantError} `E_OVERCLOSED`, `E_MISSING` when the record contradicts itself.
 */
export class TradeList {
  readonly #record: RunRecord;
  readonly #prices: RunPrices;
  readonly #book: TripBook;
  readonly #arrivalOf: ArrivalPrice;
  readonly #lines = new Map<TripSide, TradeLine>();
  /** The line of the last fill. */
  #latest: TradeLine | undefined;
  readonly #trades: Trade[] = [];
  readonly #groups = new TradeGroups();
  #begun = 0;
  #closed: Fixed = 0n;

  /** `book`: the book of the run, before the first fill. */
  constructor(record: RunRecord, book: TripBook, prices: RunPrices) {
    const { run, openingHoldings, equityCurrency } = record;
    this.#record = record;
    this.#prices = prices;
    this.#book = book;
    this.#arrivalOf = arrivalPrices(record);
    for (const { instrumentId, holding } of openingHoldings) {
      const line = this.#lineOf(instrumentId, 'long');
      const trade = this.#begin(line, run.from, true);
      // The worth at the start is recorded in quote only. With another equity currency it is unknown.
      trade.opened = line.instrument.quote === equityCurrency ? holding.entryValue : undefined;
      trade.shortfall = undefined;
    }
  }

  #lineOf(instrumentId: InstrumentId, direction: Direction): TradeLine {
    const side = this.#book.side(instrumentId, direction);
    let line = this.#lines.get(side);
    if (line === undefined) this.#lines.set(side, (line = this.#createLine(side)));
    return line;
  }

  #createLine(side: TripSide): TradeLine {
    const { instrumentId: id } = side;
    const { instruments, equityCurrency } = this.#record;
    const instrument = instruments.find((one) => one.id === id) ?? missing(`instrument ${id}`);
    const prices = this.#prices.get(id) ?? missing(`candles of ${id}`);
    const terms = { side, instrument, prices, equityCurrency };
    return { ...terms, isInverse: isInverse(instrument), trade: undefined };
  }

  #begin(line: TradeLine, time: EpochMs, isOld: boolean): OpenTrade {
    const trade: OpenTrade = {
      line,
      place: this.#begun,
      isOld,
      entry: undefined,
      exit: undefined,
      intents: undefined,
      since: time,
      opened: 0n,
      arrival: undefined,
      shortfall: 0n,
      quoteRate: FIXED_ONE,
      mae: 0n,
      mfe: 0n,
    };
    this.#begun += 1;
    line.trade = trade;
    return trade;
  }

  /** Takes a fill and passes it to the book. `order`: the order that was filled, if known. Returns the trade that the fill ends. */
  take(fill: PlacedFill, order: ResultOrder | undefined): RoundTrip | undefined {
    const { value } = fill;
    const { instrumentId, eventTime } = value.fill.record;
    let line = this.#latest;
    if (line?.side.instrumentId !== instrumentId || line.side.direction !== value.direction)
      line = this.#latest = this.#lineOf(instrumentId, value.direction);
    let { trade } = line;
    if (trade === undefined) trade = this.#begin(line, eventTime, false);
    else watchUntil(trade, eventTime);
    const trip = this.#book.take(value);
    addFill(trade, fill, this.#arrivalOf(order, line.prices));
    if (trip !== undefined) this.#close(trade, trip);
    return trip;
  }

  /** Passes the fee of a fill to the book, if a position in its coin pays it. Returns the trade that this ends. */
  payFee(value: FillValue): RoundTrip | undefined {
    const payer = this.#book.payerOf(value);
    if (payer === undefined) return undefined;
    const { trade } = this.#lineOf(payer.instrumentId, payer.direction);
    if (trade !== undefined) watchUntil(trade, value.fill.record.eventTime);
    const trip = this.#book.payFee(value);
    if (trip !== undefined && trade !== undefined) this.#close(trade, trip);
    return trip;
  }

  #close(trade: OpenTrade, trip: RoundTrip): void {
    const { closeTime: time, fees, financing, pnl: profit } = trip;
    this.#closed += profit;
    trade.line.trade = undefined;
    this.#write(trade, { time, gross: profit + fees + financing, profit, isOpen: false });
  }

  finish(): ListedTrades {
    const { instruments, run } = this.#record;
    let open = 0n;
    let dust = 0n;
    for (const { id } of instruments) {
      for (const direction of SIDES) {
        const waited = this.#book.settle(id, direction, run.to);
        const side = this.#book.side(id, direction);
        const left = this.#leftAtEnd(side);
        const trade = this.#lines.get(side)?.trade;
        if (trade === undefined) {
          dust += left - waited;
          continue;
        }
        watchUntil(trade, run.to);
        const gross = side.grossPnl + left;
        trade.mae = minFixed(trade.mae, gross);
        trade.mfe = maxFixed(trade.mfe, gross);
        const profit = gross - side.fees - side.financing;
        open += profit;
        this.#write(trade, { time: run.to, gross, profit, isOpen: true });
      }
    }
    return {
      trades: this.#trades,
      tradeTotals: this.#totals(open, dust),
      breakdowns: this.#groups.entries(),
    };
  }

  /** Profit from closing the rest of a position at the end of the run, in the equity currency. */
  #leftAtEnd({ instrumentId, direction, holding }: TripSide): Fixed {
    const final = this.#record.finalPrices?.get(instrumentId);
    if (final === undefined || holding.quantity === 0n) return 0n;
    return convertFixed(gainAt(this.#lineOf(instrumentId, direction), final.price), final.worth);
  }

  #totals(open: Fixed, dust: Fixed): TradeTotals {
    const { initialEquity, finalEquity, costs } = this.#record;
    const known = this.#closed + open + dust + costs.insurance;
    return {
      closed: formatFixed(this.#closed),
      open: formatFixed(open),
      dust: formatFixed(dust),
      insurance: formatFixed(costs.insurance),
      other: formatFixed(finalEquity - initialEquity - known),
    };
  }

  #write(trade: OpenTrade, outcome: TradeOutcome): void {
    const { instrument, side } = trade.line;
    const isMargin = instrument.kind === 'margin';
    const amounts = {
      gross: outcome.gross,
      fees: side.fees,
      funding: isMargin ? 0n : side.financing,
      interest: isMargin ? side.financing : 0n,
    };
    const entry = describeTrade(trade, outcome, amounts);
    this.#trades[trade.place] = entry;
    if (!outcome.isOpen) this.#groups.add(entry, amounts, outcome.profit > 0n);
  }
}
