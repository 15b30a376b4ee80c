import { isSameCandle, type Candle, type EpochMs } from '../domain/index.js';

/** A candle that a bot received, and the epoch of its event. */
export interface ToldCandle {
  readonly candle: Candle;
  readonly epochId: number;
}

/**
 * Joins the candles of one series that a bot received, each once and oldest first, as far back as there is no hole.
 *
 * Candles within one epoch belong together. An epoch joins the one before it if both have an equal candle, as from a warm-up, or if one begins
 * when the other ends. Candles before a hole between two epochs are left out.
 *
 * `told`: newest first. `isEnough` is called with each candle that is kept; true ends the search.
 */
export function joinTold(
  told: Iterable<ToldCandle>,
  isEnough: (candle: Candle) => boolean,
): readonly Candle[] {
  const known: Candle[] = [];
  const byOpen = new Map<EpochMs, Candle>();
  let epoch: number | undefined;
  let isJoined = true;
  let differs = false;
  for (const { candle, epochId } of told) {
    const oldest = known.at(-1);
    if (oldest === undefined) epoch = epochId;
    if (epochId !== epoch) {
      epoch = epochId;
      isJoined = false;
      differs = false;
    }
    const same = byOpen.get(candle.openTime);
    if (same !== undefined) {
      if (isSameCandle(same, candle)) isJoined = true;
      else differs = true;
      continue;
    }
    if (oldest !== undefined && candle.openTime > oldest.openTime) continue;
    isJoined ||= !differs && candle.closeTime === oldest?.openTime;
    if (!isJoined) break;
    known.push(candle);
    byOpen.set(candle.openTime, candle);
    if (isEnough(candle)) break;
  }
  return known.reverse();
}
