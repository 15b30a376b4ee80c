import type { BotControl } from '../live/index.js';

/** A command of the operator, carried out on the bot that runs when its turn comes. */
export type BotCommand = (bot: BotControl) => void;

/** The commands of the operator for a bot that may not be there yet. */
export abstract class OperatedBot implements Pick<
  BotControl,
  'pause' | 'resume' | 'halt' | 'flatten'
> {
  /** Carries the command out at once, or when there is a bot. */
  protected abstract take(command: BotCommand): void;

  pause(): void {
    this.take((bot) => {
      bot.pause();
    });
  }

  resume(): void {
    this.take((bot) => {
      bot.resume();
    });
  }

  halt(text: string): void {
    this.take((bot) => {
      bot.halt(text);
    });
  }

  flatten(): void {
    this.take((bot) => {
      bot.flatten();
    });
  }
}
