import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { present } from '../../src/domain/index.js';
import {
  alterBot,
  evenkeel,
  JOURNAL,
  killLiveProcesses,
  liveBot,
  startLive,
  statusOf,
  type Running,
} from '../support/cli/live-processes.js';
import { residentBytes } from '../support/local-exchange/exchange-process.js';
import { FaultServer, json } from '../support/fault-server.js';
import { hostileAnswers } from '../support/hostile-answers.js';
import { MeddlingProxy } from '../support/local-exchange/meddling-proxy.js';

/** Holds a pair and a contract with a stop each, and moves a bid far below the market on each. */
const TWO_PRODUCTS = `import { cancel, enterLong, Strategy } from 'evenkeel';
import { map, merge } from 'rxjs';
export class TwoProducts extends Strategy({}) {
  warmup = 1;
  intents(market) {
    let count = 0;
    const hold = (instrument) => market.ticker$(instrument).pipe(map(({ last }) => {
      count += 1;
      if (count % 8 === 3) return enterLong({ notional: '100' }, { instrument, add: true, limitPrice: (0.5 * last).toFixed(2), label: 'bid' });
      if (count % 8 === 7) return cancel({ label: 'bid' });
      return enterLong({ notional: '1000' }, { instrument, protection: { stopLoss: { ratio: '0.1' } } });
    }));
    return merge(hold('BTCUSDT'), hold('E-BTC-USDT'));
  }
}
`;
const SPOT = '  - { product: spot, symbol: BTCUSDT, intervals: [1min] }\n';
const FUTURES =
  '  - { product: futures, symbol: E-BTC-USDT, intervals: [1min], leverage: 5, marginMode: isolated, multiplier: "0.001" }\n';
const RULES = '    BTCUSDT: { pricePrecision: 2, quantityPrecision: 5, minOrderMoney: "5" }\n';
const CONTRACT_RULES =
  '    E-BTC-USDT: { pricePrecision: 2, quantityPrecision: 0, minOrderQuantity: "1", minOrderMoney: "1", maxLimitQuantity: "5000000", maxMarketQuantity: "5000000", maxMarketMoney: "10000000", maxWorkingOrders: 200 }\n';

/** One of this many kinds of answers is tried. 1: all kinds, which takes a quarter of an hour. */
const EACH = Number(process.env['EVENKEEL_HOSTILE_EACH'] ?? 8);
/** Three polls, one per second. */
const POLLS_MS = 3_000;
/** Maximum age of the price that samples stops, while the venue answers honestly: 5 s, and 1 s for a busy machine. */
const SAMPLED_MS = 6_000;
const MEMORY_MB = 300;
const PRICES = /\/(ticker|premiumIndex)/;

let stop: (() => Promise<void>)[] = [];
afterEach(async () => {
  await killLiveProcesses();
  await Promise.all(stop.map((one) => one()));
  stop = [];
});

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function aBot() {
  const elsewhere = await FaultServer.start(json('{}'));
  let between: MeddlingProxy | undefined;
  const { folder, env, exchange } = await liveBot({
    plugin: TWO_PRODUCTS,
    more: 'live: { unverified: accept }\n',
    through: async (url) => (between = await MeddlingProxy.start(url)).url,
  });
  const proxy = present(between, 'proxy');
  stop = [() => elsewhere.stop(), () => proxy.stop()];
  await alterBot(folder, {
    [SPOT]: SPOT + FUTURES,
    [RULES]: RULES + CONTRACT_RULES,
    'balances: { USDT: "10000" }': 'balances: { "spot:USDT": "10000", "futures:USDT": "10000" }',
    'venue: {': `venue: { futuresUrl: "${proxy.url}",`,
  });
  const live = await startLive(folder, env);
  await expect
    .poll(() => statusOf(folder), { timeout: 60_000, interval: 100 })
    .toMatchObject({ state: 'running', guards: [{}, {}], guardedBy: { standby: 'ready' } });
  const areSampled = async (): Promise<boolean> =>
    present(await statusOf(folder), 'status').sampled.every(({ at }) => at !== undefined);
  await expect.poll(areSampled, { timeout: 20_000, interval: 100 }).toBe(true);
  return { folder, env, exchange, proxy, elsewhere, live };
}

