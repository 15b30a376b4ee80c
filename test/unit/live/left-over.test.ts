import { describe, expect, it } from 'vitest';

import { createInstrumentId } from '../../../src/domain/index.js';
import { isAllHeldBack } from '../../../src/live/bot/unclosed.js';

/** A portfolio of two contracts that holds those in `held`. */
function holding(...held: readonly string[]): never {
  const instruments = ['E-A-USDT', 'E-B-USDT'].map((symbol) => ({
    instrument: { id: createInstrumentId('futures', symbol) },
    long: { isExposed: held.includes(symbol) },
    short: { isExposed: false },
  }));
  return { portfolio: { instruments: () => instruments } } as never;
}

describe('isAllHeldBack', () => {
  const frozen = [{ name: 'frozen futures:E-A-USDT' }, { name: 'stream a' }];

  it.each([
    { held: ['E-A-USDT'], is: true },
    { held: ['E-A-USDT', 'E-B-USDT'], is: false },
    { held: [], is: false },
  ])('is $is if $held is held and E-A-USDT is frozen', ({ held, is }) => {
    expect(isAllHeldBack(holding(...held), frozen)).toBe(is);
  });

  it('counts a contract that is gone like a frozen contract', () => {
    const all = [...frozen, { name: 'gone futures:E-B-USDT' }];

    expect(isAllHeldBack(holding('E-A-USDT', 'E-B-USDT'), all)).toBe(true);
  });
});
