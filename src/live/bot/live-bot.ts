import type { EpochMs, ErrorCode, HaltReason, InstrumentId } from '../../domain/index.js';
import type { Engine, Command, EngineEvent, Verdict } from '../../engine/index.js';
import { asTrading } from '../as-trading.js';
import type { BotControl, BotEnd, BotStatus, StopPolicy } from './bot-control.js';
import type { BotSession } from '../session/bot-session.js';
import { DecisionLog } from './decision-log.js';
import { explained, stillBusy } from '../explained.js';
import { describeAccount, describeCancels, describeMargins } from './describe-account.js';
import { clearingOf } from './describe-triggers.js';
import { describeFailed } from './describe-failed.js';
import { FailedStrategy } from './failed-strategy.js';
import { Flattening, isFlatten } from './flattening.js';
import { closedCondition, COMPARING, comparesFrom, rulesCondition } from './health-news.js';
import { describeLeft, isAllHeldBack } from './unclosed.js';
import { LifeKeeper } from './life-keeper.js';
import type { LiveBotOptions } from './live-bot-options.js';
import { GUARDED_PAUSE_MS, patiently } from '../patiently.js';
import { RepeatedComparison } from '../account/repeated-comparison.js';
import { restingLimits } from '../account/resting-limits.js';
import { untilAnswered, untilSettled } from './stopping.js';
import { listWatched, Watchdog } from './watchdog.js';

/** Condition of a guard process: no entries. Only the end of the guard ends it. */
const GUARDING = 'the bot is not there: its guard process samples its stops and makes no entry';

/** The engine's name for a halt of the operator. */
const OPERATORS_HALT: HaltReason = 'operator';

/** A running bot: its session, its life, and its operator's interface. */
export class LiveBot implements BotControl {
  readonly name: string;
  readonly ended: Promise<BotEnd>;
  readonly #options: LiveBotOptions;
  readonly #session: BotSession;
  readonly #watchdog: Watchdog;
  readonly #failed: FailedStrategy;
  readonly #decisions: DecisionLog;
  readonly #streams = new Map<string, BotStatus['streams'][number]>();
  readonly #flattening: Flattening;
  readonly #comparison: RepeatedComparison;
  readonly #life: LifeKeeper;
  #resolveEnd: (end: BotEnd) => void = () => undefined;
  #starting: Promise<void> | undefined;
  #stopping: Promise<BotEnd> | undefined;
  #endWatch: (() => void) | undefined;
  #startedAt: EpochMs | undefined;
  #events = 0;
  #commands = 0;
  #lastEvent: EpochMs | undefined;

