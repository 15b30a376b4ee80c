import { InvariantError, formatUtc, type EpochMs } from '../../domain/index.js';
import type { Command, Engine, EngineEvent } from '../../engine/index.js';
import { InstantSteps, type SimulatedVenue } from '../../simulator/index.js';
import type { VenueUpdate } from '../../venue/index.js';
import { CandleFeed } from './candle-feed.js';
import { CommandArrivals } from './command-arrivals.js';
import { ReplayHorizon } from './replay-horizon.js';
import type { Closing, Replay, ReplayOptions } from './replay.js';
import { StopSampler } from './stop-sampler.js';
import { TrailingStops } from './trailing-stops.js';

/** The replay of a backtest: candles pass in batches while nothing else can happen. Every other instant takes all its steps. */
export class ReplayLoop implements Replay {
  readonly #options: ReplayOptions;
  readonly #engine: Engine;
  readonly #venue: SimulatedVenue;
  readonly #feed: CandleFeed;
  readonly #arrivals: CommandArrivals;
  readonly #sampler: StopSampler;
  readonly #horizon: ReplayHorizon;
  readonly #steps = new InstantSteps('the replay');
  /** Whether the watch has ended the run. */
  #isCut = false;
  /** Whether instants have passed without moving the venue. */
  #isVenueBehind = false;
  #now: EpochMs = Number.NEGATIVE_INFINITY;

  constructor(options: ReplayOptions) {
    this.#options = options;
    this.#engine = options.engine;
    this.#venue = options.venue;
    this.#feed = new CandleFeed(options);
    this.#arrivals = new CommandArrivals(options, this.#learn);
    this.#sampler = new StopSampler(options.venue, options.stopGrids, createTrailing(options));
    this.#horizon = new ReplayHorizon(options, this.#sampler);
  }

  advance(most: number): number {
    return this.#engine.onOwnTime(() => this.#run(most));
  }

  /**
   * The loop. It asks how far candles can pass before anything else can happen, and lets them pass. If not even the next one can, that instant takes all
   * its steps.
   */
  #run(most: number): number {
    const { end, equity } = this.#options;
    let instants = 0;
    while (instants < most && this.#now !== end && !this.#isCut) {
      const slice = this.#feed.nextTime();
      if (!equity.isRecording && this.#engine.isWarm) this.#startBefore(slice);
      const next = Math.min(slice, this.#engine.nextTimer());
      if (this.#isIdleUntil(Math.min(next, end))) {
        if (next > end) break;
        instants += this.#pass(next, slice, most - instants);
      } else {
        this.#catchUp();
        const time = this.#nextInstant(slice);
        if (time > end) break;
        this.#takeSteps(time, slice);
        instants += 1;
      }
    }
    return instants;
  }

  /** One instant with all its steps (DESIGN R1). At the last instant no candle opens and no command arrives any more. */
  #takeSteps(time: EpochMs, slice: EpochMs): void {
    const { end, equity } = this.#options;
    this.#steps.count(time);
    equity.beforeInstant(time);
    this.#now = time;
    this.#venue.completeUntil(time);
    this.#venue.settleUntil(time);
    this.#arrivals.poll(time);
    this.#takeSamples(time);
    if (time === slice) this.#settle(time);
    if (this.#isCut) return;
    if (time === slice) this.#passSlices(slice, 1);
    else if (this.#engine.nextTimer() <= time) this.#process({ kind: 'timer', time });
    if (time === end) return;
    this.#venue.openAt(time);
    this.#arrivals.admitWaiting();
    this.#arrivals.arrive();
  }

  /** Passes instants at which nothing can happen at the venue: the venue moves later, if at all. Returns their number. */
  #pass(next: EpochMs, slice: EpochMs, most: number): number {
    let instants = 1;
    if (next < slice) {
      // Commands that are decided now may trade at this very instant.
      this.#options.equity.beforeInstant(next);
      this.#now = next;
      this.#process({ kind: 'timer', time: next });
    } else instants = this.#passSlices(slice, most);
    this.#steps.count(this.#now);
    this.#isVenueBehind = true;
    this.#meetVenue();
    return instants;
  }

  /** Passes the marks and candles that are known at `time`, and following slices as long as nothing else can happen, at most `most` slices. */
  #passSlices(time: EpochMs, most: number): number {
    const engine = this.#engine;
    const { equity } = this.#options;
    equity.beforeInstant(time);
    const marks = engine.hearsMarks ? this.#feed.takeMarks() : undefined;
    if (marks !== undefined) this.#process({ kind: 'marks', time, marks });
    // The slice at which a timer is due is a batch of its own, so that the slices before need not check the timer.
    const until = Math.min(this.#horizon.idleUntil, engine.nextTimer() - 1);
    const batch = this.#feed.begin(until, most);
    const commands = engine.run(batch);
    this.#feed.end();
    this.#horizon.forgetStops();
    this.#now = engine.now();
    if (commands.length > 0) this.#send(commands, this.#now);
    return batch.passed;
  }

  finish({ closesPositions }: { readonly closesPositions: boolean }): Closing {
    const { end, equity, onStart } = this.#options;
    this.#now = end;
    if (!equity.isRecording) onStart(end);
    equity.beforeInstant(end);
    this.#arrivals.learnRest();
    this.#process({ kind: 'end', time: end });
    this.#venue.forgetWaiting();
    if (!closesPositions) return { orders: 0, fills: 0 };
    const { orders, fills } = this.#engine;
    const before = { orders: orders.length, fills: fills.length };
    this.#venue.reopenAtLastClose(end);
    this.#arrivals.beginClosing(end);
    this.#closeAll(end);
    return { orders: orders.length - before.orders, fills: fills.length - before.fills };
  }

  /** Closes all positions. Orders that a limit of the venue holds back follow when earlier ones have filled. At the end no order works. */
  #closeAll(end: EpochMs): void {
    const { portfolio, fills } = this.#engine;
    let filled: number;
    do {
      filled = fills.length;
      this.#carryOut({ kind: 'operator', time: end, action: 'flatten' });
    } while (fills.length > filled && portfolio.isExposed);
    if (this.#engine.workingOrders.length > 0)
      this.#carryOut({ kind: 'operator', time: end, action: 'withdraw' });
  }

  /** Processes an event with all answers of the venue. */
  #carryOut(event: EngineEvent): void {
    this.#process(event);
    this.#arrivals.arrive();
    this.#arrivals.learnRest();
  }

