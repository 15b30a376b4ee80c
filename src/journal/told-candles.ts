import { isSameCandle, type Candle, type EpochMs } from '../domain/index.js';

/** A candle that a bot was told, and in which epoch. */
export interface ToldCandle {
  readonly candle: Candle;
  readonly epochId: number;
}

/**
 * The candles of one series that a bot was told, each once and oldest first, as far back as they join.
 *
 * Within an epoch all that it was told belong together. An epoch joins the one before it where both have an equal candle, as the candles of a warm-up have, or
 * where one begins when the other ends; what lies before a hole between two epochs is left out.
 *
 * `told`: newest first. `isEnough` is asked with each that is kept.
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
