import { describe, expect, it } from 'vitest';
import {
  createInstrumentId,
  TransportError,
  type OrderRequest,
  type RiskApproved,
  type VenueOrderId,
} from '../../../../src/domain/index.js';
import type { WorkingOrder } from '../../../../src/engine/orders/working/working-order.js';
import { Activity } from '../../../../src/live/bot/activity.js';
import { CommandQueues } from '../../../../src/live/session/command-queues.js';
import {
  NOTHING_SEEN,
  SentOrders,
  type SentOrderState,
} from '../../../../src/live/session/sent-orders.js';
import {
  resolveOrders,
  restoreSessionOrders,
} from '../../../../src/live/recovery/restore-orders.js';
import { createSessionTime } from '../../../../src/live/session/session-time.js';
import { DryRunExecution } from '../../../../src/assembly/bot/connection/dry-run-execution.js';
import { aLimitRequest } from '../../../support/order-requests.js';
import { settle, VirtualTime } from '../../../support/virtual-time.js';

const FUTURES = createInstrumentId('futures', 'E-BTC-USDT');

/** A venue that never answers a submit, and records what was sent. */
class Silent extends DryRunExecution {
  readonly sent: string[] = [];

  override submit(order?: OrderRequest): Promise<never> {
    this.sent.push(order?.clientOrderId ?? '');
    return new Promise(() => undefined);
  }
}

function aBench(
  readAccount: (submit: (id: string) => void) => Promise<void>,
  { isAmbiguous = false } = {},
) {
  const orders = new SentOrders();
  const reader = { accepted: () => undefined, seen: () => NOTHING_SEEN } as never;
  const adapter = new Silent();
  const sought: SentOrderState[] = [];
  const commands = new CommandQueues({
    adapter,
    reader,
    orders,
    time: createSessionTime(new VirtualTime()),
    activity: new Activity(),
    signal: new AbortController().signal,
    isSequential: false,
    lastPrice: () => Number.NaN,
    onUpdate: () => undefined,
    resolveUnknown: async (order) => {
      sought.push(order);
      await settle();
      if (isAmbiguous) {
        order.onUnclear();
        await new Promise(() => undefined);
      }
      orders.end(order);
      order.resolving = undefined;
    },
    onFailure: (error) => {
      throw error;
    },
  });
  const submit = (id: string): void => {
    const order = aLimitRequest({ id, instrumentId: FUTURES }) as RiskApproved<OrderRequest>;
    void commands.give({ kind: 'submit', order });
  };
  const session = {
    orders,
    commands,
    readAccount: () => readAccount(submit),
    guard: () => undefined,
  };
  const engine = {
    workingOrders: ['lost', 'known'].map(
      (id) =>
        ({
          request: aLimitRequest({ id, instrumentId: FUTURES }),
          createdTime: 0,
          venueOrderId: id === 'known' ? ('11' as VenueOrderId) : undefined,
          filledQuantity: 0n,
          status: 'submitting',
        }) as unknown as WorkingOrder,
    ),
  };
  return {
    session,
    engine,
    adapter,
    sought,
    lost: restoreSessionOrders({ orders, reader }, engine),
  };
}

describe('resolveOrders', () => {
  it('searches for restored orders without an id, but not for an order that is sent meanwhile', async () => {
    const { session, engine, adapter, sought, lost } = aBench(async (submit) => {
      submit('exit');
      await settle();
    });

    await resolveOrders(session, engine, lost);

    expect(sought.map(({ request }) => request.clientOrderId)).toEqual(['lost']);
    await settle();
    expect(adapter.sent).toEqual(['exit']);
  });

  it('sends nothing for a contract before its lost order is resolved', async () => {
    const { session, engine, adapter, sought, lost } = aBench((submit) => {
      submit('exit');
      return Promise.resolve();
    });
    const done = resolveOrders(session, engine, lost);

    await Promise.resolve();
    expect(sought).toHaveLength(1);
    expect(adapter.sent).toEqual([]);

    await done;
    await settle();
    expect(adapter.sent).toEqual(['exit']);
  });

  it('searches for an order once, although the reading beside it fails', async () => {
    let tries = 0;
    const { session, engine, sought, lost } = aBench(() => {
      tries += 1;
      return tries > 1
        ? Promise.resolve()
        : Promise.reject(new TransportError('E_TIMEOUT', 'no answer'));
    });

    await expect(resolveOrders(session, engine, lost)).rejects.toThrow('no answer');
    await resolveOrders(session, engine, lost);

    expect(sought).toHaveLength(1);
  });

  it('does not wait for an order that several orders could be, also if it is repeated', async () => {
    const { session, engine, adapter, sought, lost } = aBench(
      async (submit) => {
        submit('exit');
        await settle();
      },
      { isAmbiguous: true },
    );

    await resolveOrders(session, engine, lost);
    await resolveOrders(session, engine, lost);

    expect(sought).toHaveLength(1);
    expect(adapter.sent).toEqual([]);
  });
});
