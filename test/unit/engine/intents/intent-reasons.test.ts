import { describe, expect, it } from 'vitest';

import { cancel, enterLong, enterShort, exit, replace } from '../../../../src/strategy/index.js';
import type { OrderIntent } from '../../../../src/domain/index.js';
import type { EngineSetup } from '../../../support/engine/engine.js';
import { aHolder, OrderManagerBench } from '../../../support/engine/order-manager-bench.js';
import { LINEAR, MARGIN } from '../../../support/risk/builders.js';

const ONE = { quantity: '1' };
const BID = enterLong(ONE, { limitPrice: '95', label: 'bid' });
const FLATTEN: OrderIntent = { kind: 'flatten' };
const ONE_WAY: EngineSetup = {
  positionMode: 'oneWay',
  instruments: [{ instrument: LINEAR, intervals: ['1min'] }],
};

/** A bench with a working bid at the venue. Intent 2 will replace it. */
function aReplaced(): OrderManagerBench {
  const bench = new OrderManagerBench();
  bench.want(BID);
  bench.accept('test-1-0-0');
  bench.want(replace({ label: 'bid' }, { limitPrice: '94' }));
  return bench;
}

/** The refusals of each intent, in one line each. */
function refusals({ verdicts }: OrderManagerBench): readonly string[] {
  return verdicts.flatMap(({ intentId, decision }) =>
    decision.kind === 'refused' ? [`${String(intentId)} ${decision.refusal.check}`] : [],
  );
}

describe('a waiting replacement of an order', () => {
  it('is refused if a newer replacement takes its place', () => {
    const bench = aReplaced();
    bench.want(replace({ label: 'bid' }, { limitPrice: '93' }));

    expect(refusals(bench)).toEqual(['2 superseded']);
    expect(bench.end('test-1-0-0')).toEqual(['test-3-0-0: limit buy open 1 base at 93 GTC']);
  });

  it('is refused if the venue does not cancel the order', () => {
    const bench = aReplaced();
    bench.refuseCancel('test-1-0-0');

    expect(refusals(bench)).toEqual(['2 not-canceled']);
    expect(bench.working).toEqual(['test-1-0-0 open']);
  });

  it('is refused if the order fills before', () => {
    const bench = aReplaced();
    bench.fill('test-1-0-0', '1');

    expect(refusals(bench)).toEqual(['2 nothing-to-replace']);
  });

  it('is refused if its quantity is already filled', () => {
    const bench = new OrderManagerBench();
    bench.want(BID);
    bench.fill('test-1-0-0', '0.5');
    bench.want(replace({ label: 'bid' }, { quantity: '0.4' }));
    bench.end('test-1-0-0');

    expect(refusals(bench)).toEqual(['2 nothing-to-replace']);
  });

  it.each([
    [{ label: 'other' }, 'no order of the label "other" works: nothing is replaced'],
    [{ intentId: 9 }, 'no order of intent 9 works: nothing is replaced'],
  ])('is refused if no order works as %j', (reference, text) => {
    const bench = new OrderManagerBench();
    bench.want(BID);
    bench.want(replace(reference, { limitPrice: '92' }));

    expect(bench.verdicts.at(-1)).toMatchObject({
      intentId: 2,
      decision: { kind: 'refused', refusal: { check: 'nothing-to-replace', text } },
    });
  });

  it('is refused if the order is canceled for good, and if the run ends', () => {
    const canceled = aReplaced();
    canceled.want(cancel({ label: 'bid' }));
    const ended = aReplaced();
    ended.endData();

    expect(refusals(canceled)).toEqual(['2 canceled']);
    expect(refusals(ended)).toEqual(['2 end-of-run']);
  });

  it('is refused if the engine sent the order, whose level only protect moves', () => {
    const bench = aHolder({}, { bracket: { takeProfit: { ratio: '0.1' } } });
    const [takeProfit] = bench.engine.workingOrders;
    const { intentId = 0 } = takeProfit?.request ?? {};
    const sent = bench.want(replace({ intentId }, { limitPrice: '120' }));

    expect(sent).toEqual([]);
    expect(bench.verdict).toBe('not-replaceable');
  });
});

describe('the replacement of a MARKET order', () => {
  it('is refused, and the order works on', () => {
    const bench = new OrderManagerBench();
    bench.want(enterLong({ notional: '100' }));

    expect(bench.want(replace({ intentId: 1 }, { limitPrice: '99' }))).toEqual([]);
    expect(refusals(bench)).toEqual(['2 not-replaceable']);
    expect(bench.working).toEqual(['test-1-0-0 submitting']);
  });
});

describe('a waiting intent', () => {
  it('is refused if another waiting entry takes its place', () => {
    const bench = new OrderManagerBench(ONE_WAY);
    bench.want(enterLong(ONE));
    bench.fill('test-1-0-0', '1', { price: '100' });
    bench.want(enterShort(ONE));
    bench.want(enterShort({ quantity: '2' }, { add: true }));

    expect(refusals(bench)).toContain('2 superseded');
    expect(refusals(bench)).toHaveLength(1);
  });

  it.each([
    { what: 'a cancel', intent: cancel({ intentId: 1 }), check: 'canceled' },
    { what: 'an exit', intent: exit(), check: 'superseded' },
    { what: 'flatten', intent: FLATTEN, check: 'superseded' },
  ])('is refused if it has slices and $what ends it', ({ intent, check }) => {
    const bench = new OrderManagerBench({
      instruments: [{ instrument: LINEAR, intervals: ['1min'] }],
    });
    // The first of two slices of one contract is rounded down to 0.
    const sent = bench.want(enterLong(ONE, { work: { twap: { over: '4s', slices: 2 } } }));
    bench.want(intent);

    expect(sent).toEqual([]);
    expect(refusals(bench)).toEqual([`1 ${check}`]);
    expect(bench.waiting).toEqual([]);
  });
});

describe('flatten', () => {
  it('takes the place of a waiting worked exit, which would rest', () => {
    const bench = aHolder({}, { protection: { takeProfit: { ratio: '0.1' } } });
    bench.want(exit({ work: { chase: { every: '5s', maxBps: '20' } } }));
    bench.want(FLATTEN);

    expect(refusals(bench)).toEqual(['3 superseded']);
    expect(bench.end('test-2-0-0')).toEqual(['test-4-0-0: market sell close 1 base']);
  });

  it('is not lost behind an exit whose rest is being canceled', () => {
    const bench = new OrderManagerBench({
      instruments: [{ instrument: MARGIN, intervals: ['1min'] }],
    });
    bench.want(enterShort(ONE));
    bench.fill('test-1-0-0', '1', { price: '100' });
    bench.want(exit());
    bench.accept('test-2-0-0');
    const working = bench.working;
    bench.want(FLATTEN);

    expect(working).toEqual(['test-2-0-0 canceling']);
    expect(bench.end('test-2-0-0')).toEqual(['test-3-0-0: limit buy close 1 base at 105 GTC']);
  });
});
