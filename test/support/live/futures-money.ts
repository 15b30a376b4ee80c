import { formatFixed } from '../../../src/domain/index.js';
import type { LiveRig } from './live-rig.js';

/** Money of the futures account, by the venue and by the bot. */
export function futuresMoney(rig: LiveRig): { readonly venue: string; readonly bot: string } {
  const [account] = rig.account.futures(rig.now()).accounts;
  const { available = 0n, locked = 0n, isolatedMargin = 0n, realizedProfit = 0n } = account ?? {};
  const venue = available + locked + isolatedMargin + realizedProfit;
  const bot = rig.bot?.engine.portfolio.total('USDT', 'futures') ?? 0n;
  return { venue: formatFixed(venue), bot: formatFixed(bot) };
}
