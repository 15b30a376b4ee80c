import { describe, expect, it } from 'vitest';

import { createInstrumentId } from '../../../../src/domain/index.js';
import { OwnTrades } from '../../../../src/feed/account/own-trades.js';
import type { VenueTrade } from '../../../../src/venue/index.js';
import { settle } from '../../../support/virtual-time.js';

const ID = createInstrumentId('spot', 'BTCUSDT');

describe('OwnTrades', () => {
  it('returns both rows of a trade between two own orders', async () => {
    const rows = ['7', '8'].map((order) => ({ venueTradeId: '3', venueOrderId: order }));
    const source = {
      trades: async function* () {
        yield* await Promise.resolve(rows as VenueTrade[]);
      },
    };

    const read = await new OwnTrades(source, ID).read(new AbortController().signal);

    expect(read.map(({ venueOrderId }) => venueOrderId)).toEqual(['7', '8']);
  });

  it('does not go back when an earlier reading ends after a later one', async () => {
    const answers: ((ids: readonly string[]) => void)[] = [];
    const source = {
      trades: async function* () {
        const ids = await new Promise<readonly string[]>((resolve) => answers.push(resolve));
        yield* ids.map((venueTradeId) => ({ venueTradeId }) as VenueTrade);
      },
    };
    const trades = new OwnTrades(source, ID, '1');
    const { signal } = new AbortController();
    const earlier = trades.read(signal);
    const later = trades.read(signal);
    await settle();

    answers[1]?.(['9', '10']);
    await later;
    answers[0]?.(['9']);
    await earlier;

    expect(trades.last).toBe('10');
  });
});
