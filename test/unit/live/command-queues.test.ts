import { describe, expect, it } from 'vitest';
import {
  AuthError,
  createInstrumentId,
  DomainError,
  OutcomeUnknownError,
  RateLimitError,
  TransportError,
  type ClientOrderId,
  type OrderRequest,
  type RiskApproved,
  type TradingError,
  type VenueOrderId,
} from '../../../src/domain/index.js';
import { ClockOffsetError } from '../../../src/client/index.js';
import type { Command } from '../../../src/engine/index.js';
import { Activity } from '../../../src/live/bot/activity.js';
import { CommandQueues } from '../../../src/live/session/command-queues.js';
import {
  NOTHING_SEEN,
  SentOrders,
  type SentOrderState,
} from '../../../src/live/session/sent-orders.js';
import { createSessionTime } from '../../../src/live/session/session-time.js';
import {
  VenueRefusalError,
  type CallOptions,
  type CancelOutcome,
  type OrderTarget,
  type OrderUpdate,
  type SubmitOutcome,
} from '../../../src/venue/index.js';
import { DryRunExecution } from '../../../src/assembly/bot/connection/dry-run-execution.js';
import { aLimitRequest, aMarketRequest } from '../../support/order-requests.js';
import { settle, VirtualTime } from '../../support/virtual-time.js';

/** Answers as the test decides, and records what was sent. */
class Scripted extends DryRunExecution {
  readonly sent: string[] = [];
  readonly canceled: unknown[] = [];
  /** Signals that end the wait of each order for its turn. */
  readonly waits = new Map<string, readonly AbortSignal[]>();

  /** The signal that ended the wait of an order. Undefined while the order may wait. */
  endOf(id: string): AbortSignal | undefined {
    return this.waits.get(id)?.find(({ aborted }) => aborted);
  }

  answerSubmit: (id: string) => Promise<SubmitOutcome> = (id) =>
    Promise.resolve({
      kind: 'accepted',
      venueOrderId: `v-${id}` as VenueOrderId,
      status: undefined,
      filledQuantity: undefined,
    });
  answerCancel: () => Promise<CancelOutcome> = () =>
    Promise.resolve({ kind: 'requested', status: 'canceling' });

  override submit(order?: OrderRequest, options?: CallOptions): Promise<SubmitOutcome> {
    const id = order?.clientOrderId ?? '';
    this.sent.push(`submit ${id}`);
    this.waits.set(id, options?.waitSignals ?? []);
    return this.answerSubmit(id);
  }

  override cancel(target?: OrderTarget): Promise<CancelOutcome> {
    this.sent.push(`cancel ${target?.venueOrderId.slice('v-'.length) ?? ''}`);
    this.canceled.push(target);
    return this.answerCancel();
  }
}

