import type { BotControl } from '../live/index.js';
import type { PreparedBot } from './prepare-bot.js';

/** A bot, its control, and the signal that stops it. */
interface AccompaniedBot {
  readonly bot: PreparedBot;
  readonly control: BotControl;
  readonly signal: AbortSignal;
}

/**
 * Serves the control of a bot until the bot has ended. The signal stops the bot in order.
 *
 * @throws the error that the bot has failed with.
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
