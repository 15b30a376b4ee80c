import {
  contractValue,
  convertFixed,
  divideFixed,
  fixedToNumber,
  formatFixed,
  missing,
  multiplyFixed,
  type Direction,
  type Fixed,
  type Instrument,
  type InstrumentId,
} from '../../domain/index.js';
import type { Breakdown, ResultOrder, Trade, TradeTotals } from '../result-schema.js';
import { isInverse, valueRateAt } from '../fill-value.js';
import type { RoundTrip, TripBook, TripSide } from '../round-trips.js';
import type { RunRecord } from '../run-record.js';
import { arrivalPrices, shortfallOfFill, type ArrivalPrice } from './arrival-prices.js';
import { TradeGroups, type TradeAmounts } from './breakdowns.js';
import type { HeldPrices } from './held-prices.js';
import { OpenTrade, type PlacedFill } from './open-trade.js';

/** The part of a result that lists the trades of a run. */
export interface ListedTrades {
  readonly trades: readonly Trade[];
  readonly tradeTotals: TradeTotals;
  readonly breakdowns: readonly Breakdown[];
}

/** Outcome of a trade: at its end, or at the end of the run if it is still open. */
interface TradeOutcome {
  readonly time: number;
  /** Before costs. */
  readonly gross: Fixed;
  /** After costs. */
  readonly profit: Fixed;
  readonly isOpen: boolean;
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
  readonly #prices: HeldPrices;
  readonly #book: TripBook;
  readonly #instruments: ReadonlyMap<InstrumentId, Instrument>;
  readonly #arrivalOf: ArrivalPrice;
  readonly #open = new Map<TripSide, OpenTrade>();
  readonly #trades: Trade[] = [];
  readonly #groups = new TradeGroups();
  #begun = 0;
  #closed: Fixed = 0n;

  /** `book`: the book of the run, before the first fill. */
  constructor(record: RunRecord, book: TripBook, prices: HeldPrices) {
    const { run, instruments, openingHoldings, equityCurrency } = record;
    this.#record = record;
    this.#prices = prices;
    this.#book = book;
    this.#instruments = new Map(instruments.map((instrument) => [instrument.id, instrument]));
    this.#arrivalOf = arrivalPrices(record, prices);
    for (const { instrumentId, holding } of openingHoldings) {
      const trade = this.#begin(book.side(instrumentId, 'long'), run.from, true);
      // The worth at the start is recorded in quote only. With another equity currency it is unknown.
      trade.opened = trade.instrument.quote === equityCurrency ? holding.entryValue : undefined;
      trade.shortfall = undefined;
    }
  }

  #begin(side: TripSide, time: number, isOld: boolean): OpenTrade {
    const { instrumentId } = side;
    const instrument = this.#instruments.get(instrumentId) ?? missing(`instrument ${instrumentId}`);
    const trade = new OpenTrade({ instrument, place: this.#begun, time, isOld });
    this.#begun += 1;
    this.#open.set(side, trade);
    return trade;
  }

  /** Takes a fill and passes it to the book. `order`: the order that was filled, if known. Returns the trade that the fill ends. */
  take(fill: PlacedFill, order: ResultOrder | undefined): RoundTrip | undefined {
    const { value } = fill;
    const { instrumentId, eventTime, price } = value.fill.record;
    const side = this.#book.side(instrumentId, value.direction);
    const known = this.#open.get(side);
    const trade = known ?? this.#begin(side, eventTime, false);
    if (known !== undefined) this.#watch(known, side, eventTime);
    const trip = this.#book.take(value);
    trade.quoteRate = value.fill.quoteRate;
    this.#note(trade, fill, this.#arrivalOf(fill.entry, order));
    // From here on, the rest of the position starts at the price of the fill.
    trade.see(this.#profitAt(price, trade, side));
    if (trip !== undefined) this.#end(trade, side, trip);
    return trip;
  }

  #end(trade: OpenTrade, side: TripSide, trip: RoundTrip): void {
    this.#open.delete(side);
    this.#closed += trip.pnl;
    const gross = trip.pnl + trip.fees + trip.financing;
    this.#write(trade, side, { time: trip.closeTime, gross, profit: trip.pnl, isOpen: false });
  }

  /** Notes the profit at the prices traded since the last fill, with the holding of that time. */
  #watch(trade: OpenTrade, side: TripSide, until: number): void {
    const range = this.#prices.between(side.instrumentId, trade.since, until);
    trade.since = until;
    if (range === undefined) return;
    trade.see(this.#profitAt(range.low, trade, side));
    trade.see(this.#profitAt(range.high, trade, side));
  }

  /** Profit before costs if the rest of the position were closed at a price. */
  #profitAt(
    price: Fixed,
    { instrument, quoteRate }: OpenTrade,
    { direction, holding, grossPnl }: TripSide,
  ): Fixed {
    if (holding.quantity === 0n || price === 0n) return grossPnl;
    const gain = gainAt(instrument, direction, holding, price);
    const { equityCurrency } = this.#record;
    return (
      grossPnl + convertFixed(gain, valueRateAt(price, { instrument, quoteRate, equityCurrency }))
    );
  }

  #note(trade: OpenTrade, fill: PlacedFill, arrival: Fixed | undefined): void {
    const { value } = fill;
    if (trade.take(fill)) trade.arrival = arrival;
    if (trade.opened !== undefined && value.fill.record.action === 'open')
      trade.opened += convertFixed(value.value, value.valueRate);
    if (trade.shortfall === undefined) return;
    trade.shortfall =
      arrival === undefined
        ? undefined
        : trade.shortfall + shortfallOfFill(value, trade.instrument, arrival);
  }

