import { TransportError, UsageError, type EpochMs } from '../domain/index.js';
import {
  asTrading,
  type BotControl,
  type BotEnd,
  type BotStatus,
  type ReloadStatus,
  type StopPolicy,
} from '../live/index.js';
import { OperatedBot, type BotCommand } from './operated-bot.js';

/** A bot that may end in order to be made again. */
type RestartableBot = BotControl & {
  readonly isRestarting: boolean;
  /** Waits until no command is at the venue without an answer, as long as `isWanted` holds. Returns whether all are answered. */
  readonly untilAnswered: (isWanted: () => boolean) => Promise<boolean>;
};

type Bot = RestartableBot | BotControl;

/** Dependencies of a bot that can be made again. */
interface RestartingBotOptions {
  readonly first: RestartableBot;
  readonly now: () => EpochMs;
  /** Makes the bot again from its journal. Rejects only if aborted: a bot that cannot be made is one that has failed. */
  readonly again: (signal: AbortSignal) => Promise<Bot>;
  /**
   * Reads and checks the next version of the bot while it runs. Resolves with a function that makes this version from the journal. Both reject with
   * the obstacle, or if aborted; `again` then makes the old version. @defaultValue the bot cannot be replaced
   */
  readonly prepare?: ((signal: AbortSignal) => Promise<() => Promise<Bot>>) | undefined;
  /** Takes each step of a reload. */
  readonly onReload?: ((reload: ReloadStatus) => void) | undefined;
}

const STOPPED_MEANWHILE = 'the bot was stopped meanwhile';
const UNANSWERED = 'the venue has not answered the commands of the bot for a minute';
/** A reload does not end the failure of a strategy: its owner does. */
const LEFT_OUT =
  'the bot has the new strategy, and leaves it out until restart-strategy: the strategy before it has failed';

/** A bot that can be made again within its process: to restart a failed strategy, or with another strategy. */
export class RestartingBot extends OperatedBot implements BotControl {
  readonly name: string;
  readonly ended: Promise<BotEnd>;
  readonly #options: RestartingBotOptions;
  #current: Bot;
  #reload: ReloadStatus | undefined;
  /** Makes the next version once the bot has ended. `outcome`: what to tell then. */
  #next: { readonly make: () => Promise<Bot>; readonly outcome: string } | undefined;
  /** Whether the next bot is being made. */
  #isMaking = false;
  /** Whether a bot has ended and no other follows it. */
  #isOver = false;
  /** Operator commands for the next bot. */
  readonly #waiting: BotCommand[] = [];
  /** Policy of a requested stop. Also applies to the next bot. */
  #stopping: StopPolicy | undefined;
  /** Aborted when no other bot is to be made. */
  readonly #leaving = new AbortController();

  constructor(options: RestartingBotOptions) {
    super();
    const { first } = options;
    this.name = first.name;
    this.#current = first;
    this.#options = options;
    this.ended = this.#accompany(first);
  }

