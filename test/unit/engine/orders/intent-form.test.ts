import { describe, expect, it } from 'vitest';

import type { OrderIntent } from '../../../../src/domain/index.js';
import {
  cancel,
  enterLong,
  exit,
  flatten,
  protect,
  rebalance,
  replace,
  type EntryTerms,
} from '../../../../src/strategy/index.js';
import { aHolder, OrderManagerBench } from '../../../support/engine/order-manager-bench.js';

const ONE = { quantity: '1' };

/** An intent that a plugin in plain JavaScript may raise. */
const anyIntent = (intent: object): OrderIntent => intent as OrderIntent;
const anyTerms = (terms: object): EntryTerms => terms;

describe('the form of an intent', () => {
  it.each<[string, OrderIntent, string, string]>([
    [
      'a misspelt level',
      enterLong(ONE, anyTerms({ protection: { stoploss: { price: '90' } } })),
      'unknown-key',
      'protection has no key "stoploss": did you mean "stopLoss"?',
    ],
    [
      'a misspelt term',
      enterLong(ONE, anyTerms({ limitprice: '90' })),
      'unknown-key',
      'enter has no key "limitprice": did you mean "limitPrice"?',
    ],
    [
      'a term in the size',
      enterLong({ quantity: '1', limitPrice: '90' } as never),
      'unknown-key',
      'size has no key "limitPrice": it belongs beside the size, among the terms',
    ],
    [
      'a key like no other',
      enterLong(ONE, anyTerms({ zebra: 1 })),
      'unknown-key',
      'enter has no key "zebra": its keys are add, bracket, direction, expireAfter, goodForMs, instrument, label, limitPrice, oco, priceRounding, protection, size, timeInForce, work',
    ],
    [
      'two sizes',
      enterLong({ quantity: '1', equity: '0.5' }),
      'invalid-size',
      'size: expected one of quantity, notional, equity and risk, received quantity and equity',
    ],
    [
      'no size',
      enterLong({} as never),
      'invalid-size',
      'size: expected one of quantity, notional, equity and risk, received none of them',
    ],
    [
      'a level with two measures',
      enterLong(ONE, anyTerms({ protection: { stopLoss: { price: '90', ratio: '0.1' } } })),
      'invalid-protection',
      'protection.stopLoss: expected one of price, ratio and distance, received price and ratio',
    ],
    [
      'a level that is a text',
      enterLong(ONE, anyTerms({ protection: { stopLoss: '90' } })),
      'invalid-protection',
      'protection.stopLoss: expected one of price, ratio and distance, received "90"',
    ],
    [
      'weights that are not given',
      rebalance(undefined as never),
      'invalid-term',
      'targets: expected at least one instrument, received nothing',
    ],
    [
      'a target that is none',
      anyIntent({ kind: 'target', targets: [null] }),
      'invalid-term',
      'targets: expected { instrument, to }, received null',
    ],
    [
      'a weight that is no number',
      rebalance({ BTCUSDT: Number.NaN as never }),
      'invalid-term',
      'to: expected decimal text, below 0 for short, received NaN',
    ],
    [
      'a weight that is a bigint',
      rebalance({ BTCUSDT: 5n as never }),
      'invalid-term',
      'to: expected decimal text, below 0 for short, received 5n',
    ],
    [
      'an unknown key of a target',
      anyIntent({ kind: 'target', targets: [{ instrument: 'BTCUSDT', to: ONE, tolerence: '1' }] }),
      'unknown-key',
      'targets has no key "tolerence": its keys are instrument, to',
    ],
    [
      'a direction there is not',
      anyIntent({ kind: 'enter', direction: 'up', size: ONE }),
      'invalid-term',
      'direction: expected long or short, received "up"',
    ],
    [
      'a time in force there is not',
      enterLong(ONE, anyTerms({ limitPrice: '90', timeInForce: 'GTX' })),
      'invalid-term',
      'timeInForce: expected GTC, IOC, FOK or POST_ONLY, received "GTX"',
    ],
    [
      'a rounding there is not',
      enterLong(ONE, anyTerms({ priceRounding: 'up' })),
      'invalid-term',
      'priceRounding: expected never-worse or nearest, received "up"',
    ],
    [
      'a label that is no text',
      enterLong(ONE, anyTerms({ label: 7 })),
      'invalid-term',
      'label: expected a text, received 7',
    ],
    [
      'a lifetime that is no duration',
      enterLong(ONE, { limitPrice: '90', expireAfter: '30' }),
      'invalid-term',
      'expireAfter: expected a duration above 0 such as 90s, 15min, 3h or 2d, received "30"',
    ],
    [
      'a lifetime of nothing',
      enterLong(ONE, { limitPrice: '90', expireAfter: '0s' }),
      'invalid-term',
      'expireAfter: expected a duration above 0 such as 90s, 15min, 3h or 2d, received "0s"',
    ],
    [
      'two lifetimes',
      exit({ limitPrice: '110', expireAfter: '30s', goodForMs: 30_000 }),
      'invalid-term',
      'expireAfter: expected no goodForMs beside it, received 30000',
    ],
    [
      'a group that is no text',
      exit(anyTerms({ limitPrice: '110', oco: 1 })),
      'invalid-term',
      'oco: expected a text, received 1',
    ],
    [
      'a part of a position in money',
      exit({ size: { notional: '100' } } as never),
      'invalid-size',
      'size: expected one of quantity and share, received notional',
    ],
    [
      'a share beside a quantity',
      exit({ share: '0.5', size: { quantity: '1' } }),
      'invalid-size',
      'size: expected one of quantity and share, received quantity and share',
    ],
    [
      'a misspelt share',
      exit({ shares: '0.5' } as never),
      'unknown-key',
      'exit has no key "shares": its keys are cancelEntries, direction, expireAfter, goodForMs, instrument, label, limitPrice, oco, priceRounding, size, timeInForce, work',
    ],
    [
      'an entry by a share',
      enterLong({ share: '0.5' } as never),
      'invalid-size',
      'size: expected one of quantity, notional, equity and risk, received share',
    ],
    [
      'an exit with a protection',
      anyIntent({ kind: 'exit', protection: {} }),
      'unknown-key',
      'exit has no key "protection": its keys are cancelEntries, direction, expireAfter, goodForMs, instrument, label, limitPrice, oco, priceRounding, size, timeInForce, work',
    ],
    [
      'a cancel of two things',
      cancel({ intentId: 1, label: 'a' }),
      'invalid-target',
      'target: expected one of intentId and label, received intentId and label',
    ],
    [
      'a cancel of nothing',
      cancel({} as never),
      'invalid-target',
      'target: expected one of intentId and label, received none of them',
    ],
    [
      'a replacement with a term of an entry',
      replace({ label: 'a' }, { price: '90' } as never),
      'unknown-key',
      'replace has no key "price": its keys are limitPrice, quantity',
    ],
    [
      'a flatten of one side',
      anyIntent({ ...flatten(), direction: 'long' }),
      'unknown-key',
      'flatten has no key "direction": its keys are instrument',
    ],
    [
      'a stop among the terms',
      enterLong(ONE, anyTerms({ stopLoss: { price: '90' } })),
      'unknown-key',
      'enter has no key "stopLoss": it belongs in protection: { stopLoss }',
    ],
    [
      'a size among the terms',
      enterLong(ONE, anyTerms({ quantity: '2' })),
      'unknown-key',
      'enter has no key "quantity": it belongs in the size, which comes before the terms',
    ],
    [
      'a part of a position that is not in the size',
      exit(anyTerms({ quantity: '1' })),
      'unknown-key',
      'exit has no key "quantity": it belongs in size: { quantity }',
    ],
    [
      'a stop of an exit',
      exit(anyTerms({ stopLoss: { price: '90' } })),
      'unknown-key',
      'exit has no key "stopLoss": protect({ stopLoss }) guards what is held',
    ],
    [
      'a level as a number',
      enterLong(ONE, anyTerms({ protection: { stopLoss: { ratio: 0.02 } } })),
      'invalid-protection',
      'protection.stopLoss.ratio: expected decimal text such as "0.02", received 0.02',
    ],
    [
      'a level that is no decimal',
      enterLong(ONE, { protection: { takeProfit: { ratio: '2%' } } }),
      'invalid-protection',
      'takeProfit: expected a ratio in decimal text such as "0.02", received {"ratio":"2%"}',
    ],
    [
      'a lifetime as a text',
      enterLong(ONE, anyTerms({ limitPrice: '90', goodForMs: '5000' })),
      'invalid-term',
      'goodForMs: expected milliseconds as a number, received "5000"',
    ],
    [
      'a replacement of nothing',
      replace({ label: 'a' }, {}),
      'invalid-term',
      'replace: expected a limitPrice or a quantity, received nothing',
    ],
    [
      'a protection that is nothing',
      protect(undefined as never),
      'invalid-protection',
      'protection: expected { stopLoss, takeProfit, trailingStop }, received nothing',
    ],
  ])('%s is refused', (_name, intent, check, text) => {
    const bench = new OrderManagerBench();

    const sent = bench.want(intent);

    expect(sent).toEqual([]);
    expect(bench.verdicts.at(-1)?.decision).toMatchObject({
      kind: 'refused',
      refusal: { check, text },
    });
  });

  it.each<[string, OrderIntent]>([
    [
      'an entry with all its terms',
      enterLong(ONE, {
        limitPrice: '90',
        timeInForce: 'GTC',
        goodForMs: 5_000,
        priceRounding: 'nearest',
        label: 'bid',
        add: true,
        instrument: 'spot:BTCUSDT',
        protection: {
          stopLoss: { price: '80' },
          takeProfit: { ratio: '0.1' },
          trailingStop: { distance: '5' },
        },
      }),
    ],
    [
      'terms that are absent',
      enterLong(ONE, anyTerms({ limitPrice: undefined, label: undefined })),
    ],
    ['a size in money', enterLong({ notional: '100' })],
  ])('%s is accepted', (_name, intent) => {
    const bench = new OrderManagerBench();

    expect(bench.want(intent)).toHaveLength(1);
  });

  it.each(['1', 1, null, undefined])(
    'an entry that changes nothing is told nothing, also with %j as its size',
    (size) => {
      const bench = aHolder();
      const before = bench.verdicts.length;

      expect(bench.want(anyIntent({ kind: 'enter', direction: 'long', size }))).toEqual([]);
      expect(bench.verdicts.slice(before)).toEqual([]);
    },
  );

  it('a stop is removed by a member that is undefined', () => {
    const bench = aHolder({}, { protection: { stopLoss: { price: '95' } } });

    bench.want(protect({ stopLoss: undefined }));

    expect(bench.sample('90')).toEqual([]);
  });
});

