import { describe, expect, it } from 'vitest';

import { createInstrumentId, RuleBook, type OrderIntent } from '../../../src/domain/index.js';
import { IdleWish } from '../../../src/runtime/idle-wish.js';

const CHANGE = 100;

function create(): IdleWish {
  const rules = new RuleBook();
  const terms = { tradable: true, pricePrecision: 2, quantityPrecision: 5 };
  rules.set(createInstrumentId('spot', 'BTCUSDT'), [
    { from: 0, rules: terms },
    { from: CHANGE, rules: { ...terms, quantityPrecision: 2 } },
  ]);
  return new IdleWish(rules);
}

const LONG: OrderIntent = { kind: 'enter', direction: 'long', size: { quantity: '1' } };
const EXIT: OrderIntent = { kind: 'exit' };

describe('IdleWish', () => {
  it('covers nothing before it has learned anything', () => {
    expect(create().covers(EXIT, 0)).toBe(false);
  });

  it('covers the same wish of any size, until the rules change', () => {
    const wish = create();
    wish.learn(LONG, 10);

    expect(wish.covers({ ...LONG, size: { quantity: '2' } }, 10)).toBe(true);
    expect(wish.covers(LONG, CHANGE - 1)).toBe(true);
    expect(wish.covers(LONG, CHANGE)).toBe(false);
  });

  it('covers no wish that adds, or of another kind, side or instrument', () => {
    const wish = create();
    wish.learn(LONG, 10);

    expect(wish.covers({ ...LONG, add: true }, 10)).toBe(false);
    expect(wish.covers({ ...LONG, direction: 'short' }, 10)).toBe(false);
    expect(wish.covers({ ...LONG, instrument: 'BTCUSDT' }, 10)).toBe(false);
    expect(wish.covers({ kind: 'exit', direction: 'long' }, 10)).toBe(false);
  });

  it('tells an exit of one side from one of whichever is held', () => {
    const wish = create();
    wish.learn(EXIT, 10);

    expect(wish.covers(EXIT, 10)).toBe(true);
    expect(wish.covers({ kind: 'exit', direction: 'long' }, 10)).toBe(false);
  });

  it('forgets', () => {
    const wish = create();
    wish.learn(EXIT, 10);
    wish.forget();

    expect(wish.covers(EXIT, 10)).toBe(false);
  });

  it('learns no other kind of wish', () => {
    const wish = create();
    wish.learn({ kind: 'flatten' }, 10);

    expect(wish.covers({ kind: 'flatten' }, 10)).toBe(false);
  });
});
