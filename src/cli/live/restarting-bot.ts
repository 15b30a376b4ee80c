import type { BotControl, BotEnd, BotStatus, StopPolicy } from '../../live/index.js';

/** A bot that can end in order to be made anew. */
export type RestartableBot = BotControl & { readonly isRestarting: boolean };

/** What a bot that is begun anew has in common with the one before. */
export interface RestartingBotOptions {
  readonly first: RestartableBot;
  /** Makes the bot again from its journal. Never rejects: a bot that cannot be made is one that has failed. */
  readonly again: () => Promise<RestartableBot | BotControl>;
}

/** A bot that is made anew, within its process, when its owner lets a strategy begin again that has failed. */
export class RestartingBot implements BotControl {
  readonly name: string;
  readonly ended: Promise<BotEnd>;
  readonly #again: RestartingBotOptions['again'];
  #current: RestartableBot | BotControl;
  /** How it is to stop, once it has begun anew. */
  #stopping: StopPolicy | undefined;

  constructor({ first, again }: RestartingBotOptions) {
    this.name = first.name;
    this.#current = first;
    this.#again = again;
    this.ended = this.#accompany(first);
  }

  async #accompany(first: RestartableBot): Promise<BotEnd> {
    let end = await first.ended;
    for (
      let bot: RestartableBot | BotControl = first;
      isRestarting(bot) && end.kind === 'stopped';
    ) {
      bot = await this.#again();
      this.#current = bot;
      if (this.#stopping !== undefined) void bot.stop(this.#stopping);
      end = await bot.ended;
    }
    return end;
  }

  status(): BotStatus {
    const status = this.#current.status();
    if (status.state !== 'stopped' || !isRestarting(this.#current)) return status;
    return { ...status, state: 'starting', reasons: ['its strategy begins anew'] };
  }

  pause(): void {
    this.#current.pause();
  }

  resume(): void {
    this.#current.resume();
  }

  halt(text: string): void {
    this.#current.halt(text);
  }

  flatten(): void {
    this.#current.flatten();
  }

  restartStrategy(): void {
    this.#current.restartStrategy();
  }

  clearTriggers(ids: readonly string[]): void {
    this.#current.clearTriggers(ids);
  }

  stop(policy: StopPolicy): Promise<BotEnd> {
    this.#stopping = policy;
    void this.#current.stop(policy);
    return this.ended;
  }
}

function isRestarting(bot: RestartableBot | BotControl): boolean {
  return 'isRestarting' in bot && bot.isRestarting;
}
