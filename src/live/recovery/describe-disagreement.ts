import { formatFixed } from '../../domain/index.js';
import type { Disagreement } from './disagreements.js';

/** Describes a disagreement in one line for people: its kind, its place, and both amounts. */
export function describeDisagreement(found: Disagreement): string {
  const what = (text: string): string => `${found.kind}: ${text}`;
  if ('order' in found) return what(`order ${found.order.request.clientOrderId}`);
  if ('state' in found) return what(`${found.instrumentId}: order ${found.state.venueOrderId}`);
  if ('believed' in found) {
    const place =
      'asset' in found
        ? `${found.account} ${found.asset}`
        : `${found.instrumentId} ${found.direction}`;
    return what(
      `${place}: the bot counts on ${formatFixed(found.believed)}, the venue shows ${formatFixed(found.actual)}`,
    );
  }
  return what(found.instrumentId);
}