describe('an entry with a level on the wrong side', () => {
  it.each<[string, EntryTerms, string]>([
    [
      'a stop above the market',
      { protection: { stopLoss: { price: '101' } } },
      'stopLoss: expected a price below 100, received {"price":"101"}',
    ],
    [
      'a stop at the market',
      { protection: { stopLoss: { price: '100' } } },
      'stopLoss: expected a price below 100, received {"price":"100"}',
    ],
    [
      'a stop above its limit',
      { limitPrice: '90', protection: { stopLoss: { price: '95' } } },
      'stopLoss: expected a price below 90, received {"price":"95"}',
    ],
    [
      'a target below the market',
      { protection: { takeProfit: { price: '99' } } },
      'takeProfit: expected a price above 100, received {"price":"99"}',
    ],
    [
      'a distance that points the other way',
      { protection: { stopLoss: { distance: '-5' } } },
      'stopLoss: expected a distance above 0, received {"distance":"-5"}',
    ],
    [
      'a ratio of nothing',
      { protection: { takeProfit: { ratio: '0' } } },
      'takeProfit: expected a ratio above 0, received {"ratio":"0"}',
    ],
  ])('%s is refused', (_name, terms, text) => {
    const bench = new OrderManagerBench();

    const sent = bench.want(enterLong(ONE, terms));

    expect(sent).toEqual([]);
    expect(bench.verdicts.at(-1)?.decision).toMatchObject({
      kind: 'refused',
      refusal: { check: 'invalid-protection', text },
    });
  });

  it.each([
    ['its target between its limit and the market', '89', '91'],
    ['its levels far away', '0.01', '1000000'],
  ])('may have %s', (_, stop, goal) => {
    const bench = new OrderManagerBench();

    const sent = bench.want(
      enterLong(ONE, {
        limitPrice: '90',
        protection: { stopLoss: { price: stop }, takeProfit: { price: goal } },
      }),
    );

    expect(sent).toHaveLength(1);
  });
});
