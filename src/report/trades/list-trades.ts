import {
  contractValue,
  convertFixed,
  divideFixed,
  fixedToNumber,
  formatFixed,
  missing,
  multiplyFixed,
  present,
  type Direction,
  type EpochMs,
  type Fixed,
  type Instrument,
  type InstrumentId,
} from '../../domain/index.js';
import { FillValuer, type FillValue } from '../fill-value.js';
import type { ResultOrders } from '../result-orders.js';
import type { ResultFill, Trade, TradeTotals } from '../result-schema.js';
import { TripBook, type TripSide } from '../round-trips.js';
import type { RunRecord } from '../run-record.js';
import type { TradeAmounts } from './breakdowns.js';
import type { HeldPrices } from './held-prices.js';
import { OpenTrade } from './open-trade.js';
import { arrivalPrices, shortfallOfFill, type ArrivalPrice } from './arrival-prices.js';

/** Orders and fills as the result has them, beside what they are listed from. */
export interface TradeInputs {
  readonly record: RunRecord;
  readonly orders: ResultOrders;
  readonly fills: readonly ResultFill[];
  readonly prices: HeldPrices;
}

/** What a result says of the trades of a run. */
export interface ListedTrades {
  readonly trades: readonly Trade[];
  readonly tradeTotals: TradeTotals;
  /** Of each trade. */
  readonly amounts: readonly TradeAmounts[];
}

/**
 * Lists the trades of a run, closed and open, with what each brought and cost. Profits of closed trades are those of `roundTrips`, to the last decimal.
 *
 * `passTo` is told of the time of each fill before it is taken: what reads candles beside the list goes with it.
 * @throws {InvariantError} `E_OVERCLOSED`, `E_MISSING` when the record contradicts itself.
 */
export function listTrades(
  inputs: TradeInputs,
  passTo: (time: EpochMs) => void = () => undefined,
): ListedTrades {
  const list = new TradeList(inputs);
  inputs.fills.forEach((fill, place) => {
    passTo(fill.time);
    list.take(place, fill);
  });
  return list.finish();
}

const SIDES = ['long', 'short'] as const;

class TradeList {
  readonly #inputs: TradeInputs;
  readonly #book: TripBook;
  readonly #valuer: FillValuer;
  readonly #instruments: ReadonlyMap<InstrumentId, Instrument>;
  readonly #arrivalOf: ArrivalPrice;
  readonly #open = new Map<string, OpenTrade>();
  readonly #trades: Trade[] = [];
  readonly #amounts: TradeAmounts[] = [];
  #begun = 0;
  #closed: Fixed = 0n;

  constructor(inputs: TradeInputs) {
    const { run, instruments, openingHoldings, financings, equityCurrency } = inputs.record;
    this.#inputs = inputs;
    this.#book = new TripBook({ time: run.from, holdings: openingHoldings, financings });
    this.#valuer = new FillValuer(instruments);
    this.#instruments = new Map(instruments.map((instrument) => [instrument.id, instrument]));
    this.#arrivalOf = arrivalPrices(inputs.record, inputs.orders, inputs.prices);
    for (const { instrumentId, holding } of openingHoldings) {
      const trade = this.#begin(keyOf(instrumentId, 'long'), run.from, true);
      // In another quote its worth at the start is not recorded.
      trade.opened =
        this.#instrument(instrumentId).quote === equityCurrency ? holding.entryValue : undefined;
      trade.shortfall = undefined;
    }
  }

