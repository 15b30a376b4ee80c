import {
  InvariantError,
  StrategyError,
  formatUtc,
  type ClientOrderId,
  type EpochMs,
} from '../../domain/index.js';
import type { Command, Engine, EngineEvent } from '../../engine/index.js';
import { InstantSteps, type SimulatedVenue } from '../../simulator/index.js';
import { isOrderUpdate, type VenueUpdate } from '../../venue/index.js';
import { CommandPacer } from './command-pacer.js';
import { CommandQueue } from './command-queue.js';
import { ReplayHorizon } from './replay-horizon.js';
import type { Replay, ReplayOptions } from './replay.js';
import { CandleFeed } from './candle-feed.js';
import { StopSampler } from './stop-sampler.js';
import { TrailingStops } from './trailing-stops.js';

/** Most rounds of commands and answers at one instant (DESIGN R1). */
const MAX_ROUNDS = 100;

/** What the venue did by itself, and when the engine learns of it. */
interface PendingUpdate {
  readonly update: VenueUpdate;
  readonly knownAt: EpochMs;
}

/**
 * Replays stored candles through an engine and a simulated venue in the order of DESIGN R1. Up to the next instant at which anything else can
 * happen, candles pass in batches; that instant then takes all its steps.
 */
export class ReplayLoop implements Replay {
  readonly #options: ReplayOptions;
  readonly #engine: Engine;
  readonly #venue: SimulatedVenue;
  readonly #feed: CandleFeed;
  readonly #arrivals = new CommandQueue();
  readonly #pacer = new CommandPacer();
  /** What the venue did by itself and the engine does not know yet, in order, with when it will. */
  readonly #updates: PendingUpdate[] = [];
  readonly #sampler: StopSampler;
  readonly #horizon: ReplayHorizon;
  /** What the venue answers to what is being asked; the list serves again. */
  readonly #answers: VenueUpdate[] = [];
  /** The order about which the venue is being asked; all of them while those that waited are let in. */
  #asked: ClientOrderId | 'all' | undefined;
  /** Whether updates of this instant are known only at the next poll after it. */
  #isAfterPoll = false;
  /** Whether positions are being closed at the end of the run. */
  #isClosing = false;
  /** Whether the watch has ended the run. */
  #isCut = false;
  /** Whether instants have passed without the venue. */
  #isVenueBehind = false;
  readonly #steps = new InstantSteps('the replay');
  #now: EpochMs = Number.NEGATIVE_INFINITY;

  constructor(options: ReplayOptions) {
    this.#options = options;
    this.#engine = options.engine;
    this.#venue = options.venue;
    this.#sampler = new StopSampler(options.venue, options.stopGrids, createTrailing(options));
    this.#horizon = new ReplayHorizon(options, this.#sampler);
    this.#feed = new CandleFeed(options);
  }

  /** Takes one update of the venue; give it to the venue as its `onUpdate`. */
  readonly receive = (update: VenueUpdate): void => {
    this.#options.watch?.stir();
    if (this.#asked !== undefined && this.#isAnswer(update)) {
      this.#answers.push(update);
      return;
    }
    const { updatePollMs } = this.#options;
    const poll = Math.ceil(update.eventTime / updatePollMs) * updatePollMs;
    const knownAt = this.#isAfterPoll && poll === update.eventTime ? poll + updatePollMs : poll;
    this.#updates.push({ update, knownAt });
  };

  /** An answer tells of the order that was asked about, and not of what else came of it: a liquidation, or an end of other orders. */
  #isAnswer(update: VenueUpdate): boolean {
    return isOrderUpdate(update) && (this.#asked === 'all' || update.clientOrderId === this.#asked);
  }

