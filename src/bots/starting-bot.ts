import {
  OutcomeUnknownError,
  TradingError,
  TransportError,
  UsageError,
  type EpochMs,
} from '../domain/index.js';
import {
  asTrading,
  type BotControl,
  type BotEnd,
  type BotLog,
  type BotStatus,
  type StopPolicy,
} from '../live/index.js';
import { OperatedBot, type BotCommand } from './operated-bot.js';

/** Options for making a bot. */
export interface Making {
  /** Stops making the bot. */
  readonly signal: AbortSignal;
  /** Called when a try has failed and will be repeated. */
  readonly onWaiting: (error: TradingError) => void;
}

interface StartingBotOptions {
  readonly name: string;
  readonly mode: BotStatus['mode'];
  readonly now: () => EpochMs;
  readonly log: Pick<BotLog, 'warning'>;
  /** The process that guards its positions while it starts. */
  readonly guardedBy: () => BotStatus['guardedBy'];
  readonly make: (making: Making) => Promise<BotControl>;
}

const BEGINNING = 'the bot is starting: it reads its files, its journal and the venue';

/**
 * A bot that exists while it is being made. It reports this state, and why it takes long. Operator commands wait until the bot is made. If the bot
 * cannot be made, it has failed.
 */
export class StartingBot extends OperatedBot implements BotControl {
  readonly name: string;
  readonly ended: Promise<BotEnd>;
  readonly made: Promise<void>;
  readonly #options: StartingBotOptions;
  readonly #controller = new AbortController();
  readonly #since: EpochMs;
  /** Operator commands that wait for the bot. */
  readonly #waiting: BotCommand[] = [];
  #policy: StopPolicy | undefined;
  #bot: BotControl | undefined;
  #end: BotEnd | undefined;
  #reason = BEGINNING;

  constructor(options: StartingBotOptions) {
    super();
    this.#options = options;
    this.name = options.name;
    this.#since = options.now();
    const making = this.#make();
    this.made = making.then(() => undefined);
    this.ended = making.then((bot) => this.#accompany(bot));
  }

  async #make(): Promise<BotControl | TradingError> {
    const { make } = this.#options;
    try {
      return await make({
        signal: this.#controller.signal,
        onWaiting: (error) => {
          this.#tellWaiting(error);
        },
      });
    } catch (error: unknown) {
      return asTrading(error);
    }
  }

  async #accompany(made: BotControl | TradingError): Promise<BotEnd> {
    if (made instanceof TradingError) {
      // An error after the operator's stop is no failure, unless something may be left at the venue.
      const isStopped = this.#policy !== undefined && !(made instanceof OutcomeUnknownError);
      this.#end = isStopped ? { kind: 'stopped' } : { kind: 'failed', error: made };
      if (!isStopped) this.#tellFailed(made);
      return this.#end;
    }
    this.#bot = made;
    for (const command of this.#waiting) command(made);
    if (this.#policy !== undefined) void made.stop(this.#policy);
    return made.ended;
  }

  #tellFailed({ code, message }: TradingError): void {
    this.#reason = message;
    const { log, now, guardedBy } = this.#options;
    const text =
      guardedBy().process === 'guard'
        ? `the guard process has failed and ends: ${message}; it does not watch what the bot has at the venue`
        : `the bot has failed and ends: ${message}`;
    log.warning({ time: now(), code, text });
  }

  #tellWaiting({ code, message }: TradingError): void {
    const reason = `waits for the venue: ${message}`;
    if (reason === this.#reason) return;
    this.#reason = reason;
    const { log, now } = this.#options;
    log.warning({ time: now(), code, text: `starting: ${reason}` });
  }

  status(): BotStatus {
    if (this.#bot !== undefined) return this.#bot.status();
    const { name, mode, now, guardedBy } = this.#options;
    const isStopping = this.#policy !== undefined;
    return {
      name,
      mode,
      state: this.#end !== undefined ? 'stopped' : isStopping ? 'halting' : 'starting',
      since: this.#since,
      reasons: this.#end?.kind === 'stopped' ? [] : [this.#reason],
      time: now(),
      equity: undefined,
      profit: undefined,
      warmUp: [],
      streams: [],
      positions: [],
      orders: [],
      guardedBy: guardedBy(),
      sampled: [],
      guards: [],
      triggers: [],
      worked: [],
      waiting: [],
      cancels: [],
      margins: [],
      debts: [],
      marginLevel: undefined,
      budgets: [],
      events: 0,
      commands: 0,
      isFlattening: false,
      reload: undefined,
      lastDecision: undefined,
    };
  }

  restartStrategy(): void {
    if (this.#bot !== undefined) this.#bot.restartStrategy();
    else
      throw new UsageError('E_STRATEGY_RUNS', `${this.name} is starting: no strategy has failed`);
  }

  clearTriggers(ids: readonly string[]): void {
    if (this.#bot !== undefined) this.#bot.clearTriggers(ids);
    else
      throw new UsageError(
        'E_TRIGGER_UNKNOWN',
        `${this.name} is starting: its triggers are not known yet; nothing was cleared`,
      );
  }

  reload(): void {
    if (this.#bot?.reload !== undefined) {
      this.#bot.reload();
      return;
    }
    const why =
      this.#bot === undefined ? 'it is starting' : 'it has no strategy that can be reloaded';
    throw new UsageError('E_RELOAD', `${this.name}: ${why}`);
  }

  stop(policy: StopPolicy): Promise<BotEnd> {
    if (this.#bot !== undefined) return this.#bot.stop(policy);
    this.#policy ??= policy;
    this.#controller.abort(new TransportError('E_CLOSED', 'the bot was stopped while it started'));
    return this.ended;
  }

  protected override take(command: BotCommand): void {
    if (this.#bot !== undefined) command(this.#bot);
    else this.#waiting.push(command);
  }
}
