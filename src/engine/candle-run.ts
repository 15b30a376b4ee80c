import {
  formatUtc,
  InvariantError,
  type Candle,
  type EpochMs,
  type OrderIntent,
} from '../domain/index.js';
import type { EngineParts } from './engine-parts.js';
import { EquitySamples } from './equity-samples.js';
import type { EventStep } from './event-step.js';
import { describeEvent } from './events.js';
import type { FollowUp } from './intents/follow-up.js';
import { MOST_INTENTS, type IntentQueue } from './intents/intent-queue.js';
import { UnchangingIntent } from './intents/unchanging-intent.js';
import { NO_JOURNAL } from './journal.js';
import type { BatchStream, CandleBatch } from './market/candle-batch.js';
import type { CandleListener, MarketHub } from './market/market-hub.js';
import type { KnownForms } from './orders/forms/known-forms.js';
import type { OrderManager } from './orders/order-manager.js';
import { refusePromise } from './strategy/refuse-promise.js';
import type { StrategyFailures } from './strategy/strategy-failures.js';
import type { StrategyFeedback } from './strategy/strategy-feedback.js';
import type { EngineClock } from './time/engine-clock.js';

const NOTHING: CandleBatch = { streams: [], count: 0, time: Number.NaN, stepMs: 0, passed: 0 };

/** The slice being processed, in the form of an event. The object is reused for each slice. */
class CurrentSlice {
  readonly kind = 'candles';
  readonly #clock: EngineClock;
  /** The slice is the next one after the passed slices of this batch. */
  batch = NOTHING;

  constructor(clock: EngineClock) {
    this.#clock = clock;
  }

  get time(): EpochMs {
    return this.#clock.now;
  }

  get candles(): readonly Candle[] {
    const { streams, passed } = this.batch;
    return streams.map((stream) => stream.candleOf(stream.first + passed));
  }
}

/**
 * The only way of candles into an engine: slice after slice of a batch. If only the strategy looks at each slice, a slice costs no more than the
 * delivery of its candles. Further work is done only when something has happened.
 */
export class CandleRun {
  readonly #parts: EngineParts;
  readonly #eventStep: EventStep;
  readonly #clock: EngineClock;
  readonly #hub: MarketHub;
  readonly #intents: IntentQueue;
  readonly #failures: StrategyFailures;
  readonly #feedback: StrategyFeedback;
  readonly #orderManager: OrderManager;
  readonly #forms: KnownForms;
  readonly #followUp: FollowUp;
  readonly #slice: CurrentSlice;
  readonly unchangingIntent: UnchangingIntent;
  readonly #resendsRemainders: boolean;
  /** Undefined if no protection reads equity. */
  readonly #equitySamples: EquitySamples | undefined;
  /** The part of {@link looksAtEach} that holds for a whole run. */
  readonly #alwaysLooks: boolean;
  /** Number of intents that were kept to be judged before the batch. */
  #keptBefore = 0;
  /** Whether a slice is being delivered whose intents need not be recorded. */
  #isDelivering = false;

  constructor(parts: EngineParts, eventStep: EventStep) {
    this.#parts = parts;
    this.#eventStep = eventStep;
    this.#clock = parts.clock;
    this.#hub = parts.hub;
    this.#intents = parts.intents;
    this.#failures = parts.failures;
    this.#feedback = parts.feedback;
    this.#orderManager = parts.orderManager;
    this.#forms = parts.forms;
    this.#followUp = parts.followUp;
    this.#slice = new CurrentSlice(parts.clock);
    const { journal, remainder, decisions } = parts.options;
    this.unchangingIntent = new UnchangingIntent(parts);
    this.#alwaysLooks = journal !== NO_JOURNAL || decisions !== undefined;
    this.#resendsRemainders = remainder === 'resend';
    const { portfolio, protections } = parts;
    if (protections.readsEquity) this.#equitySamples = new EquitySamples(portfolio, protections);
  }

  /** Whether another part than the strategy looks at each slice. Slices then come one at a time. */
  get looksAtEach(): boolean {
    const { hub, orderManager, halts, protections } = this.#parts;
    return (
      this.#alwaysLooks ||
      hub.observesMarks ||
      orderManager.awaitsCandle ||
      this.#isToResend ||
      halts.untaken.length > 0 ||
      protections.state.halts.length > 0
    );
  }

  /** Whether a remaining quantity is to be sent with the next candle. */
  get #isToResend(): boolean {
    if (!this.#resendsRemainders) return false;
    const sides = this.#orderManager.ownOrders.account.positionSides();
    return sides.some(({ remainders }) => remainders.size > 0);
  }

