import { nounOf } from '../../domain/index.js';
import { countText } from './figure-text.js';
import { countRefusals } from './count-refusals.js';
import type { ResultFigures } from '../result/result-figures.js';
import { tally } from './tally.js';

/** Says in one sentence why nothing was filled; undefined when something was. */
export function explainNoFills({
  run,
  intents,
  refusals,
  counts,
}: ResultFigures): string | undefined {
  if (counts.fills > 0) return undefined;
  if (intents === 0) {
    return `The strategy asked for nothing in ${countText(run.candles)} ${nounOf(run.candles, 'candle')}.`;
  }
  const [check] = tally(
    refusals,
    (refusal) => refusal.check,
    ({ count }) => count,
  );
  const orders = counts.orders.reduce((sum, { count }) => sum + count, 0);
  if (orders === 0) {
    return check === undefined
      ? `The strategy's ${countText(intents)} ${nounOf(intents, 'intent')} led to no order: there was nothing to exit, cancel or guard.`
      : `No intent became an order: risk refused ${times(countRefusals(refusals))}, most often by ${check.key} (${countText(check.count)}).`;
  }
  const [status] = tally(
    counts.orders,
    (order) => [order.status, ...(order.reasonText === null ? [] : [order.reasonText])].join(', '),
    ({ count }) => count,
  );
  return `${orders === 1 ? 'The order was not' : `None of ${countText(orders)} orders was`} filled; most often: ${status?.key ?? 'no status'} (${countText(status?.count ?? 0)}).`;
}

function times(count: number): string {
  return `${countText(count)} ${nounOf(count, 'time')}`;
}