function aBench(options: { readonly resolve?: (order: SentOrderState) => Promise<void> } = {}) {
  const time = new VirtualTime();
  const adapter = new Scripted();
  const orders = new SentOrders();
  const told: string[] = [];
  const failures: unknown[] = [];
  /** Orders that the venue ends at their next reading. */
  const ending = new Set<string>();
  /** Ids at the venue of the bot's orders. */
  const known = new Set<VenueOrderId | undefined>();
  const activity = new Activity();
  const leaving = new AbortController();
  /** Codes of the reasons why orders ended, by client order id. */
  const reasons = new Map<string, string>();
  const note = (update: OrderUpdate): void => {
    told.push(`${update.kind} ${update.clientOrderId}`);
    if (update.kind === 'ended') reasons.set(update.clientOrderId, update.reason.code);
  };
  const queues = new CommandQueues({
    adapter,
    reader: {
      accepted: ({ venueOrderId }: SentOrderState) => known.add(venueOrderId),
      knows: (_: string, id: VenueOrderId) => known.has(id),
      seen: () => NOTHING_SEEN,
      readArrival: ({ request }: SentOrderState) => {
        told.push(`arrived ${request.clientOrderId}`);
        return Promise.resolve();
      },
      readOrder: (order: SentOrderState) => {
        if (ending.has(order.request.clientOrderId)) orders.end(order);
        return Promise.resolve();
      },
    } as never,
    orders,
    time: createSessionTime(time),
    activity,
    signal: new AbortController().signal,
    leaving: leaving.signal,
    entryLifeMs: 30_000,
    isSequential: false,
    lastPrice: () => Number.NaN,
    onUpdate: note,
    resolveUnknown: options.resolve ?? (() => Promise.resolve()),
    onFailure: (error) => failures.push(error),
  });
  const submit = (
    id: string,
    symbol = 'spot:BTCUSDT',
    terms: Parameters<typeof aLimitRequest>[0] = {},
  ): Promise<void> => {
    const [kind = 'spot', name = ''] = symbol.split(':');
    const instrumentId = createInstrumentId(kind as 'spot', name);
    const order = aLimitRequest({ id, instrumentId, ...terms }) as RiskApproved<OrderRequest>;
    return queues.give({ kind: 'submit', order });
  };
  const cancel = (id: string): Promise<void> =>
    queues.give({
      kind: 'cancel',
      clientOrderId: id as ClientOrderId,
      instrumentId: createInstrumentId('spot', 'BTCUSDT'),
    });
  const give = (command: Command): Promise<void> => queues.give(command);
  const bench = { adapter, orders, told, failures, ending, activity, submit, cancel, give, queues };
  return { ...bench, time, leaving, reasons };
}

/** A bench whose searches end when the test calls `found` (with the order) or `lost` (with the session). */
function aSearchingBench() {
  const found = new Map<string, () => void>();
  const lost = new Map<string, () => void>();
  const bench = aBench({
    resolve: (order) =>
      new Promise((resolve) => {
        lost.set(order.request.clientOrderId, resolve);
        found.set(order.request.clientOrderId, () => {
          order.venueOrderId = '11' as VenueOrderId;
          resolve();
        });
      }),
  });
  return { ...bench, found, lost };
}