  constructor(options: LiveBotOptions) {
    this.#options = options;
    this.name = options.name;
    this.#decisions = new DecisionLog(options.log, options.engine.workingOrders);
    this.#life = new LifeKeeper({
      log: options.log,
      now: () => options.time.now(),
      onHealth: (news) => {
        this.#session.tell((time) => ({ kind: 'health', time, ...news }));
      },
    });
    this.ended = new Promise((resolve) => {
      this.#resolveEnd = resolve;
    });
    this.#session = options.openSession({
      onProcessed: (event, commands) => {
        this.#processed(event, commands);
      },
      onCondition: this.#condition,
      onNotice: this.#warn,
      onStream: (stream) => {
        this.#streams.set(stream.name, stream);
      },
      onFailure: this.#fail,
    });
    const { name: bot, mode, engine, isGuard = false } = options;
    this.#failed = new FailedStrategy({
      ...{ bot, mode, engine, isGuard },
      tell: (make) => this.#session.tell(make),
    });
    this.#flattening = this.#createFlattening();
    this.#comparison = new RepeatedComparison({
      time: options.machine,
      compare: () => this.#compareAgain(),
      isWanted: () => !this.#life.isOver,
      onFailure: this.#fail,
    });
    this.#watchdog = this.#createWatchdog();
  }

  #createFlattening(): Flattening {
    const { engine, machine } = this.#options;
    return new Flattening({
      time: machine,
      left: () => describeLeft(engine),
      // The venue refuses to close frozen positions, and those of gone instruments.
      isSending: () => this.#session.isSending || isAllHeldBack(engine, this.#life.conditions),
      tell: () => {
        this.#session.tell((time) => ({ kind: 'operator', time, action: 'flatten' }));
      },
      onProgress: (text) => {
        this.#life.condition('flatten', text);
      },
      onFlat: this.#warn,
    });
  }

  #createWatchdog(): Watchdog {
    const { machine, time, streams, instruments, budgets, troubles } = this.#options;
    const products = new Set(instruments.map(({ kind }) => kind));
    return new Watchdog({
      ...{ time: machine, dataClock: time },
      streams: () =>
        listWatched(streams, { shown: this.#streams, conditions: this.#life.conditions }),
      others: () => new Map([...(troubles?.() ?? []), ...restingLimits(budgets(), products)]),
      listener: {
        degrade: this.#condition,
        recover: (name) => {
          this.#condition(name, undefined);
        },
      },
      staleAfterMs: this.#options.staleAfterMs,
      loopStallMs: this.#options.loopStallMs,
    });
  }

  /**
   * Starts the bot. No entry is made before orders, fills, balances and positions of bot and venue agree.
   *
   * Never throws: a bot that cannot start has failed. A second call waits for the first.
   */
  start(): Promise<void> {
    const starting = (): Promise<void> =>
      explained(this.#start(), this.#options.machine, (waitedMs) => {
        if (this.#life.isOver) return;
        this.#warn(stillBusy('starting', waitedMs, this.#life.status.reasons));
      });
    this.#starting ??= starting().catch(async (error: unknown) => {
      await this.#end({ kind: 'failed', error: asTrading(error) });
    });
    return this.#starting;
  }

  async #start(): Promise<void> {
    const { isReplayed = false, engine } = this.#options;
    const hasPast = isReplayed || engine.workingOrders.length > 0;
    this.#life.enter('warming');
    this.#startedAt = this.#options.time.now();
    // Events due between the engine's time and now must not enter either.
    this.#session.tell(() => comparesFrom(engine.now()));
    if (hasPast) this.#session.restore();
    this.#failed.tell();
    // The warm-up lies in the past, so it comes before all current events.
    const warmedUp = isReplayed ? Promise.resolve() : this.#session.warmUp();
    for (const [id, { text, untilResumed }] of engine.closings)
      this.#life.condition(untilResumed === true ? rulesCondition(id) : closedCondition(id), text);
    if (engine.isReduceOnly) this.#life.change({ kind: 'pause' });
    if (this.#options.isGuard === true) this.#life.condition('guard', GUARDING);
    this.#options.warming?.begin(this.#condition);
    this.#session.announce?.();
    this.#life.condition('start', COMPARING);
    this.#watchdog.start();
    this.#endWatch = this.#options.watchJournal?.((text) => {
      this.#life.condition('journal', text);
    });
    await warmedUp;
    if (this.#hasStopped()) return;
    if (hasPast) await this.#persist(() => this.#session.resolve());
    // Calls on their way may still succeed after a stop: a session that begins to read again would never end.
    if (this.#hasStopped()) return;
    this.#session.run();
    await this.#persist(() => this.reconcile());
    if (this.#hasStopped()) return;
    this.#life.condition('start', undefined);
    this.#enterActive();
    if (this.#isToBeFlat) this.#flattening.begin();
    this.#comparison.begin();
  }

  #hasStopped(): boolean {
    return this.#life.phase === 'stopped';
  }

  /** Whether the operator or a protection has ordered a flatten that is not done. */
  get #isToBeFlat(): boolean {
    const { engine } = this.#options;
    return engine.haltsInForce.some(isFlatten) && describeLeft(engine).length > 0;
  }

  /** Retries while the venue does not answer. The bot is degraded meanwhile, also if a stop waits for orders. */
  #persist(work: () => Promise<void>): Promise<void> {
    return patiently(work, {
      time: this.#options.machine,
      tries: Number.POSITIVE_INFINITY,
      longestPauseMs: GUARDED_PAUSE_MS,
      onFailure: ({ message }) => {
        this.#life.condition('start', `${COMPARING}: ${message}`);
      },
      isWanted: () => !this.#hasStopped(),
    });
  }

  /** Compares bot and venue. A disagreement degrades the bot until it is gone. */
  async reconcile(): Promise<void> {
    const found = await this.#session.reconcile();
    this.#life.condition('reconciliation', found.length === 0 ? undefined : found.join('; '));
  }

  /** Compares positions and balances while the bot runs. If commands are on their way, it waits for the next time. */
  async #compareAgain(): Promise<void> {
    if (this.#session.isSending || this.#options.engine.isUncertain) return;
    // A disagreement at the start that may be gone.
    if (this.#life.stands('reconciliation')) await this.reconcile();
    const found = await this.#session.compareAgain();
    this.#life.condition('holdings', found.length === 0 ? undefined : found.join('; '));
  }

  status(): BotStatus {
    const { engine, name, mode, time, instruments, budgets } = this.#options;
    return {
      name,
      mode,
      ...this.#life.status,
      time: time.now(),
      warmUp: this.#options.warming?.left ?? [],
      streams: [...this.#streams.values()],
      ...describeAccount(engine, instruments),
      guardedBy: {
        process: this.#options.isGuard === true ? 'guard' : 'bot',
        since: this.#startedAt,
        standby: this.#options.guarded?.() ?? 'off',
      },
      sampled: this.#session.sampling ?? [],
      cancels: describeCancels(this.#session.unansweredCancels),
      margins: describeMargins(this.#session.margins),
      budgets: budgets(),
      events: this.#events,
      commands: this.#commands,
      isFlattening: this.#flattening.isUnderWay,
      reload: undefined,
      lastDecision: this.#decisions.last,
    };
  }

  /** The bot's engine. For reading only. */
  get engine(): Engine {
    return this.#options.engine;
  }

  /** Time of the engine's last event. */
  get lastEvent(): EpochMs | undefined {
    return this.#lastEvent;
  }

  /** Largest lateness of the process since the last call, in ms. */
  takeWorstLagMs(): number {
    return this.#watchdog.takeWorstLagMs();
  }

  pause(): void {
    this.#session.tell((time) => ({ kind: 'operator', time, action: 'reduce-only' }));
    this.#life.change({ kind: 'pause' });
  }

  resume(): void {
    this.#flattening.end();
    this.#session.tell((time) => ({ kind: 'operator', time, action: 'resume' }));
    this.#life.resume();
  }

  halt(text: string): void {
    this.#halt(text, 'cancel');
  }

  flatten(): void {
    this.#halt('flattened by the operator', 'flatten');
    this.#flattening.begin();
  }

  /** Halts. The status shows the halt at once, also before the engine has processed it. */
  #halt(text: string, onHalt: 'cancel' | 'flatten'): void {
    this.#session.tell((time) => ({ kind: 'operator', time, action: 'halt', onHalt, text }));
    this.#life.change({ kind: 'halt', name: OPERATORS_HALT, text });
  }

  restartStrategy(): void {
    if (this.isRestarting) return;
    const restart = this.#failed.restart();
    void this.untilAnswered().then(() => {
      restart();
      return this.stop('keep');
    });
  }

  /** Waits until no command is at the venue without an answer, up to a minute. Returns whether the bot may end now: a shorter end leaves fewer stops unsampled. */
  untilAnswered(isWanted = (): boolean => true): Promise<boolean> {
    return untilAnswered({
      time: this.#options.machine,
      isSettled: () => !this.#session.isUnsettled,
      isWanted: () => isWanted() && this.#stopping === undefined && !this.#hasStopped(),
    });
  }

  clearTriggers(ids: readonly string[]): void {
    const clearing = clearingOf(this.#options.engine, ids);
    this.#session.tell((time) => ({ ...clearing, time }));
  }

  /** Whether the bot ends, or has ended, in order to be made again. */
  get isRestarting(): boolean {
    return this.#failed.isRestarting;
  }

  stop(policy: StopPolicy): Promise<BotEnd> {
    this.#stopping ??= this.#stop(policy);
    return this.#stopping;
  }

  async #stop(policy: StopPolicy): Promise<BotEnd> {
    if (this.#hasStopped()) return this.ended;
    this.#life.enter('halting');
    this.#session.closeEntries();
    // Not a pause: the operator would have to end it after the next start.
    this.#life.condition('stop', 'the bot is being stopped');
    if (policy !== 'keep') {
      if (policy === 'flatten') this.#flattening.begin();
      else this.#session.tell((time) => ({ kind: 'operator', time, action: 'withdraw' }));
      await this.#untilSettled(policy);
    }
    return this.#end({ kind: 'stopped' });
  }

  #untilSettled(policy: Exclude<StopPolicy, 'keep'>): Promise<void> {
    return untilSettled({
      ...{ policy, engine: this.#options.engine, time: this.#options.machine },
      isSending: () => this.#session.isSending,
      isFlattening: () => this.#flattening.isUnderWay,
      isOver: () => this.#hasStopped(),
      warn: this.#warn,
    });
  }

  async #end(end: BotEnd): Promise<BotEnd> {
    if (this.#hasStopped()) return this.ended;
    this.#watchdog.stop();
    this.#endWatch?.();
    this.#flattening.end();
    this.#comparison.stop();
    if (end.kind === 'failed') this.#warn(describeFailed(end.error, this.#options), end.error.code);
    this.#life.enter('stopped');
    await this.#session.stop();
    let outcome = end;
    try {
      await this.#options.onEnd(end);
    } catch (error: unknown) {
      if (outcome.kind === 'stopped') outcome = { kind: 'failed', error: asTrading(error) };
    }
    this.#resolveEnd(outcome);
    return outcome;
  }

  readonly #warn = (text: string, code?: ErrorCode): void => {
    this.#options.log.warning({ time: this.#options.time.now(), ...(code && { code }), text });
  };

  readonly #fail = (error: unknown): void => {
    void this.#end({ kind: 'failed', error: asTrading(error) });
  };

  readonly #condition = (name: string, text: string | undefined): void => {
    this.#life.condition(name, text);
  };

  /** Takes the verdicts of risk. Pass it to the engine as `onVerdict`. */
  readonly onVerdict = (verdict: Verdict, instrumentId: InstrumentId): void => {
    this.#decisions.verdict(verdict, instrumentId);
  };

  #processed(event: EngineEvent, commands: readonly Command[]): void {
    this.#events += 1;
    this.#commands += commands.length;
    this.#lastEvent = this.#options.time.now();
    this.#decisions.processed(event, commands);
    this.#failed.tell();
    this.#options.warming?.take(event);
    this.#options.keepCheckpoint?.();
    this.#life.followHalts(this.#options.engine.haltsInForce, event.time);
    this.#enterActive();
    const isCompared = !this.#life.isOver && !this.#life.stands('start');
    if (isCompared && this.#isToBeFlat) this.#flattening.follow();
  }

  #enterActive(): void {
    const isComparing = this.#life.stands('start');
    if (this.#life.phase === 'warming' && this.#options.engine.isWarm && !isComparing)
      this.#life.enter('active');
  }
}
