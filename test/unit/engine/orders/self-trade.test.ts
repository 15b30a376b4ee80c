import { describe, expect, it } from 'vitest';

import { cancel, enterLong, enterShort, exit, replace } from '../../../../src/strategy/index.js';
import { OrderManagerBench } from '../../../support/engine/order-manager-bench.js';
import { LINEAR } from '../../../support/risk/builders.js';

const ONE = { quantity: '1' };
const bidAt = (limitPrice: string): ReturnType<typeof enterLong> =>
  enterLong(ONE, { add: true, limitPrice });
const askAt = (limitPrice: string): ReturnType<typeof exit> => exit({ size: ONE, limitPrice });

/** Holds 3 and has an exit of 1 at 110. */
function anOfferer(): OrderManagerBench {
  const bench = new OrderManagerBench();
  bench.want(enterLong({ quantity: '3' }));
  bench.fill('test-1-0-0', '3');
  bench.want(askAt('110'));
  bench.accept('test-2-0-0');
  return bench;
}

describe('own orders on both sides', () => {
  it('rest beside each other if their prices do not cross', () => {
    const bench = anOfferer();

    expect(bench.want(bidAt('109.99'))).toEqual([
      'test-3-0-0: limit buy open 1 base at 109.99 GTC',
    ]);
    expect(bench.want(askAt('109.99'))).toEqual([]);
    expect(bench.want(askAt('110'))).toHaveLength(1);
    expect(bench.refusals).toEqual(['self-trade']);
  });

  it.each(['110', '111'])('refuse a bid at %s, which the ask at 110 would fill', (price) => {
    const bench = anOfferer();

    expect(bench.want(bidAt(price))).toEqual([]);
    expect(bench.verdicts.at(-1)?.decision).toMatchObject({
      refusal: {
        check: 'self-trade',
        limit: 'below 110',
        actual: price,
        text: `a buy at ${price} would trade with the bot's own sell at 110, which rests in spot:BTCUSDT: cancel that one first, or ask for a price below 110`,
      },
    });
  });

  it('allow a crossing order after the cancel of the other, which is sent first', () => {
    const bench = anOfferer();

    const sent = bench.want(cancel({ intentId: 2 }), bidAt('111'));

    expect(sent).toEqual(['cancel test-2-0-0', 'test-4-0-0: limit buy open 1 base at 111 GTC']);
  });

  it('include an order whose cancel was refused', () => {
    const bench = anOfferer();
    bench.want(cancel({ intentId: 2 }), askAt('112'));
    bench.refuseCancel('test-2-0-0');

    expect(bench.want(bidAt('111'))).toEqual([]);
    expect(bench.refusals).toEqual(['self-trade']);
  });

  it('refuse a replacement that would cross', () => {
    const bench = anOfferer();
    bench.want(bidAt('90'));
    bench.accept('test-3-0-0');
    bench.want(replace({ intentId: 3 }, { limitPrice: '110' }));

    expect(bench.end('test-3-0-0')).toEqual([]);
    expect(bench.refusals).toEqual(['self-trade']);
  });

  it('never hold back an exit at any price', () => {
    const bench = anOfferer();
    bench.want(bidAt('109'));
    bench.accept('test-3-0-0');

    expect(bench.want(exit())).toEqual(['cancel test-2-0-0']);
    expect(bench.end('test-2-0-0')).toEqual(['test-4-0-0: market sell close 3 base']);
  });

  it('do not cross on the two sides of a contract', () => {
    const bench = new OrderManagerBench({
      positionMode: 'hedge',
      instruments: [{ instrument: LINEAR, intervals: ['1min'] }],
    });
    bench.want(enterLong(ONE, { limitPrice: '95' }));

    expect(bench.want(enterShort(ONE, { limitPrice: '95' }))).toEqual([]);
    expect(bench.want(enterShort(ONE, { limitPrice: '96' }))).toHaveLength(1);
    expect(bench.refusals).toEqual(['self-trade']);
  });
});