/** Time of the last honest price answer of each product. Times without honest answers do not count. */
class HonestPrices {
  #at: [spot: number, futures: number] = [Date.now(), Date.now()];

  /** Starts counting when prices become honest again. */
  restart(): void {
    this.#at = [Date.now(), Date.now()];
  }

  answered(target: string): void {
    this.#at[target.startsWith('/fapi') ? 1 : 0] = Date.now();
  }

  get ageMs(): number {
    return Date.now() - Math.min(...this.#at);
  }
}

/** All output of the bot that others can read. */
async function shownBy(folder: string, live: Running): Promise<string> {
  const files = await readdir(folder);
  const journals = files.filter((name) => name.startsWith(JOURNAL) && !name.endsWith('.sock'));
  const texts = await Promise.all(
    journals.map((name) => readFile(path.join(folder, name), 'latin1')),
  );
  const status = JSON.stringify(await statusOf(folder));
  return [live.written.stdout, live.written.stderr, status, ...texts].join('\n');
}

function formsOf(text: string): readonly string[] {
  const base64 = Buffer.from(text).toString('base64');
  return [text, encodeURIComponent(text), base64.slice(0, 40), Buffer.from(text).toString('hex')];
}

// Only on Linux can the test find the guard process, which it must end, and read the memory of a process.
describe.runIf(process.platform === 'linux')('a live bot with hostile answers of the venue', () => {
  it('keeps sampling its stops, reveals no key, and keeps running', async () => {
    const { folder, env, exchange, proxy, elsewhere, live } = await aBot();
    const all = hostileAnswers({
      key: exchange.key,
      secret: exchange.secret,
      elsewhere: elsewhere.url,
    });
    // A limit or a ban stops all calls. Other tests cover them.
    const kinds = Object.entries(all)
      .filter(([, { isRest = false }]) => !isRest)
      .filter((_kind, index) => index % EACH === 0);
    const before = present(await residentBytes(live), 'memory');
    const prices = new HonestPrices();
    let [most, oldest] = [before, 0];
    const wrong: string[] = [];
    const watch = async (name: string, ms: number): Promise<void> => {
      const from = Date.now();
      let longest = 0;
      while (Date.now() - from < ms) {
        await wait(100);
        longest = Math.max(longest, prices.ageMs);
        most = Math.max(most, (await residentBytes(live)) ?? 0);
      }
      if (process.env['EVENKEEL_VERBOSE'] === '1') console.log(`${name}: ${String(longest)} ms`);
      if (longest > SAMPLED_MS) wrong.push(`${name}: no price for ${String(longest)} ms`);
      oldest = Math.max(oldest, longest);
    };
    for (const [name, { reply }] of kinds) {
      proxy.meddle = (target) => {
        if (!PRICES.test(target)) return reply;
        prices.answered(target);
        return undefined;
      };
      await watch(name, POLLS_MS);

      proxy.meddle = (target) => (PRICES.test(target) ? reply : undefined);
      await wait(POLLS_MS);
      prices.restart();
      proxy.meddle = (target) => {
        if (PRICES.test(target)) prices.answered(target);
        return undefined;
      };
      await watch(`after ${name} for a price`, SAMPLED_MS / 2);
    }

    await wait(POLLS_MS);
    // An order with a false id stays unknown, so it counts as foreign, and the reasons say so.
    const { state, reasons } = present(await statusOf(folder), 'status');
    expect(['running', 'degraded']).toContain(state);
    expect(reasons.length > 0).toBe(state === 'degraded');
    const shown = await shownBy(folder, live);
    live.child.kill('SIGTERM');
    expect(await live.ended).toBe(0);
    console.log(
      `${String(kinds.length)} kinds of answers: ${String(oldest)} ms at most from one price to the next, or to the first after hostile ones; ${((most - before) / 1_048_576).toFixed(0)} MB more at most`,
    );
    expect(wrong).toEqual([]);
    const told = [exchange.key, exchange.secret].flatMap(formsOf).filter((f) => shown.includes(f));
    expect(told).toEqual([]);
    expect(elsewhere.connections).toBe(0);
    expect((most - before) / 1_048_576).toBeLessThan(MEMORY_MB);
    expect(live.written.stderr).not.toContain('has failed');
    expect(await evenkeel(['replay', JOURNAL, '--config', 'bot.yaml'], folder, env).ended).toBe(0);
  }, 1_800_000);
});