  #begin(key: string, time: number, isOld: boolean): OpenTrade {
    const trade = new OpenTrade({ place: this.#begun, time, isOld });
    this.#begun += 1;
    this.#open.set(key, trade);
    return trade;
  }

  take(place: number, entry: ResultFill): void {
    const value = this.#valuer.of(present(this.#inputs.record.fills.at(place), 'fill'));
    const { instrumentId, action, eventTime } = value.fill.record;
    const { direction } = value;
    const side = this.#book.side(instrumentId, direction);
    const key = keyOf(instrumentId, direction);
    const known = this.#open.get(key);
    const trade = known ?? this.#begin(key, eventTime, false);
    if (known !== undefined)
      this.#watch(known, side, { instrumentId, direction, until: eventTime });
    const trip = this.#book.take(value);
    trade.quoteRate = value.fill.quoteRate;
    this.#note(trade, value, { place, entry });
    if (action === 'open' && trade.opened !== undefined)
      trade.opened += convertFixed(value.value, value.valueRate);
    // What is left moves on from the price of the fill.
    trade.see(
      side.grossPnl +
        this.#unrealized(side, trade, { instrumentId, direction }, value.fill.record.price),
    );
    if (trip === undefined) return;
    this.#open.delete(key);
    this.#closed += trip.pnl;
    this.#trades[trade.place] = this.#write(trade, side, {
      instrumentId,
      direction,
      time: trip.closeTime,
      gross: trip.pnl + trip.fees + trip.financing,
      isOpen: false,
    });
  }

  /** Prices that were passed since the last fill, with what was held then. */
  #watch(
    trade: OpenTrade,
    side: TripSide,
    at: {
      readonly instrumentId: InstrumentId;
      readonly direction: Direction;
      readonly until: number;
    },
  ): void {
    const range = this.#inputs.prices.between(at.instrumentId, trade.since, at.until);
    trade.since = at.until;
    if (range === undefined) return;
    for (const price of [range.low, range.high])
      trade.see(side.grossPnl + this.#unrealized(side, trade, at, price));
  }

  #note(
    trade: OpenTrade,
    value: FillValue,
    { place, entry }: { readonly place: number; readonly entry: ResultFill },
  ): void {
    const { action } = value.fill.record;
    (action === 'open' ? trade.entry : trade.exit).add(place, value, entry);
    if (entry.intent !== null) trade.intents.add(entry.intent);
    const arrival = this.#arrivalOf(entry);
    if (action === 'open' && trade.entry.fills.length === 1) trade.arrival = arrival;
    if (trade.shortfall === undefined) return;
    trade.shortfall =
      arrival === undefined
        ? undefined
        : trade.shortfall +
          shortfallOfFill(value, this.#instrument(value.fill.record.instrumentId), arrival);
  }

  #instrument(id: InstrumentId): Instrument {
    return this.#instruments.get(id) ?? missing(`instrument ${id}`);
  }

  /** What is held would bring at a price, in the equity currency. */
  #unrealized(
    { holding }: TripSide,
    { quoteRate }: OpenTrade,
    {
      instrumentId,
      direction,
    }: { readonly instrumentId: InstrumentId; readonly direction: Direction },
    price: Fixed,
  ): Fixed {
    if (holding.quantity === 0n || price === 0n) return 0n;
    const instrument = this.#instrument(instrumentId);
    const gain = gainAt(instrument, direction, holding, price);
    return convertFixed(gain, isInverse(instrument) ? multiplyFixed(price, quoteRate) : quoteRate);
  }

  finish(): ListedTrades {
    const { record } = this.#inputs;
    const { to } = record.run;
    let open = 0n;
    let dust = 0n;
    for (const { id } of record.instruments) {
      for (const direction of SIDES) {
        const waited = this.#book.settle(id, direction, to);
        const side = this.#book.side(id, direction);
        const unrealized = this.#unrealizedAtEnd(side, id, direction);
        const trade = this.#open.get(keyOf(id, direction));
        if (trade === undefined) {
          dust += unrealized - waited;
          continue;
        }
        this.#watch(trade, side, { instrumentId: id, direction, until: to });
        const gross = side.grossPnl + unrealized;
        trade.see(gross);
        open += gross - side.fees - side.financing;
        this.#trades[trade.place] = this.#write(trade, side, {
          ...{ instrumentId: id, direction, time: to, gross, isOpen: true },
        });
      }
    }
    return {
      trades: this.#trades,
      tradeTotals: this.#totals(open, dust),
      amounts: this.#amounts,
    };
  }

  #unrealizedAtEnd({ holding }: TripSide, id: InstrumentId, direction: Direction): Fixed {
    const final = this.#inputs.record.finalPrices?.get(id);
    if (final === undefined || holding.quantity === 0n) return 0n;
    return convertFixed(gainAt(this.#instrument(id), direction, holding, final.price), final.worth);
  }

  #totals(open: Fixed, dust: Fixed): TradeTotals {
    const { initialEquity, finalEquity, costs } = this.#inputs.record;
    const known = this.#closed + open + dust + costs.insurance;
    return {
      closed: formatFixed(this.#closed),
      open: formatFixed(open),
      dust: formatFixed(dust),
      insurance: formatFixed(costs.insurance),
      other: formatFixed(finalEquity - initialEquity - known),
    };
  }

  #write(
    trade: OpenTrade,
    side: TripSide,
    end: {
      readonly instrumentId: InstrumentId;
      readonly direction: Direction;
      readonly time: number;
      readonly gross: Fixed;
      readonly isOpen: boolean;
    },
  ): Trade {
    const instrument = this.#instrument(end.instrumentId);
    const inverse = isInverse(instrument);
    const entry = trade.isOld ? undefined : trade.entry.asEntry(inverse);
    const profit = end.gross - side.fees - side.financing;
    const isMargin = instrument.kind === 'margin';
    const amounts = {
      gross: end.gross,
      fees: side.fees,
      funding: isMargin ? 0n : side.financing,
      interest: isMargin ? side.financing : 0n,
      profit,
    };
    this.#amounts[trade.place] = amounts;
    return {
      instrument: end.instrumentId,
      side: end.direction,
      open: end.isOpen,
      entry: entry ?? heldEntry(trade, side, inverse),
      exit: trade.exit.asExit(inverse) ?? null,
      duration: end.time - side.openTime,
      gross: formatFixed(amounts.gross),
      fees: formatFixed(amounts.fees),
      funding: amounts.funding === 0n ? '0' : formatFixed(amounts.funding),
      interest: amounts.interest === 0n ? '0' : formatFixed(amounts.interest),
      profit: formatFixed(profit),
      return: trade.opened ? fixedToNumber(divideFixed(profit, trade.opened)) : null,
      mae: formatFixed(trade.mae),
      mfe: formatFixed(trade.mfe),
      arrival: trade.arrival === undefined ? null : formatFixed(trade.arrival),
      shortfall: trade.shortfall === undefined ? null : formatFixed(trade.shortfall),
      intents: [...trade.intents],
    };
  }
}

/** Of what was held when the run began; entries that were added later count among its fills. */
function heldEntry(trade: OpenTrade, side: TripSide, inverse: boolean): Trade['entry'] {
  const added = trade.entry.asEntry(inverse);
  return {
    time: side.openTime,
    price: added?.price ?? null,
    quantity: formatFixed(side.opened),
    fills: trade.entry.fills,
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

function isInverse(instrument: Instrument): boolean {
  return instrument.kind === 'futures' && instrument.contract === 'inverse';
}

function keyOf(id: InstrumentId, direction: Direction): string {
  return `${direction} ${id}`;
}
