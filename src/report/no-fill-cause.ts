import { nounOf } from '../domain/index.js';
import { countText } from './figure-text.js';
import { countRefusals } from './count-refusals.js';
import type { Result } from './result-schema.js';
import { tally } from './tally.js';

/** Says in one sentence why nothing was filled; undefined when something was. */
export function explainNoFills({
  run,
  intents,
  orders,
  refusals,
  fills,
}: Result): string | undefined {
  if (fills.length > 0) return undefined;
  if (intents === 0) {
    return `The strategy asked for nothing in ${countText(run.candles)} ${nounOf(run.candles, 'candle')}.`;
  }
  const [check] = tally(
    refusals,
    (refusal) => refusal.check,
    ({ count }) => count,
  );
  if (orders.length === 0) {
    return check === undefined
      ? `The strategy's ${countText(intents)} intents led to no order: there was nothing to exit, cancel or guard.`
      : `No intent became an order: risk refused ${countText(countRefusals(refusals))}, most often by ${check.key} (${countText(check.count)}).`;
  }
  const [status] = tally(orders, (order) =>
    [order.status, ...(order.reasonText === null ? [] : [order.reasonText])].join(', '),
  );
  return `None of ${countText(orders.length)} orders was filled; most often: ${status?.key ?? 'no status'} (${countText(status?.count ?? 0)}).`;
}