  /**
   * Whether an intent that has just been raised need not be kept to be judged: the slice is not recorded, no other intent will be judged before
   * it, and judging it would change nothing.
   */
  passes(intent: OrderIntent): boolean {
    const idle = this.unchangingIntent;
    const intents = this.#intents;
    if (this.#isDelivering && intents.pending === 0 && intents.passed < MOST_INTENTS) {
      if (idle.covers(intent)) {
        if (this.#forms.isWritten(intent)) return true;
      } else if (this.#changesNothing(intent)) {
        idle.learn(intent);
        return true;
      }
    }
    // Later intents have to be judged after this one.
    idle.forget();
    return false;
  }

  /** Whether an intent is valid and would change nothing. */
  #changesNothing(intent: OrderIntent): boolean {
    const orderManager = this.#orderManager;
    // The amounts of a target are read, so its form is checked first.
    if (intent.kind === 'target')
      return (
        !this.#hub.hasReadOnly &&
        this.#forms.isWritten(intent) &&
        orderManager.changesNothing(intent)
      );
    return (
      orderManager.changesNothing(intent) &&
      !this.#isReadOnly(intent) &&
      this.#forms.isWritten(intent)
    );
  }

  #isReadOnly(intent: OrderIntent): boolean {
    const isOrder = intent.kind === 'enter' || intent.kind === 'exit';
    return isOrder && this.#hub.findReadOnly(intent.instrument) !== undefined;
  }

  /** Processes slices until one leads to commands, or to anything else that may come before the next slice, or until none is left. */
  run(batch: CandleBatch): void {
    const { run } = this.#parts;
    if (this.#failures.hasAny) this.#failures.throwIfAny();
    if (batch.time < this.#clock.now) this.#failBackwards(batch);
    this.#feedback.begin();
    this.#intents.begin();
    const slice = this.#slice;
    slice.batch = batch;
    run.event = slice;
    batch.passed = 0;
    try {
      this.#pass(batch);
      if (run.kept !== undefined) this.#eventStep.end(run.kept);
    } catch (error) {
      this.#failures.escaped(error);
    } finally {
      this.#isDelivering = false;
      this.unchangingIntent.forget();
      run.event = undefined;
      slice.batch = NOTHING;
    }
    if (this.#failures.hasAny) this.#failures.throwIfAny();
  }

  #pass(batch: CandleBatch): void {
    const { streams, time, stepMs } = batch;
    const { run, hub } = this.#parts;
    // A strategy may answer its introduction with intents, which are judged after the first slice.
    const introduces = run.isIntroductionDue;
    this.#eventStep.begin(time);
    const looksAtEach = introduces || this.looksAtEach;
    // During warm-up, the strategy's changes to its state are dropped after each slice.
    if (looksAtEach || (run.kept !== undefined && !run.isWarm)) batch.count = 1;
    else if (!run.isWarm) batch.count = Math.min(batch.count, hub.slicesUntilWarmer);
    else if (this.#equitySamples !== undefined)
      batch.count = this.#equitySamples.slicesUntil(batch);
    const { count } = batch;
    const clock = this.#clock;
    const followUp = this.#followUp;
    const last = time + (count - 1) * stepMs;
    for (const stream of streams) stream.route.stream.beginRows(stream, count);
    followUp.isNeeded = looksAtEach || this.#needsFollowUp(last);
    this.#isDelivering = !looksAtEach;
    this.unchangingIntent.begin(last);
    this.#keptBefore = this.#intents.kept;
    for (let index = 0; index < count;) {
      index = this.#passQuietly(batch, index, looksAtEach);
      const isNeeded = followUp.isNeeded || (index === count && this.#equitySamples !== undefined);
      if (isNeeded && (!this.#doFollowUp(last) || clock.timers.nextDue() <= last)) return;
    }
  }

  /** Passes slices from index `from` on, until one of them needs a follow-up. Returns how many have passed. */
  #passQuietly(batch: CandleBatch, from: number, looksAtEach: boolean): number {
    const { streams, count, time, stepMs } = batch;
    // Members of the first stream are kept in variables: most runs have no other stream, and reading them with each candle takes as long as an idle candle.
    const first = streams[0] as BatchStream;
    const hasOthers = streams.length > 1;
    const { closes, firstClose, marks, firstMark } = first;
    const { account, stream } = first.route;
    const clock = this.#clock;
    const followUp = this.#followUp;
    const hub = this.#hub;
    const intents = this.#intents;
    const { isWarm } = hub;
    const listener = hasOthers || looksAtEach ? undefined : hub.onlyListenerOf(stream);
    if (listener !== undefined) return this.#passToOne(listener, batch, from);
    for (let index = from; index < count; index += 1) {
      const now = time + index * stepMs;
      clock.advance(now);
      // The last price and the mark of each instrument are set before any delivery.
      account.lastTime = now;
      account.lastNumber = closes[firstClose + index] as number;
      if (marks !== undefined) account.markNumber = marks[firstMark + index] as number;
      if (hasOthers) learnOthers(streams, index, now);
      if (looksAtEach) this.#beginCandles(streams, index);
      if (index > 0) intents.begin();
      const row = first.first + index;
      const candle = first.candleOf(row);
      hub.deliver(stream, row, candle, isWarm);
      if (hasOthers) this.#deliverOthers(streams, index, isWarm);
      if (hub.slices.isObserved) this.#deliverSlice(streams, index);
      batch.passed = index + 1;
      if (followUp.isNeeded) return index + 1;
    }
    return count;
  }

  /**
   * As `#passQuietly`, if each row only goes to one listener, as in most of most runs. It is a loop of its own because a candle takes a third less time
   * in it: V8 then knows which function it calls, and other possible work is not checked for each row.
   */
  #passToOne(listener: CandleListener, batch: CandleBatch, from: number): number {
    const { count, time, stepMs } = batch;
    const only = batch.streams[0] as BatchStream;
    const { closes, firstClose, marks, firstMark, first } = only;
    const { account, stream } = only.route;
    const clock = this.#clock;
    const followUp = this.#followUp;
    const intents = this.#intents;
    for (let index = from; index < count; index += 1) {
      const now = time + index * stepMs;
      clock.advance(now);
      account.lastTime = now;
      account.lastNumber = closes[firstClose + index] as number;
      if (marks !== undefined) account.markNumber = marks[firstMark + index] as number;
      if (index > 0) intents.begin();
      const candle = only.candleOf(first + index);
      stream.follow(first + index, candle);
      try {
        const returned = listener(candle);
        if (returned !== undefined) refusePromise('onCandle', returned);
      } catch (error) {
        this.#failures.record(error);
      }
      batch.passed = index + 1;
      if (followUp.isNeeded) {
        if (this.#hub.slices.isObserved) this.#deliverSlice(batch.streams, index);
        return index + 1;
      }
    }
    return count;
  }

  #deliverSlice(streams: readonly BatchStream[], index: number): void {
    this.#hub.deliverSlice(streams.map((one) => one.candleOf(one.first + index)));
  }

  #deliverOthers(streams: readonly BatchStream[], index: number, isWarm: boolean): void {
    const hub = this.#hub;
    for (let place = 1; place < streams.length; place += 1) {
      const stream = streams[place] as BatchStream;
      const row = stream.first + index;
      hub.deliver(stream.route.stream, row, stream.candleOf(row), isWarm);
    }
  }

  #beginCandles(streams: readonly BatchStream[], index: number): void {
    const { guards, waiting, dust, venueStops } = this.#orderManager;
    const isAwaited =
      guards.hasAny ||
      waiting.sides.size > 0 ||
      dust.hasAny ||
      this.#isToResend ||
      venueStops?.awaitsCandle === true;
    if (!isAwaited) return;
    for (let place = 0; place < streams.length; place += 1) {
      const { instrumentId } = (streams[place] as BatchStream).route.stream;
      if (isFirstOfInstrument(streams, place)) this.#orderManager.beginCandle(instrumentId);
    }
    if (venueStops?.readsCandles !== true) return;
    for (const stream of streams) venueStops.learnCandle(stream.candleOf(stream.first + index));
  }

  /** Whether each slice up to `last` needs a follow-up after its delivery. A timer that is due after `last` is no reason. */
  #needsFollowUp(last: EpochMs): boolean {
    const clock = this.#clock;
    return !clock.isDrained || clock.timers.nextDue() <= last || this.#hub.hasMarkStreams;
  }

  /** Does the work after the candles of a slice, if something has happened. Returns whether the next slice may pass as well. */
  #doFollowUp(last: EpochMs): boolean {
    this.#isDelivering = false;
    this.unchangingIntent.forget();
    this.#eventStep.endSlice(this.#clock.now);
    if (this.#failures.hasAny || this.#feedback.commands.length > 0 || this.looksAtEach)
      return false;
    this.#followUp.isNeeded = this.#needsFollowUp(last);
    this.#isDelivering = true;
    // A judged intent may have set a stop that has to be watched. A slice without a command can have no other effect that matters here.
    return this.#intents.kept === this.#keptBefore || !this.#orderManager.guards.hasAny;
  }

  #failBackwards({ time, streams }: CandleBatch): never {
    const candles = streams.map((stream) => stream.candleOf(stream.first));
    throw new InvariantError(
      'E_TIME_BACKWARDS',
      `expected no event before ${formatUtc(this.#clock.now)}, received ${describeEvent({ kind: 'candles', time, candles })}`,
    );
  }
}

function learnOthers(streams: readonly BatchStream[], index: number, now: EpochMs): void {
  for (let place = 1; place < streams.length; place += 1) {
    const { route, closes, firstClose, marks, firstMark } = streams[place] as BatchStream;
    const { account } = route;
    account.lastTime = now;
    account.lastNumber = closes[firstClose + index] as number;
    if (marks !== undefined) account.markNumber = marks[firstMark + index] as number;
  }
}

/** Several intervals of an instrument may close in one slice. A candle of it begins once: what began to wait in this slice is not outdated. */
function isFirstOfInstrument(streams: readonly BatchStream[], place: number): boolean {
  const instrumentId = streams[place]?.route.stream.instrumentId;
  for (let before = 0; before < place; before += 1)
    if (streams[before]?.route.stream.instrumentId === instrumentId) return false;
  return true;
}
