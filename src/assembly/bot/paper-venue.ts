import {
  maxFixed,
  nominalIntervalMs,
  present,
  type AccountBalances,
  type ClientOrderId,
  type EpochMs,
  type InstrumentId,
} from '../../domain/index.js';
import { createRandom, type Command, type EngineEvent } from '../../engine/index.js';
import { writeExact } from '../../journal/index.js';
import type { PaidFunding, PaperMatching, PaperDifference } from '../../live/index.js';
import { Clockwork, createDrawnLatency, PolledVenue } from '../../simulator/index.js';
import { isOrderUpdate, type VenueUpdate } from '../../venue/index.js';
import type { BacktestConfig, InstrumentConfig } from '../../config/index.js';
import { createInstrument } from '../market/create-instruments.js';
import { createTradingTerms } from '../create-venue.js';
import type { MarketTerms } from '../market/load-terms.js';
import { LATENCY_STREAM } from '../run-backtest.js';

/** The state of a contract's funding. */
interface Funded {
  /** Since when there is a position; undefined without one. */
  heldSince: EpochMs | undefined;
  settledAt: EpochMs;
}

/**
 * The simulated venue of a session on paper: matching, fees, slippage, latency, rate limits, margin and liquidation are those of a backtest. Its path is
 * the polled last price. The journal alone determines its behavior: docs/journal.md, Paper.
 */
export class PaperVenue implements PaperMatching {
  readonly #config: BacktestConfig;
  readonly #venue: PolledVenue;
  readonly #clockwork: Clockwork<Command>;
  /** Updates that the engine has not received yet, in order. */
  readonly #untold: VenueUpdate[] = [];
  /** Orders that the venue has not answered yet, by instrument. */
  readonly #unanswered = new Map<ClientOrderId, InstrumentId>();
  /** Whether the bot reads the present updates itself and so knows them at once. */
  #isRead = false;
  /** Instruments with a change that takes effect at the next price: a mark of a held contract, or a candle's volume to share. */
  readonly #expectant = new Set<InstrumentId>();
  readonly #funded = new Map<InstrumentId, Funded>();

