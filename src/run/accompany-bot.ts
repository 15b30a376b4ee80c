import type { BotControl } from '../live/index.js';
import type { PreparedBot } from './prepare-bot.js';

/** A bot that runs, and what ends it. */
export interface AccompaniedBot {
  readonly bot: PreparedBot;
  readonly control: BotControl;
  readonly signal: AbortSignal;
}

/**
 * Serves the control of a bot until it has ended, and has the signal stop it in order.
 *
 * @throws what it has failed by.
 */
export async function accompany({ bot, control, signal }: AccompaniedBot): Promise<void> {
  const [{ runBots }, { socketPlace }] = await Promise.all([
    import('../bots/index.js'),
    import('../bots/control/index.js'),
  ]);
  const { config, journal } = bot.setup;
  try {
    const [failure] = await runBots({
      bots: [{ control, onStop: config.live.onStop, journal }],
      stop: signal,
      place: socketPlace(),
      say: () => undefined,
      describeFailure: () => [],
    });
    if (failure !== undefined) throw failure;
  } finally {
    await bot.clear();
  }
}
