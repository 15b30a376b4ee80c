import { describe, expect, it } from 'vitest';

import type { OrderIntent } from '../../../src/domain/index.js';
import { cancel, enterLong, exit, replace, type OrderHandle } from '../../../src/strategy/index.js';
import { OrderManagerBench } from '../../support/engine/order-manager-bench.js';

const ONE = { quantity: '1' };
const BID = enterLong(ONE, { limitPrice: '95' });

/** A bench that records the status updates of each intent that it raises. */
class Follower extends OrderManagerBench {
  readonly heard: string[] = [];
  readonly handles: OrderHandle[] = [];
  #mayAct = (): void => undefined;

  constructor(...setup: ConstructorParameters<typeof OrderManagerBench>) {
    super(...setup);
    this.onRaised = (handle) => {
      const { intentId } = handle;
      this.handles.push(handle);
      this.#mayAct();
      handle.status$.subscribe({
        next: ({ clientOrderId, status }) => this.heard.push(`${clientOrderId} ${status}`),
        complete: () => this.heard.push(`${String(intentId)} complete`),
      });
    };
  }

  /** Runs `does` while the strategy may raise intents. */
  act(does: (handles: readonly OrderHandle[]) => void): readonly string[] {
    this.#mayAct = () => {
      this.#mayAct = () => undefined;
      does(this.handles);
    };
    return this.want(cancel({ label: 'nothing of this name' }));
  }

  hear(does: () => unknown): readonly string[] {
    this.heard.length = 0;
    does();
    return [...this.heard];
  }
}

function aFollower(...intents: readonly OrderIntent[]): Follower {
  const bench = new Follower();
  bench.want(...intents);
  return bench;
}

describe('OrderHandle', () => {
  it('emits each change of its order, and completes when the order ends', () => {
    const bench = aFollower(BID);

    const heard = bench.hear(() => {
      bench.accept('test-1-0-0');
      bench.fill('test-1-0-0', '0.4', { price: '95' });
      bench.fill('test-1-0-0', '0.6', { price: '95' });
      bench.want(exit());
    });

    expect(heard.slice(0, 4)).toEqual([
      'test-1-0-0 open',
      'test-1-0-0 partially-filled',
      'test-1-0-0 filled',
      '1 complete',
    ]);
  });

  it('completes for a refused intent, and for an intent without effect', () => {
    const bench = new Follower();

    const refused = bench.hear(() => bench.want(enterLong({ quantity: '0' })));
    const nothing = bench.hear(() => bench.want(exit()));

    expect(refused).toEqual(['1 complete']);
    expect(nothing).toEqual(['2 complete']);
  });

  it('follows the replacement of its order, under its number', () => {
    const bench = aFollower(BID);
    bench.accept('test-1-0-0');
    const [handle] = bench.handles;

    bench.act(() => handle?.replace({ limitPrice: '94' }));
    const heard = bench.hear(() => {
      bench.end('test-1-0-0');
      bench.accept('test-3-0-0');
    });

    expect(heard).toEqual(['test-1-0-0 canceled', 'test-3-0-0 submitting', 'test-3-0-0 open']);
    expect(handle?.orders.map(({ clientOrderId }) => clientOrderId)).toEqual(['test-3-0-0']);
    expect(bench.act(() => handle?.cancel())).toEqual(['cancel test-3-0-0']);
    expect(bench.hear(() => bench.end('test-3-0-0'))).toEqual([
      'test-3-0-0 canceled',
      '1 complete',
    ]);
  });

  it('starts with the current state for a late subscriber', () => {
    const bench = aFollower(BID);
    bench.accept('test-1-0-0');

    const heard = bench.hear(() => {
      bench.handles[0]?.status$.subscribe(({ status }) => bench.heard.push(status));
    });

    expect(heard).toEqual(['open']);
  });

  it('emits the order of a waiting exit once it is sent', () => {
    const bench = new Follower();
    bench.want(enterLong(ONE));
    bench.fill('test-1-0-0', '1');
    bench.want(exit({ limitPrice: '110' }));
    bench.accept('test-2-0-0');

    const heard = bench.hear(() => {
      bench.want(exit({ limitPrice: '111' }));
      bench.end('test-2-0-0');
    });

    expect(heard).toEqual([
      'test-2-0-0 canceling',
      'test-2-0-0 canceled',
      'test-3-0-0 submitting',
      '2 complete',
    ]);
  });

  it('completes for a waiting intent that is refused later or has nothing left to do', () => {
    const outdated = aFollower(enterLong(ONE));
    outdated.want(exit({ limitPrice: '101' }));
    const done = aFollower(BID);
    done.want(exit({ cancelEntries: true }));

    expect(outdated.hear(() => outdated.candle(100))).toContain('2 complete');
    expect(done.hear(() => done.end('test-1-0-0'))).toContain('2 complete');
  });

  it('follows the new order of a replacement, and completes with it', () => {
    const bench = aFollower(BID);
    bench.want(replace({ intentId: 1 }, { limitPrice: '94' }));

    const heard = bench.hear(() => {
      bench.end('test-1-0-0');
      bench.end('test-2-0-0');
    });

    expect(heard.filter((line) => line === 'test-2-0-0 canceled')).toHaveLength(2);
    expect(heard.slice(-2)).toEqual(['1 complete', '2 complete']);
  });

  it('may be answered with an intent in the same event', () => {
    const bench = new Follower();
    bench.want(BID);
    bench.accept('test-1-0-0');
    const [handle] = bench.handles;
    let isAnswered = false;
    bench.handles[0]?.status$.subscribe({
      complete: () => {
        isAnswered = true;
        handle?.cancel();
      },
    });
    bench.end('test-1-0-0');

    expect(isAnswered).toBe(true);
  });

  it('completes when the rest of an order in slices is given up', () => {
    const work = { twap: { over: '10min', slices: 4 } } as const;
    const canceled = aFollower(enterLong({ quantity: '4' }, { work }));
    canceled.fill('test-1-0-0', '1');
    const left = aFollower(enterLong({ quantity: '4' }, { work }));
    left.fill('test-1-0-0', '1');

    expect(canceled.hear(() => canceled.want(cancel({ intentId: 1 })))).toContain('1 complete');
    expect(left.hear(() => left.want(exit()))).toContain('1 complete');
  });

  it('completes when the run ends', () => {
    const bench = aFollower(BID);

    expect(bench.hear(() => bench.engine.stop())).toEqual(['1 complete']);
  });
});
