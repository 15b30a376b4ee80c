import type { Replay, ReplayOptions } from '../../../src/assembly/backtest/index.js';
import { CommandPacer } from '../../../src/simulator/clockwork/command-pacer.js';
import type { EpochMs } from '../../../src/domain/index.js';
import type { Command, EngineEvent, StopWatch } from '../../../src/engine/index.js';
import { isOrderUpdate, type VenueUpdate } from '../../../src/venue/index.js';

const NEVER = Number.POSITIVE_INFINITY;
const NO_BATCH = { streams: [], count: 1, stepMs: 0, prices: new Float64Array(0), first: 0 };
type Due<T> = readonly [what: T, time: EpochMs];

/** Events given to the engine from outside: at an instant, or right after it if commands are on their way. */
export interface Told {
  readonly time: EpochMs;
  /** When `tell` returns, all consequences of its event have happened. */
  readonly act: (tell: (make: (time: EpochMs) => EngineEvent) => void) => void;
}

/** Carries out DESIGN R1, R2 and R9 instant by instant. It advances the venue to each instant and checks every sample of last: slow and obvious. It ignores `watch`. */
export class PlainReplay implements Replay {
  readonly #options: ReplayOptions;
  readonly #told: Told[];
  readonly #pacer = new CommandPacer();
  #sent: Due<Command>[] = [];
  #pending: Due<VenueUpdate>[] = [];
  #waiting: readonly string[] = [];
  #isAfterPoll = false;
  #isClosing = false;
  readonly isCut = false;
  candles = 0;
  now: EpochMs = Number.NEGATIVE_INFINITY;

  constructor(options: ReplayOptions, told: readonly Told[] = []) {
    this.#options = options;
    this.#told = [...told];
  }

  get delayedCommands(): number {
    return this.#pacer.delayed;
  }
  readonly receive = (update: VenueUpdate): void => {
    const { updatePollMs } = this.#options;
    const poll = Math.ceil(update.eventTime / updatePollMs) * updatePollMs;
    const isOver = this.#isAfterPoll && poll === update.eventTime;
    this.#pending.push([update, isOver ? poll + updatePollMs : poll]);
  };

  /** Whether nothing is on its way and the engine knows everything that has happened. */
  get isTold(): boolean {
    return this.#pending.length + this.#sent.length + this.#waiting.length === 0;
  }

  advance(most: number): number {
    for (let instants = 0; instants < most; instants += 1) if (!this.#step()) return instants;
    return most;
  }

  finish({ closesPositions }: { readonly closesPositions: boolean }): ReturnType<Replay['finish']> {
    const { engine, venue, equity, end, onStart } = this.#options;
    this.now = end;
    if (!equity.isRecording) onStart(end);
    equity.beforeInstant(end);
    this.#learn(() => true);
    this.#tell({ kind: 'end', time: end });
    venue.forgetWaiting();
    if (!closesPositions) return { orders: 0, fills: 0 };
    const before = { orders: engine.orders.length, fills: engine.fills.length };
    this.#isClosing = true;
    venue.reopenAtLastClose(end);
    this.#sent = this.#sent.flatMap(([sent]) => (sent.kind === 'cancel' ? [[sent, end]] : []));
    for (
      let filled = -1;
      engine.fills.length > filled && (filled < 0 || engine.portfolio.isExposed);
    ) {
      filled = engine.fills.length;
      this.#close({ kind: 'operator', time: end, action: 'flatten' });
    }
    if (engine.workingOrders.length > 0)
      this.#close({ kind: 'operator', time: end, action: 'withdraw' });
    return {
      orders: engine.orders.length - before.orders,
      fills: engine.fills.length - before.fills,
    };
  }

  #close(event: EngineEvent): void {
    this.#tell(event);
    this.#arrive();
    this.#learn(() => true);
  }

