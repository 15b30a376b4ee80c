import { formatFixed, type OrderRequest } from '../../domain/index.js';
import type { Verdict } from '../../engine/index.js';
import type { LogDecision } from './bot-log.js';

/** Describes a decision in one line, for log and status. `sends`: whether commands go to a venue; false in a dry run. */
export function describeDecision(decision: LogDecision, sends = true): string {
  switch (decision.kind) {
    case 'verdict':
      return describeVerdict(decision.verdict, decision.instrumentId);
    case 'submit': {
      const { order, condition } = decision;
      const on =
        condition && ` on a ${condition.trigger} at ${formatFixed(condition.triggerPrice)}`;
      return `${sends ? 'sends' : 'would send'} ${describeRequest(order)}${on ?? ''} (${order.clientOrderId})`;
    }
    case 'cancel': {
      const what = decision.isCondition === true ? 'trigger ' : '';
      return `${sends ? 'cancels' : 'would cancel'} ${what}${decision.clientOrderId} of ${decision.instrumentId}`;
    }
    case 'order': {
      const { clientOrderId, status, reason } = decision;
      const why = reason === undefined ? '' : `: ${reason.text} (${reason.code})`;
      return `${clientOrderId} is ${status}${why}`;
    }
    case 'fill': {
      const { side, quantity, instrumentId, price, fee, feeAsset, clientOrderId } = decision.fill;
      const trade = `${side} ${formatFixed(quantity)} ${instrumentId} at ${formatFixed(price)}`;
      const by = decision.cause === undefined ? '' : ` by force: ${decision.cause}`;
      return `filled ${trade}${by}, fee ${formatFixed(fee)} ${feeAsset} (${clientOrderId})`;
    }
  }
}

function describeVerdict({ intent, decision }: Verdict, instrumentId: string): string {
  const direction = 'direction' in intent ? ` ${intent.direction}` : '';
  const wanted = `${intent.kind}${direction} ${instrumentId}`;
  if (decision.kind === 'refused') {
    return `refused ${wanted}: ${decision.refusal.text} (${decision.refusal.check})`;
  }
  const orders = decision.orders.map(describeRequest).join(', ');
  return `approved ${wanted}${orders === '' ? '' : `: ${orders}`}`;
}

function describeRequest(order: OrderRequest): string {
  const price = order.type === 'limit' ? `at ${formatFixed(order.limitPrice)}` : 'at market';
  const quantity = `${formatFixed(order.quantity)} ${order.unit}`;
  return `${order.side} ${quantity} of ${order.instrumentId} ${price} to ${order.action}`;
}
