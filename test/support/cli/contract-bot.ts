import { alterBot, liveBot, type LiveBotOptions } from './live-processes.js';

const PAIR = '  - { product: spot, symbol: BTCUSDT, intervals: [1min] }';
const PAIR_RULES = '    BTCUSDT: { pricePrecision: 2, quantityPrecision: 5, minOrderMoney: "5" }';
const CONTRACT_RULES =
  '    E-BTC-USDT: { pricePrecision: 2, quantityPrecision: 0, minOrderQuantity: "1", minOrderMoney: "1", maxLimitQuantity: "5000000", maxMarketQuantity: "5000000", maxMarketMoney: "10000000", maxWorkingOrders: 200 }';

/** Like {@link liveBot}, for a bot that trades a contract on isolated margin. */
export async function contractBot({
  leverage = 5,
  more = 'live: { unverified: accept }\n',
  ...options
}: LiveBotOptions & { /** @defaultValue 5 */ readonly leverage?: number }): ReturnType<
  typeof liveBot
> {
  const made = await liveBot({ ...options, more });
  await alterBot(made.folder, {
    [PAIR]: `  - { product: futures, symbol: E-BTC-USDT, intervals: [1min], leverage: ${String(leverage)}, marginMode: isolated, multiplier: "0.001" }`,
    [PAIR_RULES]: CONTRACT_RULES,
    'venue: { spotUrl': 'venue: { futuresUrl',
  });
  return made;
}