  #step(): boolean {
    const { engine, venue, cursors, equity, end, dataDelayMs, onStart } = this.#options;
    if (this.now === end) return false;
    const closeTime = Math.min(...cursors.map((cursor) => cursor.nextCloseTime()));
    const slice = closeTime + dataDelayMs;
    const closing = cursors.filter((cursor) => cursor.nextCloseTime() === closeTime);
    const opened = Math.max(...closing.map((cursor) => cursor.nextOpenTime()));
    if (engine.isWarm && !equity.isRecording) onStart(slice <= end ? opened : engine.now());
    const due = [...this.#pending, ...this.#sent].map(([, at]) => at);
    // An outside event that is already due waits for commands on their way.
    due.push(...this.#told.map((told) => told.time).filter((at) => at > this.now));
    const next = Math.min(slice, venue.nextTime(), engine.nextTimer(), ...due);
    // Without this limit the samples of a waiting stop would never end if no candle follows.
    const time = this.#nextSample(Math.min(next, end + 1));
    if (time > end) return false;
    if (equity.isRecording) equity.beforeInstant(time);
    // The results of an arrival at the same instant are handled in another pass of this instant. Its poll is then over.
    if (time > this.now) this.#isAfterPoll = false;
    this.now = time;
    venue.completeUntil(time);
    venue.settleUntil(time);
    this.#learn(([, knownAt]) => knownAt <= time);
    this.#sampleNow();
    if (time === slice) this.#takeSlice(closing, closeTime);
    else if (engine.nextTimer() <= time) this.#tell({ kind: 'timer', time });
    if (time === end) return true;
    this.#isAfterPoll = true;
    venue.openAt(time);
    this.#ask(this.#waiting, () => {
      venue.admitWaiting(time);
    });
    this.#arrive();
    while ((this.#told[0]?.time ?? NEVER) <= time && this.#sent.length === 0)
      this.#told.shift()?.act((make) => {
        this.#tell(make(time));
        this.#arrive();
      });
    return true;
  }

  #takeSlice(closing: ReplayOptions['cursors'], closeTime: EpochMs): void {
    const { marks, gaps, equity } = this.#options;
    const told = marks.take(closeTime);
    if (told) this.#tell({ kind: 'marks', time: this.now, marks: told });
    for (const cursor of closing)
      if (cursor.row > 0 && cursor.nextOpenTime() > cursor.closeTimeAt(cursor.row - 1))
        gaps.note(cursor);
    const candles = closing.map((cursor) => cursor.take());
    this.#tell({ kind: 'candles', time: this.now, candles });
    if (!equity.isRecording) return;
    this.candles += candles.length;
    equity.onBatch({ ...NO_BATCH, time: this.now });
  }

  #nextSample(limit: EpochMs): EpochMs {
    const { engine, venue, stopGrids } = this.#options;
    let first = limit;
    for (const watch of engine.stopWatches()) {
      const trailsFrom = watch.trail && watch.best;
      venue.noteStop(watch.instrumentId, { ...watch, trailsFrom });
      const gridMs = stopGrids.get(watch.instrumentId) ?? NEVER;
      let time = (Math.floor(this.now / gridMs) + 1) * gridMs;
      while (time < first && !this.#matters(watch, time)) time += gridMs;
      first = Math.min(first, time);
    }
    return this.#lastMoveBefore(first);
  }

  /** What happens at `next` finds trailing stops where all samples before have moved them. */
  #lastMoveBefore(next: EpochMs): EpochMs {
    const { engine, stopGrids } = this.#options;
    const moves = engine.stopWatches().flatMap((watch) => {
      const gridMs = stopGrids.get(watch.instrumentId) ?? NEVER;
      const last = (Math.ceil(next / gridMs) - 1) * gridMs;
      return last > this.now && this.#moves(watch, last) ? [last] : [];
    });
    return Math.min(next, ...moves);
  }

  #moves({ instrumentId, direction, trail, best }: StopWatch, time: EpochMs): boolean {
    const { venue, stopGrids } = this.#options;
    const { isOpen, openTime } = venue.market(instrumentId);
    if (trail === undefined || time % (stopGrids.get(instrumentId) ?? NEVER) !== 0) return false;
    const better = venue.last(instrumentId, time) - best;
    return isOpen && time > openTime && (direction === 'long' ? better > 0n : better < 0n);
  }

  #sampleNow(): void {
    const { engine, venue, stopGrids } = this.#options;
    const { now: time } = this;
    const due = engine
      .stopWatches()
      .filter((watch) => this.#matters(watch, time) || this.#moves(watch, time));
    const sampled = new Set(due.map((watch) => watch.instrumentId));
    for (const instrumentId of [...stopGrids.keys()].filter((id) => sampled.has(id)))
      this.#tell({ kind: 'ticker', time, instrumentId, last: venue.last(instrumentId, time) });
  }

  #matters(watch: StopWatch, time: EpochMs): boolean {
    const { instrumentId, direction, level, trail, best } = watch;
    const { venue, stopGrids } = this.#options;
    const market = venue.market(instrumentId);
    const gridMs = stopGrids.get(instrumentId) ?? NEVER;
    if (time % gridMs !== 0 || !market.hasStarted) return false;
    const last = venue.last(instrumentId, time);
    const sign = direction === 'long' ? 1n : -1n;
    if (sign * (last - level) <= 0n) return true;
    if (trail === undefined || sign * (last - best) <= 0n) return false;
    // If a piece of the path leads away from a stop, its last sample moves the stop as far as all its samples do.
    const path = market.isOpen ? venue.path(instrumentId) : undefined;
    const piece = path?.segments.find(({ toTime }) => toTime >= time);
    return !piece || time + gridMs > piece.toTime || sign * (piece.to - piece.from) <= 0n;
  }

  #arrive(): void {
    const { venue } = this.#options;
    for (let rounds = 100; (this.#sent[0]?.[1] ?? NEVER) <= this.now; rounds -= 1) {
      if (rounds === 0) throw new Error('orders and answers without end');
      const { length } = this.#sent.filter(([, arrival]) => arrival <= this.now);
      for (const [command] of this.#sent.splice(0, length)) {
        const { clientOrderId: id } = command.kind === 'submit' ? command.order : command;
        this.#ask([id], () => {
          if (command.kind === 'submit') venue.submit(command.order, this.now);
          else venue.cancel(id, this.now);
        });
      }
    }
  }

  /** Updates about the asked orders are the answer and known at once. Other updates come with a poll. */
  #ask(ids: readonly string[], question: () => void): void {
    const before = this.#pending.length;
    question();
    const heard = this.#pending.splice(before);
    const isAnswer = ([update]: Due<VenueUpdate>): boolean => ids.includes(nameOf(update));
    const answered = new Set(heard.map(([update]) => nameOf(update)));
    this.#waiting = [...new Set([...this.#waiting, ...ids])].filter((id) => !answered.has(id));
    for (const news of heard) {
      if (isAnswer(news)) this.#answer(news[0]);
      else this.#pending.push(news);
    }
  }

  /** An answer brings the earlier updates of its order, and the fills of its instrument before its last fill, by other orders or forced. */
  #answer(answer: VenueUpdate): void {
    const isOwn = ([one]: Due<VenueUpdate>): boolean => nameOf(one) === nameOf(answer);
    const told = [...this.#pending.filter(isOwn), [answer, this.now] as const];
    const [fill] = told.findLast(([one]) => one.kind === 'fill') ?? [];
    const last = this.#pending.findIndex(([one]) => one === fill);
    const earlier = last < 0 ? this.#pending : this.#pending.slice(0, last);
    this.#learn((one) => isOwn(one) || (earlier.includes(one) && areFillsOfOne(one[0], fill)));
    this.#tell({ kind: 'venue', time: this.now, update: answer });
  }

  #learn(isKnown: (pending: Due<VenueUpdate>) => boolean): void {
    const known = this.#pending.filter(isKnown);
    this.#pending = this.#pending.filter((pending) => !isKnown(pending));
    for (const [update] of known) this.#tell({ kind: 'venue', time: this.now, update });
  }

  #tell(event: EngineEvent): void {
    const { engine, latency } = this.#options;
    for (const command of engine.process(event)) {
      const departure = this.#isClosing ? this.now : this.#pacer.departure(command, this.now);
      const delayMs = this.#isClosing ? 0 : latency.delayMs(command.kind);
      this.#sent.push([command, departure + delayMs]);
    }
    this.#sent.sort(([, a], [, b]) => a - b);
  }
}

const nameOf = (update: VenueUpdate): string => (isOrderUpdate(update) ? update.clientOrderId : '');
const areFillsOfOne = (one: VenueUpdate, other?: VenueUpdate): boolean =>
  (one.kind === 'fill' || one.kind === 'forced-fill') &&
  other?.kind === 'fill' &&
  one.fill.instrumentId === other.fill.instrumentId;
