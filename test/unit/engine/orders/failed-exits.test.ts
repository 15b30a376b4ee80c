import { describe, expect, it } from 'vitest';

import type { Work } from '../../../../src/domain/index.js';
import { cancel, enterLong, enterShort, exit, flatten } from '../../../../src/strategy/index.js';
import { aHolder, OrderManagerBench } from '../../../support/engine/order-manager-bench.js';
import { START } from '../../../support/engine/engine.js';
import { LINEAR } from '../../../support/risk/builders.js';

const WORKS: readonly Work[] = [
  { chase: { every: '5s', maxBps: '50' } },
  { limitFor: '30s', then: 'market' },
];

/** A holder whose worked exit the venue has rejected. */
function aFailedExit(work: Work): OrderManagerBench {
  const bench = new OrderManagerBench();
  bench.want(enterLong({ quantity: '2' }));
  bench.fill('test-1-0-0', '2');
  bench.want(exit({ work, label: 'out' }));
  bench.end('test-2-0-0', 'rejected');
  return bench;
}

describe.each(WORKS)('a worked exit that the venue rejected (%o)', (work) => {
  it('waits, and is sent again at the last price with the next candle', () => {
    const bench = aFailedExit(work);
    const waiting = bench.engine.waitingIntents;

    const again = bench.candle(97);
    bench.fill('test-2-1-0', '2', { price: '97' });

    expect(waiting).toMatchObject([{ intentId: 2, intent: { label: 'out', work } }]);
    expect(again).toEqual(['test-2-1-0: limit sell close 2 base at 97 GTC']);
    expect(bench.held()).toBe('0');
    expect(bench.engine.waitingIntents).toEqual([]);
  });

  it('stays one worked intent, measured from the price at its first decision', () => {
    const bench = aFailedExit(work);
    const open = bench.engine.worked;
    bench.candle(97);
    bench.fill('test-2-1-0', '2', { price: '97' });

    expect(open).toMatchObject([{ intentId: 2, to: undefined }]);
    // The price was 100 at the decision, and 2 were sold at 97.
    expect(bench.engine.worked).toMatchObject([
      { intentId: 2, arrivalPrice: 100n * 10n ** 18n, quantity: 2n * 10n ** 18n },
    ]);
    expect(bench.engine.worked).toHaveLength(1);
  });

  it('is sent again by the next process', () => {
    const bench = aFailedExit(work).restart();

    expect(bench.candle(97)).toEqual(['test-2-1-0: limit sell close 2 base at 97 GTC']);
  });

  it.each([
    ['it is canceled', cancel({ label: 'out' }), []],
    ['another exit follows', exit(), ['test-3-0-0: market sell close 2 base']],
  ])('is not sent again if %s', (_, intent, after) => {
    const bench = aFailedExit(work);
    bench.candle(97);

    const withdrawn = bench.want(intent);
    const next = [...bench.end('test-2-1-0'), ...bench.candle(97)];

    expect(withdrawn).toEqual(['cancel test-2-1-0']);
    expect(next).toEqual(after);
  });
});

describe('the rejected exit of a flip', () => {
  it('is sent again with the next candle, and the entry after it is refused', () => {
    const bench = new OrderManagerBench({
      instruments: [{ instrument: LINEAR, intervals: ['1min'] }],
      positionMode: 'oneWay',
    });
    bench.want(enterLong({ quantity: '2' }));
    bench.fill('test-1-0-0', '2');
    bench.want(enterShort({ quantity: '2' }));
    bench.end('test-3-0-0', 'rejected');
    const refused = bench.verdicts.at(-1);

    const again = bench.candle(97);

    expect(refused).toMatchObject({ intentId: 2, decision: { kind: 'refused' } });
    expect(again).toEqual(['test-3-1-0: market sell close 2 contracts']);
  });
});