  get candles(): number {
    return this.#feed.candles;
  }

  get isCut(): boolean {
    return this.#isCut;
  }

  get now(): EpochMs {
    return this.#now;
  }

  get delayedCommands(): number {
    return this.#arrivals.travel.delayed;
  }

  readonly receive = (update: VenueUpdate): void => {
    this.#options.watch?.stir();
    this.#arrivals.news.note(update);
  };

  /** Calls `onStart` once, before the first slice after warm-up. */
  #startBefore(slice: EpochMs): void {
    const { end, onStart } = this.#options;
    onStart(slice <= end ? this.#feed.nextOpenTime() : this.#engine.now());
  }

  /** Whether only candles and timers can come up to and including `time`. */
  #isIdleUntil(time: EpochMs): boolean {
    return (
      this.#arrivals.isQuiet &&
      this.#options.watch?.isStirred !== true &&
      this.#horizon.isIdleUntil(time)
    );
  }

  #nextInstant(slice: EpochMs): EpochMs {
    const next = Math.min(
      this.#options.end + 1,
      slice,
      this.#venue.nextTime(),
      this.#arrivals.nextTime(),
      this.#engine.nextTimer(),
    );
    const time = this.#sampler.nextInstant(next, this.#engine.stopWatches());
    if (time >= this.#now) return time;
    throw new InvariantError(
      'E_TIME_BACKWARDS',
      `time goes backwards: from ${formatUtc(this.#now)} to ${formatUtc(time)}`,
    );
  }

  /** Lets the watch look at a changed state once no command or update is on its way, and no command counts toward a rate limit any more. */
  #settle(time: EpochMs): void {
    const { watch, equity } = this.#options;
    if (watch?.isStirred !== true || !equity.isRecording) return;
    if (this.#arrivals.isQuiet && this.#arrivals.travel.isRested(time))
      this.#isCut = watch.settle(time);
  }

  /** After an instant without the venue: if it led to commands, moves the venue there and lets commands arrive that arrive at once. */
  #meetVenue(): void {
    if (this.#arrivals.isQuiet || this.#now === this.#options.end) return;
    this.#catchUp();
    this.#arrivals.arrive();
  }

  /** Moves the venue to the last instant, over those that passed without it. */
  #catchUp(): void {
    if (!this.#isVenueBehind) return;
    this.#isVenueBehind = false;
    this.#arrivals.poll(this.#now);
    this.#venue.resumeAt(this.#now);
    if (this.#sampler.catchUp(this.#now)) this.#horizon.beginAnew(this.#now);
  }

  /** Processes samples of last that matter at this instant, also to stops that were armed just now. */
  #takeSamples(time: EpochMs): void {
    for (const instrumentId of this.#sampler.take(time, this.#engine.stopWatches())) {
      const last = this.#venue.last(instrumentId, time);
      this.#options.watch?.stir();
      this.#process({ kind: 'ticker', time, instrumentId, last });
    }
  }

  readonly #learn = (update: VenueUpdate): void => {
    this.#process({ kind: 'venue', time: this.#now, update });
  };

  #process(event: EngineEvent): void {
    const commands = this.#engine.process(event);
    this.#horizon.forgetStops();
    // Most events send no command.
    if (commands.length > 0) this.#send(commands, event.time);
  }

  #send(commands: readonly Command[], time: EpochMs): void {
    this.#options.watch?.stir();
    this.#arrivals.send(commands, time);
  }
}

/** Follows trailing stops only if their single moves are not needed: no journal, no watch, and no trigger at the venue that follows them. */
function createTrailing({
  engine,
  venue,
  stopGrids: grids,
  watch,
}: ReplayOptions): TrailingStops | undefined {
  if (engine.isRecorded || watch !== undefined || engine.venueStops !== undefined) return undefined;
  const trailing = new TrailingStops({
    venue,
    grids,
    improve: (stop, best) => {
      engine.trailingStops.improve(stop, best);
    },
  });
  engine.trailingStops.askBest = () => {
    trailing.tellBest(engine.now());
  };
  return trailing;
}
