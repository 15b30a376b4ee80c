import {
  fixedFromNumber,
  fixedToNumber,
  missing,
  type AccountBalances,
  type Candle,
  type ClientOrderId,
  type EpochMs,
  type Fixed,
  type Instrument,
  type InstrumentId,
  type Interval,
  type OrderRequest,
} from '../domain/index.js';
import type { FundingTerms } from './futures/futures-clearing.js';
import type { ConditionalRequest } from './orders/conditional-orders.js';
import { nearestOrder } from './path/candle-path.js';
import { PolledSeries } from './polled-series.js';
import { SimulatedVenue, type SimulatedVenueOptions } from './simulated-venue.js';

/** An instrument whose price is polled. */
interface PolledInstrument {
  readonly instrument: Instrument;
  /** Interval of the candles that are received for it: the finest available. */
  readonly interval: Interval;
  /** Decimals of prices; a hint that makes conversions fast. */
  readonly pricePrecision: number;
}

interface PolledVenueOptions extends Omit<SimulatedVenueOptions, 'markets' | 'chooseOrder'> {
  /** In the order of the config. */
  readonly instruments: readonly PolledInstrument[];
}

interface Polled {
  readonly source: PolledInstrument;
  readonly prices: PolledSeries;
  readonly marks: PolledSeries;
  /** Volume of the last candle that was received. */
  volume: number;
  /** Time of the last poll of its price. */
  steppedAt: EpochMs;
  last: Fixed | undefined;
}

/**
 * A simulated venue whose path is a polled price: it steps from poll to poll, without any price in between (DESIGN §7, Paper). Matching, fees, margin
 * and liquidation are those of {@link SimulatedVenue}; docs/simulation.md explains the polls.
 *
 * The caller passes everything in, and times never fall: first `passTo` for a time, then the prices, marks, candles and commands of that time. The
 * updates that follow go to `onUpdate` within the call.
 */
export class PolledVenue {
  readonly #venue: SimulatedVenue;
  readonly #polled: ReadonlyMap<InstrumentId, Polled>;

  constructor(options: PolledVenueOptions) {
    this.#polled = new Map(
      options.instruments.map((source) => [
        source.instrument.id,
        {
          source,
          prices: new PolledSeries(),
          marks: new PolledSeries(),
          volume: 0,
          steppedAt: Number.NEGATIVE_INFINITY,
          last: undefined,
        },
      ]),
    );
    this.#venue = new SimulatedVenue({
      ...options,
      markets: [...this.#polled.values()].map(({ source, prices, marks }) => ({
        instrument: source.instrument,
        interval: source.interval,
        rows: prices.rows,
        isPolled: true,
        // The unit of the venue's own candles.
        volumeUnit: source.instrument.kind === 'futures' ? 'contracts' : 'base',
        pricePrecision: source.pricePrecision,
        mark:
          source.instrument.kind === 'futures'
            ? { interval: source.interval, rows: marks.rows, isPolled: true }
            : undefined,
      })),
      // Polled steps have no extremes, so any order will do.
      chooseOrder: nearestOrder,
    });
  }

  /** When something is due that needs no price: interest. Infinity if nothing is due. */
  nextDue(): EpochMs {
    return this.#venue.nextDue();
  }

  /** Moves to `time` and posts everything that is due by then. */
  passTo(time: EpochMs): void {
    this.#venue.completeUntil(time);
    this.#venue.settleUntil(time);
  }

  /**
   * Takes a polled price: the path steps to it, and commands that waited for a price arrive. Ignores a second price of the same instant, and a price
   * ≤ 0.
   */
  takePrice(instrumentId: InstrumentId, last: Fixed, time: EpochMs): void {
    const polled = this.#of(instrumentId);
    if (time <= polled.steppedAt || last <= 0n) return;
    polled.steppedAt = time;
    polled.last = last;
    this.#addRow(polled, time);
    this.#venue.openAt(time);
    this.#venue.admitWaiting(time);
    this.#venue.completeUntil(time);
  }

  /** Takes a polled mark. It stays until the next mark, and its liquidations happen at the next price. Ignores a mark ≤ 0. */
  takeMark(instrumentId: InstrumentId, mark: number, time: EpochMs): void {
    const { marks } = this.#of(instrumentId);
    if (mark > 0) marks.push({ time, price: mark, volume: 0 });
  }

  /**
   * Takes a closed candle. An order that rested through it fills if the candle's extremes reached it, even if no poll saw that. Orders share its
   * volume until the next candle. Ignores candles of other intervals than the instrument's own.
   */
  takeCandle(candle: Candle, time: EpochMs): void {
    const polled = this.#of(candle.instrumentId);
    const { source } = polled;
    if (candle.interval !== source.interval) return;
    polled.volume = candle.volume;
    if (polled.last === undefined) return;
    this.#addRow(polled, time);
    const exact = (price: number): Fixed => fixedFromNumber(price, source.pricePrecision);
    const { openTime, high, low } = candle;
    const seen = { openTime, high: exact(high), low: exact(low) };
    this.#venue.fillThrough(candle.instrumentId, seen, time);
  }

  /** Settles the funding of a contract on given terms, if the contract is held. */
  settleFunding(instrumentId: InstrumentId, terms: FundingTerms): void {
    this.#venue.settleFunding(instrumentId, terms);
  }

  /** An order arrives; it waits for the next price. */
  submit(request: OrderRequest, time: EpochMs): void {
    this.#venue.submit(request, time);
  }

  /** A conditional order arrives; it fires at the first polled price that is at or beyond its level. */
  submitConditional(request: ConditionalRequest, time: EpochMs): void {
    this.#venue.submitConditional(request, time);
  }

  cancel(clientOrderId: ClientOrderId, time: EpochMs, isCondition = false): void {
    this.#venue.cancel(clientOrderId, time, isCondition);
  }

  /** Whether anything is held of a contract. */
  holds(instrumentId: InstrumentId): boolean {
    const ledger = this.#venue.accounts.futures?.ledger;
    return ledger !== undefined && this.#polled.has(instrumentId) && ledger.isHeld(instrumentId);
  }

  /** The totals of each account, held parts included. Leaves out unrealized results of contracts. */
  balances(): AccountBalances {
    return this.#venue.accounts.balances();
  }

  #addRow({ source, prices, volume, last = 0n }: Polled, time: EpochMs): void {
    const forgotten = prices.push({ time, price: fixedToNumber(last), volume });
    if (forgotten > 0) this.#venue.market(source.instrument.id).forgetRows(forgotten);
  }

  #of(instrumentId: InstrumentId): Polled {
    return this.#polled.get(instrumentId) ?? missing(`polled prices of ${instrumentId}`);
  }
}
