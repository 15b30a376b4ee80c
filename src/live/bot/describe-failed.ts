import type { TradingError } from '../../domain/index.js';
import { describeLeft } from './unclosed.js';
import type { LiveBotOptions } from './live-bot-options.js';

/**
 * The last line in the log of a bot that has failed: why it ended, what it leaves at the venue, and who watches that now. The error says what its owner
 * can do.
 */
export function describeFailed(
  { message }: TradingError,
  {
    engine,
    mode,
    guarded,
    isGuard = false,
  }: Pick<LiveBotOptions, 'engine' | 'mode' | 'guarded' | 'isGuard'>,
): string {
  const who = isGuard ? 'the guard process' : 'the bot';
  const failed = `${who} has failed and ends: ${message}`;
  const left = mode === 'live' ? describeLeft(engine) : [];
  if (left.length === 0) return failed;
  const watched =
    !isGuard && guarded?.() === 'ready'
      ? 'its guard process takes over'
      : 'nobody watches this until the bot runs again';
  return `${failed}; it leaves ${left.join(', ')} at the venue: ${watched}`;
}