describe('CommandQueues', () => {
  it('sends commands of one instrument in their order, one at a time', async () => {
    const { adapter, submit, cancel, ending } = aBench();
    let answer = (): void => undefined;
    const original = adapter.answerSubmit;
    adapter.answerSubmit = async (id) => {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return original(id);
    };
    ending.add('a');
    const done = Promise.all([submit('a'), cancel('a')]);
    await settle();
    expect(adapter.sent).toEqual(['submit a']);
    answer();
    await done;
    expect(adapter.sent).toEqual(['submit a', 'cancel a']);
  });

  it('sends commands of another instrument meanwhile', async () => {
    const { adapter, submit } = aBench();
    adapter.answerSubmit = () => new Promise(() => undefined);
    void submit('a');
    void submit('b', 'spot:ETHUSDT');
    await settle();
    expect(adapter.sent).toEqual(['submit a', 'submit b']);
  });

  it('never repeats an order with an unknown outcome, and searches for it', async () => {
    const sought: string[] = [];
    const { adapter, submit, told } = aBench({
      resolve: ({ request }) => {
        sought.push(request.clientOrderId);
        return Promise.resolve();
      },
    });
    adapter.answerSubmit = () =>
      Promise.reject(new OutcomeUnknownError('E_OUTCOME_UNKNOWN', 'no answer'));
    await submit('a');
    expect(adapter.sent).toEqual(['submit a']);
    expect(told).toEqual(['outcome-unknown a']);
    expect(sought).toEqual(['a']);
  });

  it('searches for an order whose answer has the venue id of an earlier one', async () => {
    const sought: string[] = [];
    const { adapter, orders, submit, told } = aBench({
      resolve: ({ request }) => {
        sought.push(request.clientOrderId);
        return Promise.resolve();
      },
    });
    const answer = adapter.answerSubmit;
    await submit('a');
    adapter.answerSubmit = () => answer('a');
    await submit('b');

    expect(told).toEqual(['arrived a', 'outcome-unknown b']);
    expect(sought).toEqual(['b']);
    expect(orders.get('b' as ClientOrderId).venueOrderId).toBeUndefined();
  });

  it('holds back a contract, but not spot, until an order with an unknown outcome is found', async () => {
    const { adapter, submit, found } = aSearchingBench();
    adapter.answerSubmit = () =>
      Promise.reject(new OutcomeUnknownError('E_OUTCOME_UNKNOWN', 'no answer'));
    void submit('a', 'futures:E-BTC-USDT');
    const second = submit('b', 'futures:E-BTC-USDT');
    void submit('c');
    void submit('d');
    await settle();
    expect(adapter.sent).toEqual(['submit a', 'submit c', 'submit d']);
    adapter.answerSubmit = () =>
      Promise.resolve({ kind: 'rejected', reason: { code: '-1', text: 'no' } });
    found.get('a')?.();
    await second;
    expect(adapter.sent).toContain('submit b');
  });

  it('is unsettled while an answer is missing, and not while commands wait for a search', async () => {
    const { adapter, queues, submit, lost } = aSearchingBench();
    const answer = { lose: (): void => undefined };
    adapter.answerSubmit = () =>
      new Promise((_, reject) => {
        answer.lose = () => {
          reject(new OutcomeUnknownError('E_OUTCOME_UNKNOWN', 'no answer'));
        };
      });
    const counts = (): readonly number[] => [queues.underWay, queues.unsettled];
    void submit('a', 'futures:E-BTC-USDT');
    await settle();
    const sent = counts();
    answer.lose();
    await settle();
    const searched = counts();
    void submit('b', 'futures:E-BTC-USDT');
    await settle();
    const held = counts();
    lost.get('a')?.();
    await settle();

    expect([sent, searched, held, counts()]).toEqual([
      [1, 1],
      [0, 0],
      [1, 0],
      [0, 0],
    ]);
  });

  it('sends exits on the other side and cancels while an order of the contract is searched', async () => {
    const { adapter, submit, give } = aSearchingBench();
    await submit('working', 'futures:E-BTC-USDT');
    adapter.answerSubmit = () =>
      Promise.reject(new OutcomeUnknownError('E_OUTCOME_UNKNOWN', 'no answer'));
    void submit('a', 'futures:E-BTC-USDT');
    await settle();
    adapter.answerSubmit = () =>
      Promise.resolve({ kind: 'rejected', reason: { code: '-1', text: 'no' } });

    const instrumentId = createInstrumentId('futures', 'E-BTC-USDT');
    for (const side of ['sell', 'buy'] as const) {
      const order = {
        ...aMarketRequest({ id: `exit-${side}`, instrumentId, side }),
        action: 'close',
      };
      void give({ kind: 'submit', order: order as RiskApproved<OrderRequest> });
    }
    void give({ kind: 'cancel', clientOrderId: 'working' as ClientOrderId, instrumentId });
    await settle();

    expect(adapter.sent).toEqual([
      'submit working',
      'submit a',
      'submit exit-sell',
      'cancel working',
    ]);
  });

  it('sends other commands of an instrument while a cancel waits for the search of its order', async () => {
    const { adapter, submit, cancel, found } = aSearchingBench();
    await submit('working');
    const { answerSubmit } = adapter;
    adapter.answerSubmit = () =>
      Promise.reject(new OutcomeUnknownError('E_OUTCOME_UNKNOWN', 'no answer'));
    void submit('lost');
    const canceled = cancel('lost');
    await settle();
    adapter.answerSubmit = answerSubmit;

    const exit = submit('exit');
    void cancel('working');
    await settle();

    expect(adapter.sent).toEqual([
      'submit working',
      'submit lost',
      'submit exit',
      'cancel working',
    ]);
    await exit;
    found.get('lost')?.();
    await canceled;
    expect(adapter.canceled.at(-1)).toMatchObject({ venueOrderId: '11' });
  });

  it('drops the waiting commands of a contract if a search ends without a result', async () => {
    const { adapter, submit, lost } = aSearchingBench();
    adapter.answerSubmit = () =>
      Promise.reject(new OutcomeUnknownError('E_OUTCOME_UNKNOWN', 'no answer'));
    void submit('a', 'futures:E-BTC-USDT');
    const second = submit('b', 'futures:E-BTC-USDT');
    await settle();

    lost.get('a')?.();
    await second;

    expect(adapter.sent).toEqual(['submit a']);
  });

  it.each([
    ['waits for a search', true],
    ['waits behind the order that is looked for then', false],
  ])('never sends an order that is canceled while it %s', async (_, isSought) => {
    const { adapter, submit, give, found, told, reasons } = aSearchingBench();
    const answer = { fail: (): void => undefined };
    adapter.answerSubmit = () =>
      new Promise((__, reject) => {
        answer.fail = () => {
          reject(new OutcomeUnknownError('E_OUTCOME_UNKNOWN', 'no answer'));
        };
      });
    const instrumentId = createInstrumentId('futures', 'E-BTC-USDT');
    const done = [submit('a', instrumentId), submit('b', instrumentId)];
    await settle();
    if (isSought) answer.fail();
    await settle();
    const clientOrderId = 'b' as ClientOrderId;
    done.push(give({ kind: 'cancel', clientOrderId, instrumentId }));
    await settle();
    answer.fail();
    await settle();
    found.get('a')?.();
    await Promise.all(done);

    expect(adapter.sent).toEqual(['submit a']);
    expect(told).toContain('ended b');
    expect(told).not.toContain('cancel-rejected b');
    expect(reasons.get('b')).toBe('on-request');
  });

  it.each<readonly [string, TradingError]>([
    ['no connection', new TransportError('E_CONNECT', 'refused')],
    ['too many calls', new RateLimitError('E_QUEUE_FULL', 'too many calls wait', 1_000)],
    ['a refusal of what goes before it', new VenueRefusalError('no time', '-1121', false)],
    ['a clock that is off', new ClockOffsetError('spot', 60_000, 30_000)],
  ])(
    'ends an order that certainly did not arrive because of %s, and continues',
    async (_, error) => {
      const { adapter, submit, told, orders, failures } = aBench();
      adapter.answerSubmit = () => Promise.reject(error);
      await submit('a');
      expect(told).toEqual(['ended a']);
      expect(orders.list()).toEqual([]);
      expect(failures).toEqual([]);
    },
  );

  it('fails after an order that no venue can accept', async () => {
    const { adapter, submit, told, failures } = aBench();
    const defect = new DomainError('E_REQUEST', 'expected a price');
    adapter.answerSubmit = () => Promise.reject(defect);
    await submit('a');
    expect(told).toEqual(['ended a']);
    expect(failures).toEqual([defect]);
  });

  it('ends an order whose key is refused, and still sends the next order', async () => {
    const { adapter, submit, told, failures, reasons } = aBench();
    const original = adapter.answerSubmit;
    adapter.answerSubmit = () => Promise.reject(new AuthError('E_AUTH', 'wrong key'));
    await submit('a');
    adapter.answerSubmit = original;
    await submit('b');
    expect(told).toEqual(['ended a', 'arrived b']);
    expect(reasons.get('a')).toBe('E_AUTH');
    expect(failures).toEqual([]);
  });

  it('does not send the cancel of an order that has ended', async () => {
    const { adapter, cancel, told } = aBench();
    await cancel('a');
    expect(adapter.sent).toEqual([]);
    expect(told).toEqual(['cancel-rejected a']);
  });

  it('cancels only by the venue id, because several orders may have had the client id', async () => {
    const { adapter, submit, cancel, ending } = aBench();
    ending.add('a');
    await submit('a');
    await cancel('a');
    expect(adapter.canceled).toEqual([
      { instrumentId: createInstrumentId('spot', 'BTCUSDT'), venueOrderId: 'v-a' },
    ]);
  });

  it('repeats a lost cancel, and gives up after five calls', async () => {
    const { adapter, submit, cancel, told, time, activity } = aBench();
    adapter.answerCancel = () => Promise.reject(new TransportError('E_CONNECT', 'refused'));
    await submit('a');
    const done = cancel('a');
    for (let pause = 0; pause < 6; pause += 1) await time.advance(1_000);
    await done;
    expect(adapter.sent.filter((line) => line === 'cancel a')).toHaveLength(5);
    expect(told.at(-1)).toBe('cancel-rejected a');
    expect(activity.isIdle).toBe(true);
  });
});

