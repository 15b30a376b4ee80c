import {
  nearestOrder,
  type CandleShape,
  type ExtremeOrder,
  type MarketTape,
} from '../../simulator/index.js';
import type { PathMode } from '../bot-config.js';

/** The public sees candles visit their extremes as the bot's account does; who only looks chooses nothing. */
export function seenOrder(
  path: PathMode,
  shape: CandleShape,
  tapeOf: () => MarketTape,
): ExtremeOrder {
  if (path === 'high-first' || path === 'low-first') return path;
  if (path === 'nearest' || path === 'finer') return nearestOrder(shape);
  const tape = tapeOf();
  const isOpen = tape.isOpen && tape.openTime === shape.openTime;
  return (isOpen ? tape.chosenOrder : undefined) ?? nearestOrder(shape);
}
