import {
  nominalIntervalMs,
  TradingError,
  type EpochMs,
  type HaltReason,
  type Instrument,
  type InstrumentId,
} from '../domain/index.js';
import type { FeedTime } from '../feed/index.js';
import type { Engine, Command, EngineEvent, Verdict } from '../engine/index.js';
import type { BotControl, BotEnd, BotStatus, StopPolicy } from './bot-control.js';
import { asTrading } from './as-trading.js';
import { advanceLife, beginLife, listReasons, type BotLife, type LifeChange } from './bot-life.js';
import type { BotLog, LogDecision } from './bot-log.js';
import type { BotSession, OpenSession } from './bot-session.js';
import { describeAccount, describeMargins } from './describe-account.js';
import { decisionsOf } from './describe-decision.js';
import type { WarmStream } from './engine-session.js';
import { FailedStrategy } from './failed-strategy.js';
import { closedCondition, healthNews, rulesCondition } from './health-news.js';
import { patiently } from './patiently.js';
import type { SessionTime } from './session-time.js';
import { Watchdog, type WatchedStream } from './watchdog.js';

export interface LiveBotOptions {
  readonly name: string;
  readonly mode: BotStatus['mode'];
  readonly log: BotLog;
  /** Constructed, started, and before its first event, or replayed. */
  readonly engine: Engine;
  /** @defaultValue false */
  readonly isReplayed?: boolean | undefined;
  readonly instruments: readonly Instrument[];
  readonly streams: readonly Pick<WarmStream, 'instrumentId' | 'interval'>[];
  /** The venue's time. */
  readonly time: SessionTime;
  /** The machine's time, for what must not follow the venue's. */
  readonly machine: FeedTime;
  readonly staleAfterMs: number;
  readonly loopStallMs: number;
  readonly budgets: () => BotStatus['budgets'];
  /** Makes what the bot runs on. */
  readonly openSession: OpenSession;
  /** Called once when the bot has ended: closes what it had open. */
  readonly onEnd: (end: BotEnd) => Promise<void>;
}

/** What the engine calls a halt of the operator's. */
const OPERATORS_HALT: HaltReason = 'operator';

/** How long a stop waits for its orders to end before it gives up on them. */
const STOP_PATIENCE_MS = 60_000;
const STOP_LOOK_MS = 250;
/** Between two comparisons of what is held with the venue. */
const COMPARE_MS = 60_000;
/** What only the operator can judge: what others did, what came after an end, candles that nobody has, and rules that have changed. */
const OPERATORS_CONCERN = ['foreign ', 'late ', 'hole ', 'rules '];

/** A bot that runs: a session, its life, and what its operator is told. */
export class LiveBot implements BotControl {
  readonly name: string;
  readonly ended: Promise<BotEnd>;
  readonly #options: LiveBotOptions;
  readonly #session: BotSession;
  readonly #watchdog: Watchdog;
  readonly #failed: FailedStrategy;
  readonly #streams = new Map<string, BotStatus['streams'][number]>();
  #life: BotLife;
  #resolveEnd: (end: BotEnd) => void = () => undefined;
  #starting: Promise<void> | undefined;
  #stopping: Promise<BotEnd> | undefined;
  #cancelComparison = (): void => undefined;
  #events = 0;
  #commands = 0;
  #lastEvent: EpochMs | undefined;
  #lastDecision: BotStatus['lastDecision'];
  /** Halts of the engine that the life knows. */
  #halts: ReadonlySet<HaltReason> = new Set();