describe('an order that waits for its turn', () => {
  /** Holds back the answer to the first order until the returned function is called. */
  function holdFirst(adapter: Scripted): () => void {
    const original = adapter.answerSubmit;
    let letGo = (): void => undefined;
    adapter.answerSubmit = async (id) => {
      adapter.answerSubmit = original;
      await new Promise<void>((resolve) => {
        letGo = resolve;
      });
      return original(id);
    };
    return () => {
      letGo();
    };
  }

  it('is dropped if it is an entry and its decision is too old', async () => {
    const { adapter, submit, time, reasons } = aBench();
    const letGo = holdFirst(adapter);
    const done = [submit('a'), submit('entry'), submit('exit', undefined, { side: 'sell' })];
    await settle();

    await time.advance(30_000);
    letGo();
    await Promise.all(done);

    expect(adapter.sent).toEqual(['submit a', 'submit exit']);
    expect([...reasons]).toEqual([['entry', 'E_TOO_LATE']]);
  });

  it('stops waiting for the limits of the venue after 30 s if it is an entry', async () => {
    const { adapter, submit, time } = aBench();
    adapter.answerSubmit = () => new Promise(() => undefined);
    void submit('entry');
    void submit('exit', 'spot:ETHUSDT', { side: 'sell' });
    await settle();

    await time.advance(29_999);
    expect([...adapter.waits.keys()].map((id) => adapter.endOf(id) !== undefined)).toEqual([
      false,
      false,
    ]);
    await time.advance(1);

    expect([...adapter.waits.keys()].map((id) => adapter.endOf(id) !== undefined)).toEqual([
      true,
      false,
    ]);
    expect(adapter.endOf('entry')?.reason).toMatchObject({ code: 'E_TOO_LATE' });
  });

  it('leaves no timer behind', async () => {
    const { submit, time } = aBench();

    await submit('entry');

    expect(time.pending).toBe(0);
  });

  it('is not sent after the bot stops', async () => {
    const { adapter, submit, cancel, leaving, told } = aBench();
    const letGo = holdFirst(adapter);
    const done = Promise.all([submit('a'), submit('b'), cancel('a')]);
    await settle();

    leaving.abort(new TransportError('E_CLOSED', 'the session has ended'));
    letGo();
    await done;

    expect(adapter.endOf('a')).toBeDefined();
    expect(adapter.sent.filter((each) => each.startsWith('submit'))).toEqual(['submit a']);
    expect(told).toContain('ended b');
  });

  it('a cancel whose request is lost is not sent again when the bot stops', async () => {
    const { adapter, submit, cancel, leaving, told } = aBench();
    adapter.answerCancel = () => {
      leaving.abort(new TransportError('E_CLOSED', 'the session has ended'));
      return Promise.reject(new TransportError('E_CLOSED', 'the session has ended'));
    };
    await submit('a');

    await cancel('a');

    expect(adapter.sent).toEqual(['submit a', 'cancel a']);
    expect(told).toContain('cancel-rejected a');
  });
});
