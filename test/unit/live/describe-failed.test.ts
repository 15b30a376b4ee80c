import { describe, expect, it } from 'vitest';

import { createInstrumentId, JournalError, parseFixed } from '../../../src/domain/index.js';
import { describeFailed } from '../../../src/live/bot/describe-failed.js';

const FULL = new JournalError('E_JOURNAL_FULL', 'the disk is full; free some space');

/** An engine that holds a long of BTCUSDT and has one order. */
const HOLDING = {
  workingOrders: [{}],
  dust: { held: [] },
  portfolio: {
    instruments: () => [
      {
        instrument: { id: createInstrumentId('spot', 'BTCUSDT') },
        long: { direction: 'long', isExposed: true, holding: { quantity: parseFixed('0.5') } },
        short: { direction: 'short', isExposed: false },
      },
    ],
  },
};
const FLAT = { ...HOLDING, workingOrders: [], portfolio: { instruments: () => [] } };

function text(options: object): string {
  return describeFailed(FULL, { engine: HOLDING, mode: 'live', ...options } as never);
}

describe('describeFailed', () => {
  it.each([
    ['nobody watches this until the bot runs again', {}],
    ['nobody watches this until the bot runs again', { guarded: () => 'gone' }],
    ['its guard process takes over', { guarded: () => 'ready' }],
  ])('says what is left: %s', (watched, options) => {
    expect(text(options)).toBe(
      `the bot has failed and ends: the disk is full; free some space; it leaves long 0.5 of spot:BTCUSDT, 1 order at the venue: ${watched}`,
    );
  });

  it('says that a guard process watches no longer', () => {
    expect(text({ isGuard: true })).toMatch(
      /^the guard process has failed .*: nobody watches this until the bot runs again$/,
    );
  });

  it.each([
    ['nothing is held', { engine: FLAT }],
    ['the account is simulated', { mode: 'paper' }],
  ])('says only why if %s', (_, options) => {
    expect(text(options)).toBe('the bot has failed and ends: the disk is full; free some space');
  });
});