describe('a rejected exit', () => {
  it('is read from a checkpoint that keeps one for each side', () => {
    const bench = aHolder();
    bench.want(exit());
    bench.end('test-2-0-0', 'rejected');
    const earlier = (text: string): string =>
      text.replace(/"failedExits":\[(\{.*?\})\],"rests"/, '"failedExit":$1,"rests"');

    const next = bench.restart((text) => {
      expect(earlier(text)).not.toBe(text);
      return earlier(text);
    });

    expect(next.waiting).toMatchObject([{ intentId: 2 }]);
    expect(next.candle(97)).toEqual(['test-2-1-0: market sell close 1 base']);
  });

  it.each([exit(), flatten()])(
    'is sent again after a stop that the venue rejected, too, even if last is back (%o)',
    (intent) => {
      const bench = aHolder({}, { protection: { stopLoss: { price: '95' } } });
      bench.want(intent);
      bench.end('test-2-0-0', 'rejected');

      const stop = bench.sample('94');
      const meanwhile = bench.candle(94);
      bench.end('test-3-0-0', 'rejected');

      expect(stop).toEqual(['test-3-0-0: market sell close 1 base']);
      expect(meanwhile).toEqual([]);
      expect(bench.candle(99)).toEqual(['test-2-1-0: market sell close 1 base']);
    },
  );

  it.each(['ordered flatten', 'flatten at a stop'])(
    'of the strategy with the label "%s" is kept like any other, also after resume',
    (label) => {
      const bench = aHolder();
      bench.want(exit({ label }));
      bench.end('test-2-0-0', 'rejected');
      bench.engine.process({ kind: 'operator', time: START, action: 'resume' });

      expect(bench.retry()).toEqual(['test-2-1-0: market sell close 1 base']);
    },
  );
});

describe('the rejected exit of a flatten', () => {
  it('is sent again with the next candle, and withdraws entries as before', () => {
    const bench = aHolder();
    bench.want(enterLong({ quantity: '1' }, { add: true, limitPrice: '90' }));
    bench.want(flatten());
    bench.end('test-2-0-0');
    bench.end('test-3-0-0', 'rejected');
    const waiting = bench.waiting;

    expect(waiting).toMatchObject([{ intentId: 3 }]);
    expect(bench.candle(97)).toEqual(['test-3-1-0: market sell close 1 base']);
  });

  it('is sent again by the next process', () => {
    const bench = aHolder();
    bench.want(flatten());
    bench.end('test-2-0-0', 'rejected');

    expect(bench.restart().candle(97)).toEqual(['test-2-1-0: market sell close 1 base']);
  });

  it('is not kept while a halt flattens, because the bot repeats it', () => {
    const bench = aHolder();
    const halt = { action: 'halt', onHalt: 'flatten', text: 'all of it' } as const;
    bench.engine.process({ kind: 'operator', time: START, ...halt });
    bench.end('test-2-0-0', 'rejected');
    bench.engine.process({ kind: 'operator', time: START, action: 'flatten' });
    bench.end('test-3-0-0', 'rejected');

    expect(bench.waiting).toEqual([]);
    expect(bench.retry()).toEqual([]);
  });

  it('is kept for the next process if a stop ordered the flatten', () => {
    const bench = aHolder();
    bench.engine.process({ kind: 'operator', time: START, action: 'flatten' });
    bench.end('test-2-0-0', 'rejected');

    expect(bench.restart().retry()).toEqual(['test-2-1-0: market sell close 1 base']);
  });

  it.each([
    ['a stop ordered the flatten', true, []],
    ['the strategy ordered it', false, ['test-2-1-0: market sell close 1 base']],
  ])('is dropped by resume only if a stop ordered the flatten: %s', (_, isOfStop, sent) => {
    const bench = aHolder();
    if (isOfStop) bench.engine.process({ kind: 'operator', time: START, action: 'flatten' });
    else bench.want(flatten());
    bench.end('test-2-0-0', 'rejected');

    bench.engine.process({ kind: 'operator', time: START, action: 'resume' });

    expect(bench.retry()).toEqual(sent);
  });
});
