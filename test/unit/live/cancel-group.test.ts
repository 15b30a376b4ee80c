import { describe, expect, it } from 'vitest';
import {
  createInstrumentId,
  OutcomeUnknownError,
  type ClientOrderId,
  type VenueOrderId,
} from '../../../src/domain/index.js';
import { DryRunExecution } from '../../../src/assembly/bot/connection/dry-run-execution.js';
import { CancelGroup } from '../../../src/live/session/cancel-group.js';
import { NOTHING_SEEN, SentOrders } from '../../../src/live/session/sent-orders.js';
import { createSessionTime } from '../../../src/live/session/session-time.js';
import type { CancelOutcome, OrderTarget } from '../../../src/venue/index.js';
import { aLimitRequest } from '../../support/order-requests.js';
import { settle, VirtualTime } from '../../support/virtual-time.js';

const SPOT = createInstrumentId('spot', 'BTCUSDT');
const FUTURES = createInstrumentId('futures', 'E-BTC-USDT');
const REQUESTED: CancelOutcome = { kind: 'requested', status: 'canceling' };
const REFUSED: CancelOutcome = { kind: 'refused', reason: { code: '-2011', text: 'not now' } };
const FAILED: CancelOutcome = { kind: 'refused', reason: { code: 'BATCH_FAILED', text: 'final' } };

type Outcomes = readonly (CancelOutcome | undefined)[];

/** Answers with `answer`, and records the ids of each call. */
class Scripted extends DryRunExecution {
  readonly calls: string[] = [];
  answer: (ids: readonly string[]) => Promise<Outcomes> = (ids) =>
    Promise.resolve(ids.map(() => REQUESTED));

  override async cancel(target?: OrderTarget): Promise<CancelOutcome> {
    const [outcome] = await this.#take([target?.venueOrderId ?? '']);
    return outcome ?? REFUSED;
  }

  override async cancelBatch(_: string, ids: readonly string[]): Promise<readonly CancelOutcome[]> {
    // An answer may leave out outcomes, but the type of the base class does not say so.
    return (await this.#take(ids)) as readonly CancelOutcome[];
  }

  #take(ids: readonly string[]): Promise<Outcomes> {
    this.calls.push(ids.join(' '));
    return this.answer(ids);
  }
}

function aGroup({ instrumentId = SPOT, last = Number.NaN, isSequential = false } = {}) {
  const time = new VirtualTime();
  const adapter = new Scripted();
  const orders = new SentOrders();
  const leaving = new AbortController();
  const told: string[] = [];
  const read: string[] = [];
  /** Orders that the venue shows as ended. */
  const ended = new Set<string>();
  const group = new CancelGroup(instrumentId, {
    adapter,
    orders,
    time: createSessionTime(time),
    signal: new AbortController().signal,
    leaving: leaving.signal,
    isSequential,
    lastPrice: () => last,
    read: (order) => {
      const { clientOrderId } = order.request;
      read.push(clientOrderId);
      if (ended.has(clientOrderId)) orders.end(order);
      return Promise.resolve();
    },
    onUpdate: (update) => {
      const reason = update.kind === 'cancel-rejected' ? update.reason.code : '';
      told.push(`${update.kind} ${update.clientOrderId} ${reason}`);
    },
  });
  const place = (id: string, limitPrice = '60000'): Promise<boolean> => {
    const request = aLimitRequest({ id, instrumentId, limitPrice });
    orders.begin(request, { sentAt: 0, before: NOTHING_SEEN }).venueOrderId = id as VenueOrderId;
    return group.add(id as ClientOrderId);
  };
  return { group, adapter, orders, told, read, ended, place, time, leaving };
}

function ids(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => String(index + 1));
}

