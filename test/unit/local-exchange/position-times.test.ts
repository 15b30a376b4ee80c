import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS, parseFixed } from '../../../src/domain/index.js';
import {
  FUTURES_ID,
  MARKET_START,
  startTestExchange,
  testInstruments,
} from '../../support/local-exchange/test-exchange.js';

const ORDER = { contractName: 'E-BTC-USDT', type: 'MARKET', positionType: 2 } as const;
const BUY = { ...ORDER, side: 'BUY', open: 'OPEN', volume: '1000' } as const;
const SELL = { ...ORDER, side: 'SELL', open: 'CLOSE' } as const;

describe('times of a position', () => {
  it('are the first execution and the last change, also in its closed result', async () => {
    const test = startTestExchange({
      instruments: testInstruments().map((source) => ({
        ...source,
        funding: { constant: { rate: parseFixed('0.0001'), intervalMs: 8 * HOUR_MS } },
      })),
    });
    const account = test.exchange.parts.accounts.byUser('10001')?.account;
    const times = (now: number): unknown =>
      account
        ?.futures(now)
        .accounts[0]?.positions.map(({ createdTime, updatedTime }) => [createdTime, updatedTime]);
    const advance = (byMs: number): Promise<unknown> => test.control('POST', '/advance', { byMs });

    await test.call('futures.order', BUY);
    await advance(MINUTE_MS + 7);
    expect(times(MARKET_START + MINUTE_MS + 7)).toEqual([[MARKET_START, MARKET_START]]);
    await test.call('futures.order', BUY);
    const added = MARKET_START + MINUTE_MS + 7;
    expect(times(added)).toEqual([[MARKET_START, added]]);
    // Funding is settled at 16:00.
    await advance(5 * HOUR_MS);
    const funded = MARKET_START + 4 * HOUR_MS;
    expect(times(added + 5 * HOUR_MS)).toEqual([[MARKET_START, funded]]);
    const { quantity = 0n } = account?.futures(added + 5 * HOUR_MS).accounts[0]?.positions[0] ?? {};
    await test.call('futures.order', { ...SELL, volume: String(quantity / 10n ** 18n) });

    const ended = added + 5 * HOUR_MS;
    expect(times(ended)).toEqual([]);
    expect(account?.profits(FUTURES_ID, ended)).toMatchObject([
      { createdTime: MARKET_START, updatedTime: ended },
    ]);
  });
});