  /** Goes on by so many instants, or to the end. Returns by how many: fewer than `most` at the end only. */
  advance(most: number): number {
    return this.#engine.onOwnTime(() => {
      let left = most;
      for (let passed = -1; passed !== 0 && left > 0; left -= passed) passed = this.#goOn(left);
      return most - left;
    });
  }

  /** Goes on by one instant or several, at most so many. Returns by how many: 0 at the end. */
  #goOn(most: number): number {
    const { end, equity, onStart } = this.#options;
    if (this.#now === end || this.#isCut) return 0;
    const slice = this.#feed.nextTime();
    if (this.#engine.isWarm && !equity.isRecording)
      onStart(slice <= end ? this.#feed.nextOpenTime() : this.#engine.now());
    const time = Math.min(slice, this.#engine.nextTimer());
    if (!this.#isUnmoved || !this.#horizon.isIdleUntil(Math.min(time, end))) {
      this.#catchUp();
      return this.#instant(slice) ? 1 : 0;
    }
    return time > end ? 0 : this.#pass(time, slice, most);
  }

  /**
   * Ends the run. The engine learns what happened at the venue by then; what has not arrived there, or waits there for a candle to open, ends
   * as expired. After that, where asked for, every position is left at the last close, with taker costs and without latency. Returns how many
   * fills that took.
   */
  finish({ closesPositions }: { readonly closesPositions: boolean }): number {
    const { end, equity, onStart } = this.#options;
    this.#now = end;
    if (!equity.isRecording) onStart(end);
    equity.beforeInstant(end);
    this.#learnRest();
    this.#process({ kind: 'end', time: end });
    this.#venue.forgetWaiting();
    const unsent = this.#arrivals.takeAll();
    if (!closesPositions) return 0;
    const before = this.#engine.fills.length;
    this.#isVenueBehind = false;
    this.#isClosing = true;
    this.#venue.reopenAtLastClose(end);
    // Orders that are being canceled must not keep their positions from being left.
    for (const command of unsent) if (command.kind === 'cancel') this.#arrivals.send(command, end);
    this.#process({ kind: 'operator', time: end, action: 'flatten' });
    this.#arrive();
    this.#learnRest();
    return this.#engine.fills.length - before;
  }

  #learnRest(): void {
    for (const { update } of this.#updates.splice(0))
      this.#process({ kind: 'venue', time: this.#now, update });
  }

  /** Candles delivered since the strategy was warm. */
  get candles(): number {
    return this.#feed.candles;
  }

  /** Whether the watch has ended the run before its data. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** Time of the last instant. */
  get now(): EpochMs {
    return this.#now;
  }

  /** Whether nothing is on its way, and nothing is waiting to be told. */
  get #isQuiet(): boolean {
    return this.#arrivals.isEmpty && this.#updates.length === 0;
  }

  /** {@link #isQuiet}, and nobody waits to look at what has changed. */
  get #isUnmoved(): boolean {
    return this.#isQuiet && this.#options.watch?.isStirred !== true;
  }

  /** Lets the watch look at what has changed once nothing is on its way, and no command counts toward a rate limit any more. */
  #settle(time: EpochMs): void {
    const { watch, equity } = this.#options;
    if (watch?.isStirred !== true || !equity.isRecording) return;
    if (this.#isQuiet && this.#pacer.isRested(time)) this.#isCut = watch.settle(time);
  }

  /** Instants in which nothing can happen at the venue: it is told of them later, if at all. Returns how many there were. */
  #pass(time: EpochMs, slice: EpochMs, most: number): number {
    let instants = 1;
    if (time < slice) {
      this.#now = time;
      this.#process({ kind: 'timer', time });
    } else instants = this.#passSlices(slice, most);
    this.#steps.count(this.#now);
    this.#isVenueBehind = true;
    this.#meetVenue();
    return instants;
  }

  /** Marks and candles that are known at `time`, and what follows as long as nothing else can happen, at most so many slices. */
  #passSlices(time: EpochMs, most: number): number {
    const engine = this.#engine;
    const { equity } = this.#options;
    if (equity.isRecording) equity.beforeInstant(time);
    const marks = engine.hearsMarks ? this.#feed.takeMarks() : undefined;
    if (marks !== undefined) this.#process({ kind: 'marks', time, marks });
    const until = Math.min(this.#horizon.idleUntil, engine.nextTimer());
    const batch = this.#feed.begin(until, engine.looksAtEach ? 1 : most);
    const commands = engine.run(batch);
    this.#feed.end();
    this.#horizon.forgetStops();
    this.#now = engine.now();
    this.#send(commands, this.#now);
    return batch.passed;
  }

  /** After an instant without the venue: where it led to something, the venue is brought there, and takes what arrives at once. */
  #meetVenue(): void {
    if (this.#isQuiet || this.#now === this.#options.end) return;
    this.#catchUp();
    this.#isAfterPoll = true;
    this.#arrive();
    this.#isAfterPoll = false;
  }

  /** Brings the venue to the last instant, over those without it. */
  #catchUp(): void {
    if (!this.#isVenueBehind) return;
    this.#isVenueBehind = false;
    this.#isAfterPoll = true;
    this.#venue.resumeAt(this.#now);
    this.#isAfterPoll = false;
    if (this.#sampler.catchUp(this.#now)) this.#horizon.beginAnew();
  }

  /** One instant with all its steps; of the last, candles do not open any more, and nothing arrives. Returns whether there was one. */
  #instant(slice: EpochMs): boolean {
    const { end, equity } = this.#options;
    const time = Math.min(
      slice,
      this.#venue.nextTime(),
      this.#updates[0]?.knownAt ?? Number.POSITIVE_INFINITY,
      this.#sampler.nextTime(this.#engine.stopWatches()),
      this.#engine.nextTimer(),
      this.#arrivals.nextArrival(),
    );
    if (time > end) return false;
    if (time < this.#now)
      throw new InvariantError(
        'E_TIME_BACKWARDS',
        `expected time to go on from ${formatUtc(this.#now)}, received ${formatUtc(time)}`,
      );
    this.#steps.count(time);
    if (equity.isRecording) equity.beforeInstant(time);
    this.#now = time;
    this.#venue.completeUntil(time);
    this.#venue.settleUntil(time);
    while ((this.#updates[0]?.knownAt ?? Number.POSITIVE_INFINITY) <= time) {
      const known = this.#updates.shift();
      if (known !== undefined) this.#process({ kind: 'venue', time, update: known.update });
    }
    this.#takeSamples(time);
    if (time === slice) this.#settle(time);
    if (this.#isCut) return true;
    if (time === slice) this.#passSlices(slice, 1);
    else if (this.#engine.nextTimer() <= time) this.#process({ kind: 'timer', time });
    if (time < end) this.#openAndArrive();
    return true;
  }

  /** Samples of last that matter at this instant, also to stops that what was just learned has armed. */
  #takeSamples(time: EpochMs): void {
    for (const instrumentId of this.#sampler.take(time, this.#engine.stopWatches())) {
      const last = this.#venue.last(instrumentId, time);
      this.#options.watch?.stir();
      this.#process({ kind: 'ticker', time, instrumentId, last });
    }
  }

  /** (5) Candles open; (6) what arrives now arrives, and what the answers lead to, round by round. */
  #openAndArrive(): void {
    this.#isAfterPoll = true;
    this.#venue.openAt(this.#now);
    this.#asked = 'all';
    this.#venue.admitWaiting(this.#now);
    this.#learnAnswers();
    this.#arrive();
    this.#isAfterPoll = false;
  }

  // The time of what follows is a member and not an argument: a float that is handed to a function is allocated.

  #arrive(): void {
    let left = this.#arrivals.arrivedBy(this.#now);
    for (let round = 0; left > 0; round += 1) {
      if (round >= MAX_ROUNDS) {
        throw new StrategyError(
          'E_COMMAND_LOOP',
          `expected at most ${String(MAX_ROUNDS)} rounds of orders and answers at one instant`,
          {
            strategyId: this.#engine.strategyName,
            event: `arrivals at ${formatUtc(this.#now)}`,
          },
        );
      }
      for (; left > 0; left -= 1) this.#carryOut(this.#arrivals.take());
      left = this.#arrivals.arrivedBy(this.#now);
    }
  }

  #carryOut(command: Command): void {
    const { clientOrderId } = command.kind === 'submit' ? command.order : command;
    this.#asked = clientOrderId;
    if (command.kind === 'submit') this.#venue.submit(command.order, this.#now);
    else this.#venue.cancel(clientOrderId, this.#now);
    this.#learnAnswers();
  }

  /** Updates while something was asked are the answers to it: the engine learns them at once. */
  #learnAnswers(): void {
    const answers = this.#answers;
    this.#asked = undefined;
    for (const update of answers) {
      if (this.#updates.length > 0 && isOrderUpdate(update))
        this.#learnPending(update.clientOrderId);
      this.#process({ kind: 'venue', time: this.#now, update });
    }
    // One by one: a list that is cut to nothing loses its memory.
    while (answers.length > 0) answers.pop();
  }

  /** An answer says what its order has filled until then: what the next poll would have told of it is known now. */
  #learnPending(clientOrderId: ClientOrderId): void {
    for (let index = 0; index < this.#updates.length;) {
      const update = this.#updates[index]?.update;
      if (update === undefined || !isOrderUpdate(update) || update.clientOrderId !== clientOrderId)
        index += 1;
      else {
        this.#updates.splice(index, 1);
        this.#process({ kind: 'venue', time: this.#now, update });
      }
    }
  }

  #process(event: EngineEvent): void {
    const commands = this.#engine.process(event);
    this.#horizon.forgetStops();
    // Most events lead to none.
    if (commands.length > 0) this.#send(commands, event.time);
  }

  #send(commands: readonly Command[], time: EpochMs): void {
    if (commands.length > 0) this.#options.watch?.stir();
    for (const command of commands)
      this.#arrivals.send(command, this.#isClosing ? time : this.#arrivalOf(command, time));
  }

  /** A command leaves when the venue's rate limits take it, and then travels. */
  #arrivalOf(command: Command, time: EpochMs): EpochMs {
    return this.#pacer.departure(command, time) + this.#options.latency.delayMs(command.kind);
  }

  /** Commands that the venue's rate limits held back. */
  get delayedCommands(): number {
    return this.#pacer.delayed;
  }
}

/** Trailing stops are followed where nobody keeps each of their moves: no journal, and no watch. */
function createTrailing({
  engine,
  venue,
  stopGrids: grids,
  watch,
}: ReplayOptions): TrailingStops | undefined {
  if (engine.isRecorded || watch !== undefined) return undefined;
  return new TrailingStops({
    venue,
    grids,
    improve: (stop, best) => {
      engine.improveStop(stop, best);
    },
  });
}
