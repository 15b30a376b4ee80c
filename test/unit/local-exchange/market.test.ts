import { describe, expect, it } from 'vitest';
import { startTestExchange } from '../../support/local-exchange/test-exchange.js';

describe('try', () => {
  it('answers', async () => {
    const test = startTestExchange();
    for (const [id, request] of [
      ['spot.ticker', { symbol: 'BTCUSDT' }],
      ['spot.depth', { symbol: 'BTCUSDT', limit: 3 }],
      ['spot.trades', { symbol: 'BTCUSDT', limit: 3 }],
      ['spot.klines', { symbol: 'BTCUSDT', interval: '1day', limit: 3 }],
      ['futures.index', { contractName: 'E-BTC-USDT' }],
      ['futures.contracts', {}],
      ['spot.account', {}],
      ['spot.order', { symbol: 'BTCUSDT', volume: '0.1', side: 'BUY', type: 'LIMIT', price: '90000' }],
      ['spot.order', { symbol: 'BTCUSDT', volume: '0.1', side: 'BUY', type: 'LIMIT', price: '30000' }],
      ['spot.openOrders', { symbol: 'BTCUSDT' }],
      ['spot.myTrades', { symbol: 'BTCUSDT', fromId: '0' }],
    ] as const) {
      const answer = await test.call(id, request as never);
      console.log(id, answer.status, answer.text.slice(0, 300));
    }
    const state = await test.control('POST', '/advance', { byMs: 90_000 });
    console.log(state.text);
    expect(1).toBe(1);
  });
});