  constructor(config: BacktestConfig, terms: MarketTerms) {
    const { simulation } = config;
    this.#config = config;
    this.#venue = new PolledVenue({
      ...createTradingTerms({ simulation, terms }),
      instruments: config.instruments.map((each) => ({
        instrument: createInstrument(each),
        interval: finestInterval(each),
        pricePrecision:
          terms.rules.at(each.instrumentId, Number.POSITIVE_INFINITY)?.pricePrecision ?? 8,
      })),
      onUpdate: (update) => {
        this.#receive(update);
      },
    });
    this.#clockwork = new Clockwork({
      venue: this.#venue,
      latency: createDrawnLatency(
        simulation.latency,
        createRandom(simulation.seed + LATENCY_STREAM),
      ),
      updatePollMs: simulation.updatePollMs,
    });
    for (const { kind, instrumentId } of config.instruments)
      if (kind === 'futures')
        this.#funded.set(instrumentId, {
          heldSince: undefined,
          settledAt: Number.NEGATIVE_INFINITY,
        });
  }

  // Events of the engine.

  take(event: EngineEvent, commands: readonly Command[]): PaperDifference | undefined {
    const { time } = event;
    this.#passTo(time);
    const difference = this.#happen(event);
    for (const command of commands) this.#send(command, time);
    this.#passTo(time);
    this.#noteHoldings(time);
    return difference;
  }

  #happen(event: EngineEvent): PaperDifference | undefined {
    const { time } = event;
    switch (event.kind) {
      case 'ticker':
        this.#venue.takePrice(event.instrumentId, event.last, time);
        // Orders that waited for a price have been answered.
        this.#clockwork.news.endAnswers();
        this.#expectant.delete(event.instrumentId);
        return undefined;
      case 'marks':
        for (const { instrumentId, price } of event.marks) {
          this.#venue.takeMark(instrumentId, price, time);
          if (this.holds(instrumentId)) this.#expectant.add(instrumentId);
        }
        return undefined;
      case 'candles':
        for (const candle of event.candles) {
          this.#venue.takeCandle(candle, time);
          this.#expectant.add(candle.instrumentId);
        }
        return undefined;
      case 'venue':
        return this.#tell(event.update, time);
      case 'reading':
      case 'margins':
      case 'opening':
      case 'operator':
      case 'health':
      case 'rules':
      case 'stops':
      case 'strategy-failed':
      case 'end':
      case 'timer':
        return undefined;
    }
  }

  /** Moves time on: commands arrive and due bookings are made, each at its own time. */
  #passTo(time: EpochMs): void {
    const { travel } = this.#clockwork;
    for (let arrival = travel.nextArrival(); arrival <= time; arrival = travel.nextArrival()) {
      this.#venue.passTo(arrival);
      this.#clockwork.carryOutNext(arrival);
    }
    this.#venue.passTo(time);
  }

  #send(command: Command, time: EpochMs): void {
    if (command.kind === 'submit')
      this.#unanswered.set(command.order.clientOrderId, command.order.instrumentId);
    this.#clockwork.travel.send(command, time);
  }

  // Updates for the engine.

  #receive(update: VenueUpdate): void {
    this.#untold.push(update);
    if (isOrderUpdate(update)) this.#unanswered.delete(update.clientOrderId);
    if (this.#isRead) this.#clockwork.news.noteKnown(update);
    else this.#clockwork.news.note(update);
  }

  news(time: EpochMs): readonly VenueUpdate[] {
    const { news } = this.#clockwork;
    const known: VenueUpdate[] = [];
    for (let next = news.take(time); next !== undefined; next = news.take(time)) known.push(next);
    return known;
  }

  nextDue(): EpochMs {
    return Math.min(this.#clockwork.travel.nextArrival(), this.#venue.nextDue());
  }

  nextNews(): EpochMs {
    return this.#clockwork.news.nextTime();
  }

  get isTold(): boolean {
    return this.#untold.length === 0;
  }

  /**
   * The engine has received an update, so it is no longer news. The rate and price of a funding payment come from the event, because a journal contains
   * them.
   */
  #tell(update: VenueUpdate, time: EpochMs): PaperDifference | undefined {
    let place = this.#placeOf(update);
    if (place < 0 && update.kind === 'funding' && this.holds(update.instrumentId)) {
      this.#settle(update.instrumentId, update, time);
      place = this.#placeOf(update);
    }
    if (place < 0) {
      const next = this.#untold[0];
      return {
        expected: writeExact(update),
        received: next === undefined ? 'no news of the venue' : writeExact(next),
      };
    }
    for (const told of this.#untold.splice(place, 1)) this.#clockwork.news.forget(told);
    return undefined;
  }

  #placeOf(update: VenueUpdate): number {
    const same = this.#untold.indexOf(update);
    if (same >= 0) return same;
    const text = writeExact(update);
    return this.#untold.findIndex((each) => writeExact(each) === text);
  }

  awaitsPrice(instrumentId: InstrumentId): boolean {
    if (this.#expectant.has(instrumentId)) return true;
    for (const waiting of this.#unanswered.values()) if (waiting === instrumentId) return true;
    return false;
  }

  // Funding.

  holds(instrumentId: InstrumentId): boolean {
    return this.#venue.holds(instrumentId);
  }

  #noteHoldings(time: EpochMs): void {
    for (const [instrumentId, funded] of this.#funded)
      if (!this.holds(instrumentId)) funded.heldSince = undefined;
      else funded.heldSince ??= time;
  }

  fundingsDue(instrumentId: InstrumentId, time: EpochMs): number {
    const { heldSince, settledAt } = this.#fundedOf(instrumentId);
    if (heldSince === undefined) return 0;
    const { fundingIntervalMs } = this.#config.simulation.futures;
    const since = Math.max(heldSince, settledAt);
    return Math.floor(time / fundingIntervalMs) - Math.floor(since / fundingIntervalMs);
  }

  settleFunding(instrumentId: InstrumentId, paid: PaidFunding, time: EpochMs): VenueUpdate {
    this.#passTo(time);
    const before = this.#untold.length;
    this.#settle(instrumentId, paid, time);
    const first = present(
      this.#untold.slice(before).find(({ kind }) => kind === 'funding'),
      'funding of what is held',
    );
    this.#clockwork.news.forget(first);
    return first;
  }

  #settle(instrumentId: InstrumentId, { rate, markPrice }: PaidFunding, time: EpochMs): void {
    this.#isRead = true;
    this.#venue.settleFunding(instrumentId, { rate, markPrice: maxFixed(markPrice, 1n), time });
    this.#isRead = false;
    this.#fundedOf(instrumentId).settledAt = time;
  }

  #fundedOf(instrumentId: InstrumentId): Funded {
    return present(this.#funded.get(instrumentId), `contract ${instrumentId}`);
  }

  balances(): AccountBalances {
    return this.#venue.balances();
  }
}

function finestInterval({ intervals }: InstrumentConfig): InstrumentConfig['intervals'][number] {
  return present(
    intervals.toSorted((a, b) => nominalIntervalMs(a) - nominalIntervalMs(b))[0],
    'an interval',
  );
}