  async #accompany(first: Bot): Promise<BotEnd> {
    for (let bot = first; ;) {
      const end = await bot.ended;
      const isOver = end.kind !== 'stopped' || this.#leaving.signal.aborted;
      if (this.#next !== undefined && isOver) {
        this.#next = undefined;
        this.#tell('refused', 'the bot has ended');
      }
      this.#isOver = this.#next === undefined && (end.kind !== 'stopped' || !this.#isRestarting);
      if (this.#isOver) return end;
      this.#isMaking = true;
      const made = await this.#make();
      this.#isMaking = false;
      this.#isOver = made === undefined;
      if (made === undefined) return end;
      bot = made;
      this.#current = bot;
      for (const command of this.#waiting.splice(0)) command(bot);
      if (this.#stopping !== undefined) void bot.stop(this.#stopping);
    }
  }

  /** Makes the next bot after one has ended. If the next version cannot be made, the old version goes on. Undefined if a stop has ended the making. */
  async #make(): Promise<Bot | undefined> {
    const { signal } = this.#leaving;
    try {
      return (await this.#makeNext()) ?? (await this.#options.again(signal));
    } catch (error: unknown) {
      if (!signal.aborted) throw error;
      return undefined;
    }
  }

  /** Undefined if there is no next version, or if it cannot be made. @throws the reason of the stop that has ended the making. */
  async #makeNext(): Promise<Bot | undefined> {
    const next = this.#next;
    this.#next = undefined;
    if (next === undefined) return undefined;
    try {
      const made = await next.make();
      this.#tell('done', next.outcome);
      return made;
    } catch (error: unknown) {
      const { signal } = this.#leaving;
      this.#tell('refused', signal.aborted ? STOPPED_MEANWHILE : asTrading(error).message);
      signal.throwIfAborted();
      return undefined;
    }
  }

  status(): BotStatus {
    const status = { ...this.#current.status(), reload: this.#reload };
    // The bot that has ended is not the last one.
    if (status.state !== 'stopped' || !this.#hasNext) return status;
    if (this.#stopping !== undefined)
      return { ...status, state: 'halting', reasons: ['the bot is being stopped'] };
    const what = this.#reload?.state === 'replacing' ? 'replaced' : 'restarted';
    return { ...status, state: 'starting', reasons: [`its strategy is being ${what}`] };
  }

  /** Carries out a command. Between two bots, the command waits for the next one. */
  protected override take(command: BotCommand): void {
    if (this.#isBetween) this.#waiting.push(command);
    else command(this.#current);
  }

  /** Whether one bot has ended and the next is not there yet. */
  get #isBetween(): boolean {
    return this.#current.status().state === 'stopped' && this.#hasNext;
  }

  /** Whether another bot follows the current one. */
  get #hasNext(): boolean {
    return !this.#isOver && (this.#isMaking || this.#next !== undefined || this.#isRestarting);
  }

  /** Whether the current bot ends, or has ended, in order to be made again. */
  get #isRestarting(): boolean {
    const bot = this.#current;
    return !this.#leaving.signal.aborted && 'isRestarting' in bot && bot.isRestarting;
  }

  restartStrategy(): void {
    this.#current.restartStrategy();
  }

  clearTriggers(ids: readonly string[]): void {
    if (this.#isBetween)
      throw new UsageError(
        'E_TRIGGER_UNKNOWN',
        `${this.name} is being restarted: its triggers are not known yet; nothing was cleared`,
      );
    this.#current.clearTriggers(ids);
  }

  reload(): void {
    const { prepare } = this.#options;
    const why =
      prepare === undefined
        ? 'only a live bot can be reloaded, not a paper bot, a dry run or a guard process'
        : this.#reload?.state === 'checking' || this.#reload?.state === 'replacing'
          ? 'it is being reloaded'
          : this.#stopping !== undefined || this.#isRestarting
            ? 'it is being stopped'
            : this.#isMaking
              ? 'it is starting'
              : undefined;
    if (prepare === undefined || why !== undefined)
      throw new UsageError('E_RELOAD', `${this.name}: ${why ?? ''}`);
    this.#tell('checking', 'reads and checks file and plugin, and warms up the new strategy');
    void this.#prepare(prepare);
  }

  /** Whether the bot ends, or has ended, for another reason than a reload. */
  get #ends(): boolean {
    return this.#isOver || this.#stopping !== undefined || this.#isRestarting;
  }

  async #prepare(prepare: NonNullable<RestartingBotOptions['prepare']>): Promise<void> {
    try {
      const make = await prepare(this.#leaving.signal);
      const bot = this.#current;
      const isAnswered = !('untilAnswered' in bot) || (await bot.untilAnswered(() => !this.#ends));
      if (this.#ends || !isAnswered) {
        const isStopped = !this.#isOver || this.#stopping !== undefined;
        const why = isStopped ? STOPPED_MEANWHILE : 'the bot has ended';
        this.#tell('refused', this.#ends ? why : UNANSWERED);
        return;
      }
      const hasFailed = this.#current.status().state === 'strategy-failed';
      this.#next = { make, outcome: hasFailed ? LEFT_OUT : 'the bot runs with the new strategy' };
      this.#tell('replacing', 'its strategy is being replaced');
      void this.#current.stop('keep');
    } catch (error: unknown) {
      const isStopped = this.#leaving.signal.aborted;
      this.#tell('refused', isStopped ? STOPPED_MEANWHILE : asTrading(error).message);
    }
  }

  #tell(state: ReloadStatus['state'], text: string): void {
    this.#reload = { state, since: this.#options.now(), text };
    this.#options.onReload?.(this.#reload);
  }

  stop(policy: StopPolicy): Promise<BotEnd> {
    // Between two bots only the next one can cancel orders or close positions: then it is still made.
    if (policy === 'keep' || !this.#isBetween)
      this.#leaving.abort(new TransportError('E_CLOSED', STOPPED_MEANWHILE));
    this.#stopping = policy;
    void this.#current.stop(policy);
    return this.ended;
  }
}
