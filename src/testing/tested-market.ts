import type { PaperVenue } from '../assembly/backtest/index.js';
import {
  present,
  splitInstrumentId,
  type ClientOrderId,
  type EpochMs,
  type Fixed,
  type InstrumentId,
  type OrderReason,
  type RuleBook,
} from '../domain/index.js';
import type { Command, Engine, EngineEvent, PriceSample, StopWatch } from '../engine/index.js';
import type { PlayedSlice } from './candle-clock.js';
import { pathTimes, PlayedPath } from './played-path.js';

/** Longest time that an order waits for a price. */
const POLL_MS = 1_000;

/** A polled last price. */
interface Poll {
  readonly instrumentId: InstrumentId;
  readonly time: EpochMs;
  readonly price: Fixed;
}

/**
 * The engine and the simulated venue of a test, driven as for a bot on paper: both receive the polled prices, the venue receives the commands, and its
 * updates go back to the engine.
 */
export class TestedMarket {
  readonly #engine: Engine;
  readonly #venue: PaperVenue;
  readonly #rules: RuleBook;
  readonly #rejections: OrderReason[] = [];
  #now: EpochMs;

  constructor(engine: Engine, venue: PaperVenue, rules: RuleBook, now: EpochMs) {
    this.#engine = engine;
    this.#venue = venue;
    this.#rules = rules;
    this.#now = now;
  }

  get now(): EpochMs {
    return this.#now;
  }

  /** Lets the time of one candle pass: its open, its extremes (the nearer one first) and its close. Then the strategy receives the candle. */
  pass({ openTime, closeTime, played, closing }: PlayedSlice): void {
    const paths = played.map(
      ({ candle }) => new PlayedPath(candle, this.#tickOf(candle.instrumentId)),
    );
    for (const [piece, time] of pathTimes(openTime, closeTime).entries()) {
      if (piece > 0) this.#follow(paths, piece, time);
      this.passTo(time);
      for (const path of paths) this.tick(path.instrumentId, path.endPrice(piece));
    }
    this.passTo(closeTime);
    const marks = played.filter(
      ({ candle }) => splitInstrumentId(candle.instrumentId).kind === 'futures',
    );
    if (marks.length > 0)
      this.mark(
        marks.map(({ candle, mark }) => ({ instrumentId: candle.instrumentId, price: mark })),
      );
    if (closing.length > 0) this.tell({ kind: 'candles', time: closeTime, candles: closing });
    else this.tell({ kind: 'timer', time: closeTime });
  }

  /** Polls last prices within a piece if they matter: at the level of a stop, and for orders that wait for a price. */
  #follow(paths: readonly PlayedPath[], piece: number, end: EpochMs): void {
    for (
      let next = this.#nextPoll(paths, piece, end);
      next !== undefined;
      next = this.#nextPoll(paths, piece, end)
    ) {
      this.passTo(next.time);
      this.tick(next.instrumentId, next.price);
    }
  }

  #nextPoll(paths: readonly PlayedPath[], piece: number, end: EpochMs): Poll | undefined {
    const watches = this.#engine.stopWatches();
    const polls = paths.flatMap((path) => this.#pollsOf(path, piece, watches));
    const next = Math.min(...polls.map(({ time }) => time));
    return next < end ? polls.find(({ time }) => time === next) : undefined;
  }

  #pollsOf(path: PlayedPath, piece: number, watches: readonly StopWatch[]): readonly Poll[] {
    const { instrumentId } = path;
    const polls = watches
      .filter((watch) => watch.instrumentId === instrumentId)
      .map(({ level }) => ({
        instrumentId,
        time: path.timeOf(piece, level, this.#now),
        price: path.onGrid(piece, level),
      }));
    if (!this.#venue.awaitsPrice(instrumentId)) return polls;
    const time = this.#now + POLL_MS;
    return [...polls, { instrumentId, time, price: path.priceAt(piece, time) }];
  }

  #tickOf(instrumentId: InstrumentId): Fixed {
    return present(this.#rules.at(instrumentId, this.#now), `rules of ${instrumentId}`).tick;
  }

  /** Lets time pass up to an instant: timers fire, commands arrive at the venue, and the engine receives the updates of its orders. */
  passTo(time: EpochMs): void {
    for (let next = this.#nextDue(); next < time; next = this.#nextDue()) {
      this.#now = Math.max(this.#now, next);
      if (!this.#learn()) this.tell({ kind: 'timer', time: this.#now });
    }
    this.#now = Math.max(this.#now, time);
    this.#learn();
  }

  #nextDue(): EpochMs {
    return Math.min(this.#engine.nextTimer(), this.#venue.nextDue(), this.#venue.nextNews());
  }

  /** Passes the venue's updates up to now to the engine. Returns whether there were any. */
  #learn(): boolean {
    let hasLearned = false;
    for (
      let news = this.#venue.news(this.#now);
      news.length > 0;
      news = this.#venue.news(this.#now)
    ) {
      hasLearned = true;
      for (const update of news) this.tell({ kind: 'venue', time: this.#now, update });
    }
    return hasLearned;
  }

  /** Polls a last price. */
  tick(instrumentId: InstrumentId, last: Fixed): void {
    this.tell({ kind: 'ticker', time: this.#now, instrumentId, last });
    this.#learn();
  }

  mark(marks: readonly PriceSample[]): void {
    this.tell({ kind: 'marks', time: this.#now, marks });
    this.#learn();
  }

  settleFunding(instrumentId: InstrumentId, rate: Fixed, markPrice: Fixed): void {
    if (!this.#venue.holds(instrumentId)) return;
    const update = this.#venue.settleFunding(instrumentId, { rate, markPrice }, this.#now);
    this.tell({ kind: 'venue', time: this.#now, update });
    this.#learn();
  }

  /** Makes the venue reject the next order that is sent. */
  rejectNext(rejection: OrderReason): void {
    this.#rejections.push(rejection);
  }

  /** Gives an event to the engine, and the resulting commands to the venue. */
  tell(event: EngineEvent): void {
    const commands = this.#engine.process(event);
    const rejected: ClientOrderId[] = [];
    const sent = commands.filter((command) => !this.#isRejected(command, rejected));
    this.#venue.take(event, sent);
    for (const clientOrderId of rejected) this.#reject(clientOrderId);
  }

  #isRejected(command: Command, rejected: ClientOrderId[]): boolean {
    if (command.kind !== 'submit' || rejected.length >= this.#rejections.length) return false;
    rejected.push(command.order.clientOrderId);
    return true;
  }

  #reject(clientOrderId: ClientOrderId): void {
    const [reason] = this.#rejections.splice(0, 1);
    const eventTime = this.#now;
    if (reason === undefined) return;
    const update = { kind: 'ended', clientOrderId, status: 'rejected', reason, eventTime } as const;
    this.tell({ kind: 'venue', time: eventTime, update });
  }
}
