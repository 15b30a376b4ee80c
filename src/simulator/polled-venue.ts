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
import { nearestOrder } from './candle-path.js';
import type { ConditionalRequest } from './conditional-orders.js';
import type { FundingTerms } from './futures-clearing.js';
import { PolledSeries } from './polled-series.js';
import { SimulatedVenue, type SimulatedVenueOptions } from './simulated-venue.js';

/** An instrument whose price is polled. */
export interface PolledInstrument {
  readonly instrument: Instrument;
  /** Interval of the candles that are seen of it: the finest there is. */
  readonly interval: Interval;
  /** Decimals of prices; a hint that makes conversions fast. */
  readonly pricePrecision: number;
}

export interface PolledVenueOptions extends Omit<SimulatedVenueOptions, 'markets' | 'chooseOrder'> {
  /** In the order of the config. */
  readonly instruments: readonly PolledInstrument[];
}

interface Polled {
  readonly source: PolledInstrument;
  readonly prices: PolledSeries;
  readonly marks: PolledSeries;
  /** Volume of the candle that was seen last. */
  volume: number;
  /** When its price was polled last. */
  steppedAt: EpochMs;
  last: Fixed | undefined;
}

/**
 * A simulated venue whose path is a price that is polled: it steps from poll to poll, and in between there is none (DESIGN §7, Paper).
 * Matching, fees, margin and liquidation are those of {@link SimulatedVenue}; what a poll means is in docs/simulation.md.
 *
 * Whoever drives it tells it everything, and times never fall: `passTo` before what happens at a time, then prices, marks, candles and
 * commands. What comes of it goes to `onUpdate` within the call.
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
        // What the venue's own candles count.
        volumeUnit: source.instrument.kind === 'futures' ? 'contracts' : 'base',
        pricePrecision: source.pricePrecision,
        mark:
          source.instrument.kind === 'futures'
            ? { interval: source.interval, rows: marks.rows, isPolled: true }
            : undefined,
      })),
      // Steps have no extremes.
      chooseOrder: nearestOrder,
    });
  }

  /** When something is due that needs no price: interest. Infinity when nothing is. */
  nextDue(): EpochMs {
    return this.#venue.nextDue();
  }

  /** Time goes on: what is due by then is posted. */
  passTo(time: EpochMs): void {
    this.#venue.completeUntil(time);
    this.#venue.settleUntil(time);
  }

  /** A price was polled: the path steps to it, and what has waited for a price arrives. A second one of an instant says nothing. */
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

  /** A mark was polled: it stands until the next, and what it liquidates is liquidated at the next price. */
  takeMark(instrumentId: InstrumentId, mark: number, time: EpochMs): void {
    const { marks } = this.#of(instrumentId);
    if (mark > 0) marks.push({ time, price: mark, volume: 0 });
  }

  /**
   * A candle is over: what rested through it fills where its extremes came to it, though no poll saw that, and its volume is what is shared
   * until the next one. Candles of other intervals than the instrument's own say nothing.
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

  /** Settles the funding of a contract on terms that were read, on what is held of it. */
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
    if (ledger === undefined || !this.#polled.has(instrumentId)) return false;
    return ledger.held(instrumentId, 'long') > 0n || ledger.held(instrumentId, 'short') > 0n;
  }

  /** What each account has, held parts included; unrealized results of contracts are not in it. */
  balances(): AccountBalances {
    const { spot, margin, futures } = this.#venue.accounts;
    return {
      spot: spot.totals(),
      ...(margin !== undefined && { margin: margin.totals() }),
      ...(futures !== undefined && { futures: futures.totals() }),
    };
  }

  #addRow({ source, prices, volume, last = 0n }: Polled, time: EpochMs): void {
    const forgotten = prices.push({ time, price: fixedToNumber(last), volume });
    if (forgotten > 0) this.#venue.market(source.instrument.id).forgetRows(forgotten);
  }

  #of(instrumentId: InstrumentId): Polled {
    return this.#polled.get(instrumentId) ?? missing(`polled prices of ${instrumentId}`);
  }
}