  constructor(options: LiveBotOptions) {
    this.#options = options;
    this.name = options.name;
    this.#life = beginLife(options.time.now());
    this.ended = new Promise((resolve) => {
      this.#resolveEnd = resolve;
    });
    this.#session = options.openSession({
      onProcessed: (event, commands) => {
        this.#processed(event, commands);
      },
      onCondition: (name, text) => {
        this.#condition(name, text);
      },
      onNotice: (text) => {
        options.log.warning({ time: options.time.now(), text });
      },
      onStream: (stream) => {
        this.#streams.set(stream.name, stream);
      },
      onFailure: (error) => {
        void this.#end({ kind: 'failed', error: asTrading(error) });
      },
    });
    const { name: bot, mode, engine } = options;
    this.#failed = new FailedStrategy({
      bot,
      mode,
      engine,
      tell: (make) => this.#session.tell(make),
    });
    this.#watchdog = new Watchdog({
      time: options.machine,
      streams: () => this.#watchedStreams(),
      listener: {
        degrade: (name, text) => {
          this.#condition(name, text);
        },
        recover: (name) => {
          this.#condition(name, undefined);
        },
      },
      staleAfterMs: options.staleAfterMs,
      loopStallMs: options.loopStallMs,
    });
  }

  /**
   * Lets the bot run. No entry is made before orders, fills, balances and positions of bot and venue agree.
   *
   * Never throws: a bot that cannot start is one that has failed. A second call waits for the first.
   */
  start(): Promise<void> {
    this.#starting ??= this.#start();
    return this.#starting;
  }

  async #start(): Promise<void> {
    const { isReplayed = false, engine } = this.#options;
    const hasPast = isReplayed || engine.workingOrders.length > 0;
    this.#change({ kind: 'phase', phase: 'warming' });
    if (hasPast) this.#session.restore();
    this.#failed.tell();
    for (const [id, { text, untilResumed }] of engine.closings)
      this.#condition(untilResumed === true ? rulesCondition(id) : closedCondition(id), text);
    // The warm-up lies in the past: it goes in before anything of now.
    if (!isReplayed) this.#session.warmUp();
    if (engine.isReduceOnly) this.#change({ kind: 'pause' });
    this.#condition('start', 'bot and venue are being compared');
    this.#watchdog.start();
    try {
      if (hasPast) await this.#persist(() => this.#session.resolve());
      this.#session.run();
      await this.#persist(() => this.reconcile());
      this.#condition('start', undefined);
      this.#enterActive();
      this.#compareLater();
    } catch (error: unknown) {
      await this.#end({ kind: 'failed', error: asTrading(error) });
    }
  }

  /** A venue that is away for a while is waited for: the bot is degraded as long. */
  #persist(work: () => Promise<void>): Promise<void> {
    return patiently(work, {
      time: this.#options.machine,
      tries: Number.POSITIVE_INFINITY,
      isWanted: () => this.#life.phase !== 'halting' && this.#life.phase !== 'stopped',
    });
  }

  /** Compares bot and venue; what does not agree degrades the bot until it does. */
  async reconcile(): Promise<void> {
    const found = await this.#session.reconcile();
    this.#condition('reconciliation', found.length === 0 ? undefined : found.join('; '));
  }

  #compareLater(): void {
    if (this.#life.phase === 'halting' || this.#life.phase === 'stopped') return;
    this.#cancelComparison = this.#options.machine.after(COMPARE_MS, () => {
      void this.#compareAgain();
    });
  }

  /** Compares what is held while the bot runs; with commands on their way the next time. */
  async #compareAgain(): Promise<void> {
    try {
      if (!this.#session.isSending && !this.#options.engine.isUncertain) {
        const found = await this.#session.compareAgain();
        this.#condition('holdings', found.length === 0 ? undefined : found.join('; '));
      }
      this.#compareLater();
    } catch (error: unknown) {
      // What could not be read says nothing; that the account cannot be read is said by its polls.
      if (error instanceof TradingError) this.#compareLater();
      else await this.#end({ kind: 'failed', error: asTrading(error) });
    }
  }

  // What the operator sees and wants.

  status(): BotStatus {
    const { engine, name, mode, time, instruments, budgets } = this.#options;
    const { state, since } = this.#life;
    return {
      name,
      mode,
      state,
      since,
      reasons: listReasons(this.#life),
      time: time.now(),
      streams: [...this.#streams.values()],
      ...describeAccount(engine, instruments),
      cancels: [...this.#session.unansweredCancels].map(([instrumentId, count]) => ({
        instrumentId,
        count,
      })),
      margins: describeMargins(this.#session.margins),
      budgets: budgets(),
      events: this.#events,
      commands: this.#commands,
      lastDecision: this.#lastDecision,
    };
  }

  /** What decides for the bot. To be read. */
  get engine(): Engine {
    return this.#options.engine;
  }

  #watchedStreams(): readonly WatchedStream[] {
    return this.#options.streams.map(({ instrumentId, interval }) => {
      const name = `${instrumentId} ${interval}`;
      const { lastData } = this.#streams.get(name) ?? {};
      return { name, lastData, everyMs: nominalIntervalMs(interval) };
    });
  }

  /** When the engine last took something in. */
  get lastEvent(): EpochMs | undefined {
    return this.#lastEvent;
  }

  /** How late the process was at worst since this was last asked, in ms. */
  takeWorstLagMs(): number {
    return this.#watchdog.takeWorstLagMs();
  }

  pause(): void {
    this.#session.tell((time) => ({ kind: 'operator', time, action: 'reduce-only' }));
    this.#change({ kind: 'pause' });
  }

  resume(): void {
    this.#session.tell((time) => ({ kind: 'operator', time, action: 'resume' }));
    this.#change({ kind: 'resume' });
    for (const { name } of this.#life.conditions)
      if (OPERATORS_CONCERN.some((kind) => name.startsWith(kind))) this.#condition(name, undefined);
  }

  halt(text: string): void {
    this.#halt(text, 'cancel');
  }

  flatten(): void {
    this.#halt('flattened by the operator', 'block');
    this.#session.tell((time) => ({ kind: 'operator', time, action: 'flatten' }));
  }

  /** Whoever asks next is told of the halt, also where the engine has yet to come to it. */
  #halt(text: string, onHalt: 'cancel' | 'block'): void {
    this.#session.tell((time) => ({ kind: 'operator', time, action: 'halt', onHalt, text }));
    this.#change({ kind: 'halt', name: OPERATORS_HALT, text });
  }

  restartStrategy(): void {
    this.#failed.restart();
    void this.stop('keep');
  }

  /** Whether it has ended, or is ending, to be made anew. */
  get isRestarting(): boolean {
    return this.#failed.isRestarting;
  }

  stop(policy: StopPolicy): Promise<BotEnd> {
    this.#stopping ??= this.#stop(policy);
    return this.#stopping;
  }

  async #stop(policy: StopPolicy): Promise<BotEnd> {
    if (this.#life.phase === 'stopped') return this.ended;
    this.#change({ kind: 'phase', phase: 'halting' });
    if (policy !== 'keep') {
      // No pause: the operator would have to end it at the next start.
      this.#condition('stop', 'the bot is being stopped');
      const action = policy === 'cancel' ? 'withdraw' : 'flatten';
      this.#session.tell((time) => ({ kind: 'operator', time, action }));
      await this.#untilSettled(policy);
    }
    return this.#end({ kind: 'stopped' });
  }

  /** Waits until no order works, and for `flatten` nothing is held. */
  async #untilSettled(policy: StopPolicy): Promise<void> {
    const { engine, machine, log, time } = this.#options;
    const isSettled = (): boolean =>
      engine.workingOrders.length === 0 &&
      (policy === 'cancel' || !engine.portfolio.isExposed) &&
      !this.#session.isSending;
    for (let waited = 0; waited < STOP_PATIENCE_MS; waited += STOP_LOOK_MS) {
      await new Promise<void>((resolve) => {
        machine.after(STOP_LOOK_MS, resolve);
      });
      if (isSettled() || this.#life.phase === 'stopped') return;
    }
    const text = `orders still work, or something is held, ${String(STOP_PATIENCE_MS / 1_000)} s after the stop: they stay`;
    log.warning({ time: time.now(), text });
  }

  async #end(end: BotEnd): Promise<BotEnd> {
    if (this.#life.phase === 'stopped') return this.ended;
    this.#watchdog.stop();
    this.#cancelComparison();
    this.#change({ kind: 'phase', phase: 'stopped' });
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

  // What the session tells.

  /** What risk said to an intent; give it to the engine as its `onVerdict`. */
  readonly onVerdict = (verdict: Verdict, instrumentId: InstrumentId): void => {
    this.#decide({ kind: 'verdict', time: verdict.time, instrumentId, verdict });
  };

  #processed(event: EngineEvent, commands: readonly Command[]): void {
    this.#events += 1;
    this.#commands += commands.length;
    this.#lastEvent = this.#options.time.now();
    const { time } = event;
    for (const decision of decisionsOf(event, commands)) this.#decide(decision);
    this.#failed.tell();
    this.#followHalts(time);
    this.#enterActive();
  }

  #decide(decision: LogDecision): void {
    this.#options.log.decision(decision);
    const { time } = decision;
    this.#lastDecision = { time, text: decision.kind };
  }

  /** Halts begin and end inside the engine. */
  #followHalts(time: EpochMs): void {
    const { engine } = this.#options;
    const now = engine.haltsInForce.filter(({ until }) => until === undefined || until > time);
    const names = new Set(now.map(({ reason }) => reason));
    for (const { reason, text } of now)
      if (!this.#halts.has(reason)) this.#change({ kind: 'halt', name: reason, text });
    for (const name of this.#halts) if (!names.has(name)) this.#change({ kind: 'halt-over', name });
    this.#halts = names;
  }

  #enterActive(): void {
    const isComparing = this.#life.conditions.some(({ name }) => name === 'start');
    if (this.#life.phase === 'warming' && this.#options.engine.isWarm && !isComparing)
      this.#change({ kind: 'phase', phase: 'active' });
  }

  #condition(name: string, text: string | undefined): void {
    if (text === undefined) this.#change({ kind: 'recover', name });
    else this.#change({ kind: 'degrade', name, text });
  }

  #change(change: LifeChange): void {
    const { log, time } = this.#options;
    const before = this.#life;
    const now = time.now();
    const after = advanceLife(before, { ...change, time: now });
    if (after === before) return;
    this.#life = after;
    // An end resolves nothing: what comes in while the session stops is to lead to no entry.
    if (after.conditions !== before.conditions && after.phase !== 'stopped')
      for (const news of healthNews(before, after))
        this.#session.tell((at) => ({ kind: 'health', time: at, ...news }));
    if (after.state === before.state) return;
    const reasons = listReasons(after);
    log.stateChanged({ time: now, from: before.state, to: after.state, reasons });
  }
}
