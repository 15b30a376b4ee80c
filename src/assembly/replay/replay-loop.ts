import {
  InvariantError,
  StrategyError,
  formatUtc,
  type ClientOrderId,
  type EpochMs,
} from '../../domain/index.js';
import type { Command, Engine, EngineEvent, StopWatch } from '../../engine/index.js';
import { InstantSteps, type SimulatedVenue } from '../../simulator/index.js';
import { isOrderUpdate, type VenueUpdate } from '../../venue/index.js';
import { CommandPacer } from './command-pacer.js';
import { CommandQueue } from './command-queue.js';
import { UneventfulReplay, type Slice } from './uneventful-replay.js';
import { ReplayHorizon } from './replay-horizon.js';
import type { ReplayLoopOptions } from './replay-loop-options.js';
import { CandleFeed } from './candle-feed.js';
import type { SliceReader } from './slice-reader.js';
import { StopSampler } from './stop-sampler.js';

/** Most rounds of commands and answers at one instant (DESIGN R1). */
const MAX_ROUNDS = 100;

const NO_WATCHES: readonly StopWatch[] = [];

/** What the venue did by itself, and when the engine learns of it. */
interface PendingUpdate {
  readonly update: VenueUpdate;
  readonly knownAt: EpochMs;
}

/**
 * Replays stored candles through an engine and a simulated venue in the order of DESIGN R1, one instant at a time. While nothing
 * works at the venue, whole candles pass without it.
 */
export class ReplayLoop {
  readonly #options: ReplayLoopOptions;
  readonly #engine: Engine;
  readonly #venue: SimulatedVenue;
  readonly #slices: SliceReader;
  readonly #feed: CandleFeed;
  readonly #stretch: UneventfulReplay;
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
  /** Candles of events since the strategy was warm. */
  #candles = 0;

  constructor(options: ReplayLoopOptions) {
    this.#options = options;
    this.#engine = options.engine;
    this.#venue = options.venue;
    this.#slices = options.slices;
    this.#sampler = new StopSampler(options.venue, options.stopGrids);
    this.#horizon = new ReplayHorizon(options, this.#sampler);
    this.#feed = new CandleFeed({ ...options, horizon: this.#horizon });
    this.#stretch = new UneventfulReplay({
      engine: options.engine,
      horizon: this.#horizon,
      nextSlice: () => this.#nextSlice(),
      takeSlice: (time) => this.#takeSlice(time),
      feed: this.#feed,
    });
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
    if (this.#options.way === 'fast' && this.#options.equity.isRecording && this.#isUnmoved) {
      const instants = this.#uneventful(most);
      if (instants > 0) return instants;
    }
    return this.#step() ? 1 : 0;
  }

  /** Goes on by one instant. Returns whether there was one. */
  #step(): boolean {
    const { end, equity, dataDelayMs, onStart } = this.#options;
    if (this.#now === end || this.#isCut) return false;
    const slice = this.#nextSlice();
    if (this.#engine.isWarm && !equity.isRecording)
      onStart(slice <= end ? this.#slices.openTimeOf(slice - dataDelayMs) : this.#engine.now());
    const time = Math.min(slice, this.#engine.nextTimer());
    if (!this.#isUnmoved || !this.#horizon.isIdleUntil(Math.min(time, end))) {
      this.#catchUp();
      return this.#instant(slice);
    }
    if (time > end) return false;
    this.#uneventfulInstant(time, slice);
    return true;
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
    return this.#candles + this.#feed.taken;
  }

  /** Whether the watch has ended the run before its data. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** Time of the last instant. */
  get now(): EpochMs {
    return this.#now;
  }

  #nextSlice(): EpochMs {
    return this.#slices.nextCloseTime() + this.#options.dataDelayMs;
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

  /** An instant in which nothing can happen at the venue: it is told of it later, if at all. */
  #uneventfulInstant(time: EpochMs, slice: EpochMs): void {
    this.#steps.count(time);
    this.#now = time;
    this.#isVenueBehind = true;
    if (time === slice) this.#processSlice(slice);
    else this.#process({ kind: 'timer', time });
    this.#meetVenue();
  }

  /** Instants in which nothing can happen at the venue, one after another. Returns how many there were. */
  #uneventful(most: number): number {
    const stretch = this.#stretch;
    const commands = stretch.pass(most);
    this.#horizon.forgetStops();
    const instants = most - stretch.instantsLeft;
    if (instants === 0) return 0;
    this.#now = stretch.now;
    this.#isVenueBehind = true;
    this.#send(commands, this.#now);
    const candles = stretch.takePendingCandles();
    if (candles !== undefined) this.#process(candles);
    this.#meetVenue();
    return instants;
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
    this.#sampler.take(this.#now, NO_WATCHES);
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
    if (time === slice) this.#processSlice(slice);
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

  #processSlice(time: EpochMs): void {
    const { marks, candles } = this.#takeSlice(time);
    if (marks !== undefined) this.#process(marks);
    this.#process(candles);
  }

  /** What is known at `time`, and was not before. */
  #takeSlice(time: EpochMs): Slice {
    const { equity, dataDelayMs } = this.#options;
    if (equity.isRecording) equity.beforeInstant(time);
    const candles = this.#slices.take(time - dataDelayMs);
    if (equity.isRecording) this.#candles += candles.length;
    const marks = this.#options.marks.take(time - dataDelayMs);
    return {
      marks: marks && { kind: 'marks', time, marks },
      candles: { kind: 'candles', time, candles },
    };
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