describe('CancelGroup', () => {
  it('cancels 25 spot orders in three calls, before it reads any of them', async () => {
    const { group, adapter, place, read } = aGroup();
    const readBefore: number[] = [];
    adapter.answer = (asked) => {
      readBefore.push(read.length);
      return Promise.resolve(asked.map(() => REQUESTED));
    };
    const done = Promise.all(ids(25).map((id) => place(id)));
    expect(group.unanswered).toBe(25);
    await group.run();
    await done;
    expect(adapter.calls.map((call) => call.split(' ').length)).toEqual([10, 10, 5]);
    expect(readBefore).toEqual([0, 0, 0]);
    expect(read).toHaveLength(25);
    expect(group.unanswered).toBe(0);
  });

  it('cancels orders that were added during a call with the next call', async () => {
    const { group, adapter, place } = aGroup();
    let answer = (): void => undefined;
    adapter.answer = async (asked) => {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return asked.map(() => REQUESTED);
    };
    void place('a');
    const done = group.run();
    await settle();
    void place('b');
    void place('c');
    expect([group.isOpen, group.unanswered]).toEqual([true, 3]);
    answer();
    await settle();
    answer();
    await done;
    expect(adapter.calls).toEqual(['a', 'b c']);
    expect(group.isOpen).toBe(false);
  });

  it('repeats each cancel that a batch did not take alone, and reports a refusal', async () => {
    const { group, adapter, place, ended, told, time } = aGroup();
    ended.add('filled');
    const one = new Map<string, CancelOutcome | undefined>([
      ['taken', REQUESTED],
      ['filled', FAILED],
      ['failed', FAILED],
      ['missing', undefined],
    ]);
    adapter.answer = (asked) =>
      Promise.resolve(
        asked.length > 1
          ? asked.map((id) => one.get(id))
          : asked.map((id) => (id === 'failed' ? REFUSED : REQUESTED)),
      );
    const done = Promise.all([...one.keys()].map((id) => place(id)));
    const run = group.run();
    await time.advance(1_000);
    await Promise.all([run, done]);
    expect(adapter.calls).toEqual(['taken filled failed missing', 'failed', 'missing']);
    expect(told).toEqual(['cancel-rejected failed -2011']);
  });

  it('repeats a batch without an answer, without the orders that have ended', async () => {
    const { group, adapter, place, ended, told, time } = aGroup();
    ended.add('b');
    let calls = 0;
    adapter.answer = (asked) => {
      calls += 1;
      return calls === 1
        ? Promise.reject(new OutcomeUnknownError('E_OUTCOME_UNKNOWN', 'no answer'))
        : Promise.resolve(asked.map(() => REQUESTED));
    };
    void Promise.all(['a', 'b', 'c'].map((id) => place(id)));
    const run = group.run();
    await settle();
    expect(group.unanswered).toBe(2);
    await time.advance(1_000);
    await run;
    expect(adapter.calls).toEqual(['a b c', 'a c']);
    expect(told).toEqual([]);
  });

  it('rejects each cancel after five batches without an answer', async () => {
    const { group, adapter, place, told, time } = aGroup();
    adapter.answer = () =>
      Promise.reject(new OutcomeUnknownError('E_OUTCOME_UNKNOWN', 'no answer'));
    void Promise.all(['a', 'b'].map((id) => place(id)));
    const run = group.run();
    for (let pause = 0; pause < 5; pause += 1) await time.advance(1_000);
    await run;
    expect(adapter.calls).toEqual(Array.from({ length: 5 }, () => 'a b'));
    expect(told).toEqual(['cancel-rejected a not-delivered', 'cancel-rejected b not-delivered']);
  });

  it('cancels the orders of a contract one by one, those nearest to the market first', async () => {
    const { group, adapter, place } = aGroup({ instrumentId: FUTURES, last: 60_000 });
    for (const [id, price] of [
      ['far', '50000'],
      ['near', '60100'],
      ['between', '59000'],
    ] as const)
      void place(id, price);
    await group.run();
    expect(adapter.calls).toEqual(['near', 'between', 'far']);
  });

  it('keeps the order of the cancels in a sequential session', async () => {
    const { group, adapter, place } = aGroup({
      instrumentId: FUTURES,
      last: 60_000,
      isSequential: true,
    });
    void place('far', '50000');
    void place('near', '60100');
    await group.run();
    expect(adapter.calls).toEqual(['far', 'near']);
  });

  it('rejects the cancel of an unknown order in its turn, in a sequential session', async () => {
    const { group, adapter, place, told } = aGroup({ instrumentId: FUTURES, isSequential: true });
    adapter.answer = () => Promise.resolve([REFUSED]);
    void place('1');
    void group.add('on its way' as ClientOrderId);
    void place('2');

    await group.run();

    expect(told).toEqual([
      'cancel-rejected 1 -2011',
      'cancel-rejected on its way has-ended',
      'cancel-rejected 2 -2011',
    ]);
  });

  it('ends without a cancel whose order is still searched for', async () => {
    const { group, adapter, orders, place } = aGroup();
    const cancels = ['lost', 'a', 'b'].map((id) => place(id));
    orders.get('lost' as ClientOrderId).resolving = new Promise(() => undefined);
    await group.run();
    expect(adapter.calls).toEqual(['a b']);
    expect(await Promise.all(cancels)).toEqual([false, true, true]);
    expect(group.isOpen).toBe(false);
    expect(group.unanswered).toBe(0);
  });

  it('ends at once when the bot stops while it waits to send a lost cancel again', async () => {
    const { group, adapter, place, told, leaving } = aGroup();
    adapter.answer = () => Promise.reject(new OutcomeUnknownError('E_OUTCOME_UNKNOWN', 'no'));
    void place('a');
    const state = { isOver: false };
    void group.run().then(() => {
      state.isOver = true;
    });
    await settle();
    const before = state.isOver;

    leaving.abort(new Error('the session has ended'));
    await settle();

    expect(before).toBe(false);
    expect(state.isOver).toBe(true);
    expect(told).toEqual(['cancel-rejected a not-delivered']);
  });
});
