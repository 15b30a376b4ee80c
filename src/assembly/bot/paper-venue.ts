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
import {
  createDatedFees,
  createDrawnLatency,
  PolledVenue,
  type LatencyModel,
} from '../../simulator/index.js';
import { isOrderUpdate, type VenueUpdate } from '../../venue/index.js';
import type { BacktestConfig, InstrumentConfig } from '../../config/index.js';
import { CommandPacer } from '../replay/command-pacer.js';
import { CommandQueue } from '../replay/command-queue.js';
import { createInstrument } from '../market/create-instruments.js';
import { createTradingTerms } from '../create-venue.js';
import type { MarketTerms } from '../market/load-terms.js';
import { LATENCY_STREAM } from '../run-backtest.js';

/** Something that happened at the venue and was not told. */
interface Untold {
  readonly update: VenueUpdate;
  /** When the bot learns of it (DESIGN R2). */
  knownAt: EpochMs;
  isGivenOut: boolean;
}

/** What is known of a contract for its funding. */
interface Funded {
  /** Since when anything is held of it. */
  heldSince: EpochMs | undefined;
  settledAt: EpochMs;
}

/**
 * The simulated venue of a session on paper: matching, fees, slippage, latency, rate limits, margin and liquidation are those of a backtest;
 * its path is the polled last price. It is a function of the journal: docs/journal.md, Paper.
 */
export class PaperVenue implements PaperMatching {
  readonly #config: BacktestConfig;
  readonly #venue: PolledVenue;
  readonly #latency: LatencyModel;
  readonly #pacer = new CommandPacer();
  readonly #arrivals = new CommandQueue();
  readonly #untold: Untold[] = [];
  /** Orders that the venue has not answered, by instrument. */
  readonly #unanswered = new Map<ClientOrderId, InstrumentId>();
  /** Orders whose answer is being given: what else happens to them at that moment is part of it. */
  readonly #answering = new Set<ClientOrderId>();
  #isAnsweringAll = false;
  /** Instruments of which something is new that takes effect with the next price: a mark of what is held, or the volume to share. */
  readonly #expectant = new Set<InstrumentId>();
  readonly #funded = new Map<InstrumentId, Funded>();

  constructor(config: BacktestConfig, terms: MarketTerms) {
    const { simulation } = config;
    this.#config = config;
    this.#latency = createDrawnLatency(
      simulation.latency,
      createRandom(simulation.seed + LATENCY_STREAM),
    );
    this.#venue = new PolledVenue({
      ...createTradingTerms({
        simulation,
        terms,
        fees: createDatedFees(simulation.fees, simulation.feeChanges),
      }),
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
    for (const { kind, instrumentId } of config.instruments)
      if (kind === 'futures')
        this.#funded.set(instrumentId, {
          heldSince: undefined,
          settledAt: Number.NEGATIVE_INFINITY,
        });
  }

  // What the engine takes in.

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
        this.#answering.clear();
        this.#venue.takePrice(event.instrumentId, event.last, time);
        this.#answering.clear();
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
      case 'opening':
      case 'operator':
      case 'health':
      case 'end':
      case 'timer':
        return undefined;
    }
  }

  /** Time goes on: commands arrive, and what is due is posted, each at its own time. */
  #passTo(time: EpochMs): void {
    for (
      let arrival = this.#arrivals.nextArrival();
      arrival <= time;
      arrival = this.#arrivals.nextArrival()
    ) {
      this.#venue.passTo(arrival);
      for (let left = this.#arrivals.arrivedBy(arrival); left > 0; left -= 1)
        this.#arrive(this.#arrivals.take(), arrival);
    }
    this.#venue.passTo(time);
  }

  #send(command: Command, time: EpochMs): void {
    if (command.kind === 'submit')
      this.#unanswered.set(command.order.clientOrderId, command.order.instrumentId);
    const departure = this.#pacer.departure(command, time);
    this.#arrivals.send(command, departure + this.#latency.delayMs(command.kind));
  }

  #arrive(command: Command, time: EpochMs): void {
    this.#isAnsweringAll = true;
    if (command.kind === 'submit') this.#venue.submit(command.order, time);
    else this.#venue.cancel(command.clientOrderId, time);
    this.#isAnsweringAll = false;
  }

  // What the engine is told.

  /** Answers are known at once, with all that their order has done by then; what the venue does by itself, at the next poll (DESIGN R2). */
  #receive(update: VenueUpdate): void {
    const time = update.eventTime;
    const isAnswer = this.#isAnswer(update);
    if (isAnswer && isOrderUpdate(update))
      for (const before of this.#untold)
        if (isOrderUpdate(before.update) && before.update.clientOrderId === update.clientOrderId)
          before.knownAt = Math.min(before.knownAt, time);
    const { updatePollMs } = this.#config.simulation;
    const knownAt = isAnswer ? time : Math.ceil(time / updatePollMs) * updatePollMs;
    this.#untold.push({ update, knownAt, isGivenOut: false });
  }

  #isAnswer(update: VenueUpdate): boolean {
    if (!isOrderUpdate(update)) return false;
    const { clientOrderId } = update;
    if (this.#unanswered.delete(clientOrderId)) this.#answering.add(clientOrderId);
    return this.#isAnsweringAll || this.#answering.has(clientOrderId);
  }

  news(time: EpochMs): readonly VenueUpdate[] {
    const due = this.#untold.filter(({ knownAt, isGivenOut }) => knownAt <= time && !isGivenOut);
    for (const untold of due) untold.isGivenOut = true;
    return due.map(({ update }) => update);
  }

  nextDue(): EpochMs {
    return Math.min(this.#arrivals.nextArrival(), this.#venue.nextDue());
  }

  nextNews(): EpochMs {
    let next = Number.POSITIVE_INFINITY;
    for (const { knownAt, isGivenOut } of this.#untold)
      if (!isGivenOut) next = Math.min(next, knownAt);
    return next;
  }

  get isTold(): boolean {
    return this.#untold.length === 0;
  }

  /** The engine has been told: that is no news any more. A journal says by itself what funding was paid at. */
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
        received: next === undefined ? 'no news of the venue' : writeExact(next.update),
      };
    }
    this.#untold.splice(place, 1);
    return undefined;
  }

  #placeOf(update: VenueUpdate): number {
    const same = this.#untold.findIndex((each) => each.update === update);
    if (same >= 0) return same;
    const text = writeExact(update);
    return this.#untold.findIndex((each) => writeExact(each.update) === text);
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
    this.#settle(instrumentId, paid, time);
    const first = present(
      this.#untold.find(({ update, isGivenOut }) => update.kind === 'funding' && !isGivenOut),
      'funding of what is held',
    );
    first.isGivenOut = true;
    return first.update;
  }

  #settle(instrumentId: InstrumentId, { rate, markPrice }: PaidFunding, time: EpochMs): void {
    const before = this.#untold.length;
    this.#venue.settleFunding(instrumentId, { rate, markPrice: maxFixed(markPrice, 1n), time });
    for (const untold of this.#untold.slice(before)) untold.knownAt = time;
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
