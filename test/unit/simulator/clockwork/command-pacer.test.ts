import { describe, expect, it } from 'vitest';

import { CommandPacer } from '../../../../src/simulator/clockwork/command-pacer.js';
import {
  type ClientOrderId,
  type OrderRequest,
  type RiskApproved,
  createInstrumentId,
} from '../../../../src/domain/index.js';
import type { Command } from '../../../../src/engine/index.js';
import { aLimitRequest } from '../../../support/order-requests.js';

const CONTRACT = createInstrumentId('futures', 'E-BTC-USDT');

function submit(id: string, instrumentId = CONTRACT): Command {
  const request = { ...aLimitRequest(), instrumentId, clientOrderId: id as ClientOrderId };
  return { kind: 'submit', order: request as RiskApproved<OrderRequest> };
}

function cancel(id: string, instrumentId = CONTRACT): Command {
  return { kind: 'cancel', clientOrderId: id as ClientOrderId, instrumentId };
}

describe('CommandPacer', () => {
  it('sends two futures commands per second, and the third one second after the first', () => {
    const pacer = new CommandPacer();

    expect(pacer.departure(submit('a'), 5_000)).toBe(5_000);
    expect(pacer.departure(cancel('x'), 5_400)).toBe(5_400);
    expect(pacer.departure(submit('b'), 5_500)).toBe(6_000);
    expect(pacer.departure(submit('c'), 5_500)).toBe(6_400);
    expect(pacer.delayed).toBe(2);
  });

  it('sends a cancel no earlier than its order', () => {
    const pacer = new CommandPacer();
    const spot = createInstrumentId('spot', 'BTCUSDT');
    for (let index = 0; index < 100; index += 1)
      pacer.departure(submit(String(index), spot), 1_000);

    expect(pacer.departure(submit('late', spot), 1_000)).toBe(3_000);
    expect(pacer.departure(cancel('late', spot), 1_500)).toBe(3_000);
    expect(pacer.departure(cancel('1', spot), 1_500)).toBe(1_500);
  });

  it('keeps a separate budget for each product', () => {
    const pacer = new CommandPacer();
    pacer.departure(submit('a'), 0);
    pacer.departure(submit('b'), 0);

    expect(pacer.departure(submit('c', createInstrumentId('margin', 'BTCUSDT')), 0)).toBe(0);
    expect(pacer.departure(submit('d'), 0)).toBe(1_000);
  });
});
