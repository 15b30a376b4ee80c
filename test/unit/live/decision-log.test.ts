import { describe, expect, it } from 'vitest';

import type { ClientOrderId, OrderRequest, RiskApproved } from '../../../src/domain/index.js';
import { describeDecision } from '../../../src/live/bot/describe-decision.js';
import { DecisionLog } from '../../../src/live/bot/decision-log.js';
import type { OrderUpdate } from '../../../src/venue/index.js';
import { aLimitRequest } from '../../support/order-requests.js';

const REJECTED: OrderUpdate = {
  kind: 'ended',
  clientOrderId: 'exit' as ClientOrderId,
  status: 'rejected',
  reason: { code: 'E_RATE_LIMITED', text: 'one call too many' },
  eventTime: 5,
};

function aLog(...working: OrderRequest[]) {
  const lines: string[] = [];
  const log = new DecisionLog(
    {
      decision: (decision) => {
        lines.push(describeDecision(decision));
      },
    },
    working.map((request) => ({ request })),
  );
  return { lines, log };
}

describe('DecisionLog', () => {
  it('logs a rejected order with its reason', () => {
    const { lines, log } = aLog();
    const order = aLimitRequest({ id: 'exit', side: 'sell' }) as RiskApproved<OrderRequest>;
    log.processed({ kind: 'timer', time: 4 }, [{ kind: 'submit', order }]);

    log.processed({ kind: 'venue', time: 5, update: REJECTED }, []);

    expect(lines).toEqual([
      'sends sell 1 base of spot:BTCUSDT at 100 to close (exit)',
      'exit is rejected: one call too many (E_RATE_LIMITED)',
    ]);
    expect(log.last).toEqual({ time: 5, text: 'order' });
  });

  it('logs the rejection of an order that an earlier process sent', () => {
    const { lines, log } = aLog(aLimitRequest({ id: 'exit' }));

    log.processed({ kind: 'venue', time: 5, update: REJECTED }, []);

    expect(lines).toEqual(['exit is rejected: one call too many (E_RATE_LIMITED)']);
  });

  it('logs an order with an unknown outcome', () => {
    const { lines, log } = aLog(aLimitRequest({ id: 'exit' }));
    const reason = { code: 'E_OUTCOME_UNKNOWN', text: 'no answer' };
    const clientOrderId = REJECTED.clientOrderId;

    log.processed(
      {
        kind: 'venue',
        time: 5,
        update: { kind: 'outcome-unknown', clientOrderId, reason, eventTime: 5 },
      },
      [],
    );

    expect(lines).toEqual(['exit is unknown: no answer (E_OUTCOME_UNKNOWN)']);
  });
});
