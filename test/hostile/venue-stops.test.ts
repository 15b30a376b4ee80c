import { afterEach, describe, expect, it } from 'vitest';
import { present } from '../../src/domain/index.js';
import type { BotStatus } from '../../src/live/index.js';
import {
  alterBot,
  evenkeel,
  guardOf,
  killLiveProcesses,
  liveBot,
  statusOf,
  type Running,
} from '../support/cli/live-processes.js';
import type { ExchangeProcess } from '../support/local-exchange/exchange-process.js';
import { MeddlingProxy } from '../support/local-exchange/meddling-proxy.js';
import { PlainClient } from '../support/local-exchange/plain-client.js';

const SPOT = '  - { product: spot, symbol: BTCUSDT, intervals: [1min] }';
const FUTURES =
  '  - { product: futures, symbol: E-BTC-USDT, intervals: [1min], leverage: 5, marginMode: isolated, multiplier: "0.001" }';
const RULES = '    BTCUSDT: { pricePrecision: 2, quantityPrecision: 5, minOrderMoney: "5" }';
const CONTRACT_RULES =
  '    E-BTC-USDT: { pricePrecision: 2, quantityPrecision: 0, minOrderQuantity: "1", minOrderMoney: "1", maxLimitQuantity: "5000000", maxMarketQuantity: "5000000", maxMarketMoney: "10000000", maxWorkingOrders: 200 }';

/** Holds a contract with a stop far away. */
const HOLDER = `import { enterLong, Strategy } from 'evenkeel';
import { map } from 'rxjs';
export class Holder extends Strategy({}) {
  warmup = 1;
  intents(market) {
    return market.ticker$().pipe(map(() => enterLong({ notional: '1000' }, { protection: { stopLoss: { ratio: '0.1' } } })));
  }
}
`;
const PATIENT = { timeout: 120_000, interval: 100 };
/** For calls with the key of the bot, which has one call a second: asked more often, they take the calls that the bot needs. */
const SELDOM = { timeout: 60_000, interval: 3_000 };
const LIVE = ['live', 'bot.yaml', '--yes', '--accept-findings'];

let proxy: MeddlingProxy | undefined;
afterEach(async () => {
  await killLiveProcesses();
  await proxy?.stop();
});

type VenueStops = 'family' | 'disaster';

/** For both kinds: `EVENKEEL_VENUE_STOPS=family,disaster`. They differ only in whether the trigger can be canceled. */
const KINDS = (process.env['EVENKEEL_VENUE_STOPS'] ?? 'family').split(',') as VenueStops[];

async function aBot(venueStops: VenueStops) {
  const { folder, env, exchange } = await liveBot({
    plugin: HOLDER,
    more: `live: { unverified: accept, venueStops: ${venueStops} }\n`,
    exchange: ['--synthetic', '7', '--profile', 'family'],
    through: async (url) => (proxy = await MeddlingProxy.start(url)).url,
  });
  const between = present(proxy, 'proxy');
  await alterBot(folder, {
    [SPOT]: FUTURES,
    [RULES]: CONTRACT_RULES,
    'venue: { spotUrl': 'venue: { futuresUrl',
  });
  return { folder, env, exchange, between };
}

async function kill({ child, exited }: Running): Promise<void> {
  child.kill('SIGKILL');
  await exited;
}

/** The number of calls with this path. */
function callsOf({ calls }: MeddlingProxy, path: string): number {
  return calls.filter((call) => call.path.startsWith(`/fapi/v1/${path}`)).length;
}

/** Triggers that rest at the venue, read by another client with the key. */
async function standing(exchange: ExchangeProcess): Promise<readonly unknown[]> {
  const client = new PlainClient(exchange.url, exchange);
  const { json } = await client.send('GET', '/fapi/v1/trigger_order_list?contractName=E-BTC-USDT');
  return (json as { readonly list: readonly unknown[] }).list;
}

/** Waits until the bot guards its position itself. Its strategy need not have received a candle since then. */
async function untilGuarded(folder: string): Promise<BotStatus> {
  await expect
    .poll(() => statusOf(folder), PATIENT)
    .toMatchObject({
      guards: [{}],
      triggers: [{}],
      guardedBy: { process: 'bot', standby: 'ready' },
    });
  return present(await statusOf(folder), 'status');
}

describe('a stop at the venue', { timeout: 400_000 }, () => {
  it.each(KINDS)(
    '%s: is placed once, however often the processes are killed, and found again',
    async (venueStops) => {
      const { folder, env, exchange, between } = await aBot(venueStops);
      // The bot dies with the trigger on its way, before the answer.
      const first = evenkeel(LIVE, folder, env);
      await expect
        .poll(() => callsOf(between, 'conditionOrder'), { timeout: 60_000, interval: 5 })
        .toBe(1);
      await kill(first);
      // The trigger rests at the venue. First the guard process continues, then no process is left.
      for (const alone of [false, true]) {
        const live = evenkeel(LIVE, folder, env);
        await untilGuarded(folder);
        if (alone) process.kill(await guardOf(live), 'SIGKILL');
        await kill(live);
        if (!alone)
          await expect
            .poll(() => statusOf(folder), PATIENT)
            .toMatchObject({ guardedBy: { process: 'guard' }, triggers: [{}] });
      }
      evenkeel(LIVE, folder, env);
      const { triggers } = await untilGuarded(folder);
      const found = await standing(exchange);
      await expect.poll(() => statusOf(folder), PATIENT).toMatchObject({ state: 'running' });

      expect(callsOf(between, 'conditionOrder')).toBe(1);
      expect(found).toHaveLength(1);
      expect(triggers[0]).toMatchObject({ isOrphan: false });

      // A trigger that outlives its position would close the next one. It is canceled if the venue allows that, otherwise shown as an orphan.
      expect(await evenkeel(['flatten', 'bot.yaml'], folder).ended).toBe(0);
      await expect.poll(() => statusOf(folder), PATIENT).toMatchObject({ positions: [] });
      await expect
        .poll(() => standing(exchange), SELDOM)
        .toHaveLength(venueStops === 'family' ? 0 : 1);
      await expect
        .poll(() => statusOf(folder), PATIENT)
        .toMatchObject({
          triggers: [{ isOrphan: true, ...(venueStops === 'family' && { state: 'canceled' }) }],
        });
      expect(callsOf(between, 'cancel_trigger_order')).toBe(venueStops === 'family' ? 1 : 0);
    },
  );
});
