import { describe, expect, it } from 'vitest';

import { createInstrumentId, RuleBook, type OrderIntent } from '../../../src/domain/index.js';
import { EngineClock } from '../../../src/runtime/engine-clock.js';
import { IdleWish } from '../../../src/runtime/idle-wish.js';

const CHANGE = 100;

function create(): { readonly wish: IdleWish; readonly clock: EngineClock } {
  const rules = new RuleBook();
  const terms = { tradable: true, pricePrecision: 2, quantityPrecision: 5 };
  rules.set(createInstrumentId('spot', 'BTCUSDT'), [
    { from: 0, rules: terms },
    { from: CHANGE, rules: { ...terms, quantityPrecision: 2 } },
  ]);
  const clock = new EngineClock(10);
  const wish = new IdleWish(rules, clock);
  wish.begin(CHANGE - 1);
  return { wish, clock };
}

const LONG: OrderIntent = { kind: 'enter', direction: 'long', size: { quantity: '1' } };
const EXIT: OrderIntent = { kind: 'exit' };

describe('IdleWish', () => {
  it('covers nothing before it has learned anything', () => {
    expect(create().wish.covers(EXIT)).toBe(false);
  });

  it('covers the same wish of any size', () => {
    const { wish } = create();
    wish.learn(LONG);

    expect(wish.covers({ ...LONG, size: { quantity: '2' } })).toBe(true);
  });

  it('holds over times that end before the rules change', () => {
    const { wish } = create();
    wish.begin(50);
    wish.learn(LONG);
    wish.begin(CHANGE - 1);

    expect(wish.covers(LONG)).toBe(true);
    expect(wish.isAgain('long')).toBe(true);
  });

  it('is forgotten when time may go on to where the rules change', () => {
    const { wish } = create();
    wish.learn(LONG);
    wish.begin(CHANGE);

    expect(wish.covers(LONG)).toBe(false);
    expect(wish.isAgain('long')).toBe(false);
  });

  it('learns nothing where the rules change before the time that may come', () => {
    const { wish } = create();
    wish.begin(CHANGE);
    wish.learn(LONG);

    expect(wish.covers(LONG)).toBe(false);
  });

  it('learns again after the rules have changed', () => {
    const { wish, clock } = create();
    wish.begin(CHANGE + 50);
    clock.advance(CHANGE);
    wish.learn(LONG);

    expect(wish.covers(LONG)).toBe(true);
  });

  it.each([
    ['long', LONG],
    ['short', { ...LONG, direction: 'short' }],
    ['exit', EXIT],
  ] as const)('knows "%s" said again without its intent', (plain, intent) => {
    const { wish } = create();
    wish.learn(intent);

    expect((['long', 'short', 'exit'] as const).filter((one) => wish.isAgain(one))).toEqual([
      plain,
    ]);
    wish.forget();
    expect(wish.isAgain(plain)).toBe(false);
  });

  it.each([
    ['of an instrument by name', { ...LONG, instrument: 'BTCUSDT' }],
    ['from one side', { kind: 'exit', direction: 'long' }],
  ] as const)('knows none that is %s without its intent', (_, intent) => {
    const { wish } = create();
    wish.learn(intent);

    expect((['long', 'short', 'exit'] as const).some((one) => wish.isAgain(one))).toBe(false);
  });

  it('covers no wish that adds, or of another kind, side or instrument', () => {
    const { wish } = create();
    wish.learn(LONG);

    expect(wish.covers({ ...LONG, add: true })).toBe(false);
    expect(wish.covers({ ...LONG, direction: 'short' })).toBe(false);
    expect(wish.covers({ ...LONG, instrument: 'BTCUSDT' })).toBe(false);
    expect(wish.covers({ kind: 'exit', direction: 'long' })).toBe(false);
  });

  it('tells an exit of one side from one of whichever is held', () => {
    const { wish } = create();
    wish.learn(EXIT);

    expect(wish.covers(EXIT)).toBe(true);
    expect(wish.covers({ kind: 'exit', direction: 'long' })).toBe(false);
  });

  it('forgets', () => {
    const { wish } = create();
    wish.learn(EXIT);
    wish.forget();

    expect(wish.covers(EXIT)).toBe(false);
  });

  it('learns no other kind of wish', () => {
    const { wish } = create();
    wish.learn({ kind: 'flatten' });

    expect(wish.covers({ kind: 'flatten' })).toBe(false);
  });
});