  finish(): ListedTrades {
    const record = this.#record;
    const { to } = record.run;
    let open = 0n;
    let dust = 0n;
    for (const { id } of record.instruments) {
      for (const direction of SIDES) {
        const waited = this.#book.settle(id, direction, to);
        const side = this.#book.side(id, direction);
        const left = this.#leftAtEnd(side);
        const trade = this.#open.get(side);
        if (trade === undefined) {
          dust += left - waited;
          continue;
        }
        this.#watch(trade, side, to);
        const gross = side.grossPnl + left;
        trade.see(gross);
        const profit = gross - side.fees - side.financing;
        open += profit;
        this.#write(trade, side, { time: to, gross, profit, isOpen: true });
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
    const instrument = this.#instruments.get(instrumentId) ?? missing(`instrument ${instrumentId}`);
    return convertFixed(gainAt(instrument, direction, holding, final.price), final.worth);
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

  #write(trade: OpenTrade, side: TripSide, outcome: TradeOutcome): void {
    const isMargin = trade.instrument.kind === 'margin';
    const amounts = {
      gross: outcome.gross,
      fees: side.fees,
      funding: isMargin ? 0n : side.financing,
      interest: isMargin ? side.financing : 0n,
    };
    const entry = tradeOf(trade, side, outcome, amounts);
    this.#trades[trade.place] = entry;
    if (!outcome.isOpen) this.#groups.add(entry, amounts, outcome.profit > 0n);
  }
}

/** One literal: joining two objects takes longer than making all their members. */
function tradeOf(
  trade: OpenTrade,
  side: TripSide,
  { time, profit, isOpen }: TradeOutcome,
  { gross, fees, funding, interest }: TradeAmounts,
): Trade {
  const added = trade.entry?.asEntry(trade.isInverse);
  return {
    instrument: side.instrumentId,
    side: side.direction,
    open: isOpen,
    entry: added === undefined || trade.isOld ? heldEntry(side, added) : added,
    exit: trade.exit?.asExit(trade.isInverse) ?? null,
    duration: time - side.openTime,
    gross: formatFixed(gross),
    fees: formatFixed(fees),
    funding: funding === 0n ? '0' : formatFixed(funding),
    interest: interest === 0n ? '0' : formatFixed(interest),
    profit: formatFixed(profit),
    return: trade.opened ? fixedToNumber(divideFixed(profit, trade.opened)) : null,
    mae: formatFixed(trade.mae),
    mfe: formatFixed(trade.mfe),
    arrival: trade.arrival === undefined ? null : formatFixed(trade.arrival),
    shortfall: trade.shortfall === undefined ? null : formatFixed(trade.shortfall),
    intents: trade.intents,
  };
}

/** Entry of a trade that was held when the run began. `added`: later buys of the same trade; their fills are listed. */
function heldEntry(side: TripSide, added: Trade['entry'] | undefined): Trade['entry'] {
  return {
    time: side.openTime,
    price: added?.price ?? null,
    quantity: formatFixed(side.opened),
    fills: added?.fills ?? [],
    label: added?.label ?? null,
    cause: added?.cause ?? null,
  };
}

function gainAt(
  instrument: Instrument,
  direction: Direction,
  { quantity, entryValue }: TripSide['holding'],
  price: Fixed,
): Fixed {
  const worth =
    instrument.kind === 'futures'
      ? contractValue(instrument, quantity, price)
      : multiplyFixed(quantity, price);
  return (direction === 'long') === isInverse(instrument) ? entryValue - worth : worth - entryValue;
}
