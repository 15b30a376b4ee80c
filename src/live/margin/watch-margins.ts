import type { EpochMs, InstrumentId } from '../../domain/index.js';
import type { EngineEvent } from '../../engine/index.js';
import { frozenCondition } from '../bot/health-news.js';
import { LiquidationDistanceWatch } from './liquidation-watch.js';
import { MarginNews } from './margin-news.js';
import { ownLiquidation } from './own-liquidation.js';
import type { SessionTerms } from '../session/session-terms.js';

interface WatchMarginsOptions extends Pick<
  SessionTerms,
  'engine' | 'time' | 'rulesOf' | 'forcedTerms' | 'liquidationWarning' | 'onCondition' | 'onNotice'
> {
  /** Instruments that the bot trades. */
  readonly instrumentIds: readonly InstrumentId[];
  /** Takes an event for the engine. */
  readonly tell: (make: (time: EpochMs) => EngineEvent) => void;
}

/** Watches the venue's margins, and reports to operator, bot and engine. Undefined if not configured. */
export function watchMargins(options: WatchMarginsOptions): LiquidationDistanceWatch | undefined {
  const { engine, time, forcedTerms, liquidationWarning: warnsBelow } = options;
  if (warnsBelow === undefined) return undefined;
  const news = new MarginNews(options);
  return new LiquidationDistanceWatch({
    instrumentIds: new Set(options.instrumentIds),
    warnsBelow,
    rulesOf: options.rulesOf,
    ownPrice: forcedTerms && ownLiquidation(engine, forcedTerms, time),
    onReadings: (readings) => {
      news.take(readings);
    },
    onNear: options.onNotice,
    onFrozen: (instrumentId, text) => {
      options.onCondition(frozenCondition(instrumentId), text);
    },
  });
}
