import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { present } from '../../src/domain/index.js';
import type { BotStatus } from '../../src/live/index.js';
import { botFolder } from '../support/cli/bot-folder.js';
import { evenkeel, guardOf, killLiveProcesses, statusOf } from '../support/cli/live-processes.js';
import {
  startExchangeProcess,
  type ExchangeProcess,
} from '../support/local-exchange/exchange-process.js';
import { MeddlingProxy } from '../support/local-exchange/meddling-proxy.js';
import { mostInAnyWindow } from '../support/windows.js';

/** Contracts of three bots on one key, 20 in total. The first two of each bot are near their stops. */
const BOTS = {
  first: range(0, 7),
  second: range(7, 7),
  third: range(14, 6),
} as const;
type Name = keyof typeof BOTS;
const NAMES = Object.keys(BOTS) as readonly Name[];
const ALL = NAMES.flatMap((name) => BOTS[name]);

/** A key has two calls per second for contracts. */
const WINDOW = { calls: 2, ms: 1_000 } as const;
/** Time between two calls for stops, with 20 contracts (docs/feed.md). */
const CALL_MS = 3_000;
/** On their way through the proxy, two calls may come nearer to each other by this time. */
const TRAVEL_MS = 100;
/** The guard process first waits for one window of the limits and reads the venue. */
const GUARDED_AFTER_MS = 8_000;
/** Length of the watched periods without changes: one of the bots, one of the guard. */
const STEADY_MS = 20_000;
const ENTERED = { timeout: 400_000, interval: 500 };
/** After the takeover, the guard samples every stop within this time plus one interval. One answer shows all positions. */
const OVER_MS = 5_000;
const GUARDED = { timeout: 30_000, interval: 250 };
/** Orders and executions are read at the same time, at one call per second for all contracts. */
const READ = { timeout: 180_000, interval: 500 };

/** Holds each of its contracts with a stop, the first two near it. */
const PLUGIN = `import { enterLong, Strategy } from 'evenkeel';
import { from, interval, mergeMap } from 'rxjs';
export class HoldsAll extends Strategy({}) {
  warmup = 1;
  intents() {
    const names = this.instruments.map(({ instrumentId }) => instrumentId);
    const entryOf = (instrument, place) => enterLong({ notional: '200' }, {
      instrument,
      protection: { stopLoss: { ratio: place < 2 ? '0.009' : '0.15' } },
    });
    // Those that have been entered change nothing.
    return interval(5000).pipe(mergeMap(() => from(names.map(entryOf))));
  }
}
`;

function range(from: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => from + index);
}

const contractOf = (number: number): string => `E-C${String(number)}-USDT`;
const journalOf = (name: Name): string => `${name}.journal`;

function exchangeYaml(): string {
  const pairs = ALL.map(
    (number) =>
      `      C${String(number)}USDT: { price: '100', volatility: '0.5', dailyVolume: '1000000' }`,
  );
  const contracts = ALL.map((number) => `    ${contractOf(number)}: { multiplier: '0.01' }`);
  return [
    'market:',
    '  synthetic:',
    '    seed: 11',
    '    pairs:',
    ...pairs,
    '  contracts:',
    ...contracts,
    'accounts:',
    "  - { name: shared, balances: { futures: { USDT: '1000000' } } }",
    '',
  ].join('\n');
}

function botYamlOf(name: Name, url: string): string {
  const instruments = BOTS[name].map(
    (number) =>
      `  - { product: futures, symbol: ${contractOf(number)}, intervals: [1min], multiplier: "0.01", leverage: 5, marginMode: isolated }`,
  );
  const rules = BOTS[name].map(
    (number) =>
      `    ${contractOf(number)}: { pricePrecision: 2, quantityPrecision: 0, minOrderQuantity: "1", minOrderMoney: "1", maxLimitQuantity: "5000000", maxMarketQuantity: "5000000", maxMarketMoney: "10000000", maxWorkingOrders: 50 }`,
  );
  return `name: ${name}
strategy: { path: sma.strategy.ts }
instruments:
${instruments.join('\n')}
venue: { futuresUrl: "${url}", keyEnv: TEST_KEY, secretEnv: TEST_SECRET }
live: { unverified: accept, externalOrders: ignore, staleAfterMs: 120000 }
simulation:
  archive: data
  balances: { "futures:USDT": "100000" }
  fees: { maker: "0.001", taker: "0.001" }
  rules:
${rules.join('\n')}
`;
}

let proxy: MeddlingProxy | undefined;
afterEach(async () => {
  await killLiveProcesses();
  await proxy?.stop();
});

async function startBots() {
  const folder = await botFolder({ plugin: PLUGIN, candles: 'none' });
  await writeFile(path.join(folder, 'exchange.yaml'), exchangeYaml());
  const exchange = await startExchangeProcess([path.join(folder, 'exchange.yaml')], '/');
  proxy = await MeddlingProxy.start(exchange.url);
  const { url } = proxy;
  await Promise.all(
    NAMES.map((name) => writeFile(path.join(folder, `${name}.yaml`), botYamlOf(name, url))),
  );
  const shared = path.join(folder, 'shared');
  await mkdir(shared, { mode: 0o700 });
  const env = {
    TEST_KEY: exchange.key,
    TEST_SECRET: exchange.secret,
    XDG_CACHE_HOME: path.join(folder, 'cache'),
    XDG_RUNTIME_DIR: shared,
    TMPDIR: shared,
  };
  const files = NAMES.map((name) => `${name}.yaml`);
  const live = evenkeel(['live', ...files, '--yes', '--accept-findings'], folder, env);
  return { folder, exchange, live, calls: proxy.calls };
}

async function statusesOf(folder: string): Promise<readonly BotStatus[]> {
  const all = await Promise.all(
    NAMES.map((name) => statusOf(folder, { journal: journalOf(name) })),
  );
  return all.filter((status) => status !== undefined);
}

/** The number of calls that the exchange refused because of its limits. */
async function limitedBy({ url, controlToken }: ExchangeProcess): Promise<number> {
  const headers = { authorization: `Bearer ${controlToken}` };
  const state = (await (await fetch(`${url}/control/state`, { headers })).json()) as {
    readonly counters: { readonly limited: number };
  };
  return state.counters.limited;
}

/** The values that the status showed for a contract during a period. */
interface Printed {
  /** The longest interval. */
  readonly everyMs: number;
  /** Whether it was always sampled by last, because it is near its stop. Otherwise by the mark of the account answer. */
  readonly isByLast: boolean;
}

interface Watched {
  readonly from: number;
  readonly to: number;
  readonly printed: ReadonlyMap<string, Printed>;
  /** Reasons about the sampling of stops. */
  readonly troubles: ReadonlySet<string>;
}

async function watchSteady(folder: string): Promise<Watched> {
  const printed = new Map<string, Printed>();
  const troubles = new Set<string>();
  const from = Date.now();
  while (Date.now() < from + STEADY_MS) {
    for (const { sampled, reasons } of await statusesOf(folder)) {
      for (const reason of reasons) if (reason.startsWith('stops')) troubles.add(reason);
      for (const { instrumentId, everyMs, by } of sampled) {
        const before = printed.get(instrumentId) ?? {
          everyMs: 0,
          isByLast: true,
        };
        printed.set(instrumentId, {
          everyMs: Math.max(before.everyMs, everyMs),
          isByLast: before.isByLast && by === 'last',
        });
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  return { from, to: Date.now(), printed, troubles };
}

/** Contracts whose price was not requested within the shown interval plus one call, with both times. */
function sampledLate(
  calls: MeddlingProxy['calls'],
  { from, to, printed }: Watched,
): readonly string[] {
  return ALL.map(contractOf).flatMap((contract) => {
    const { everyMs, isByLast } = present(printed.get(`futures:${contract}`), contract);
    const isSample = (target: string): boolean =>
      target === `/fapi/v1/ticker?contractName=${contract}` ||
      (!isByLast && target.startsWith('/fapi/v1/account'));
    const asked = calls.filter(
      ({ at, path: target }) => at >= from && at <= to && isSample(target),
    );
    const times = [from, ...asked.map(({ at }) => at), to];
    const most = Math.max(...times.slice(1).map((at, index) => at - (times[index] ?? at)));
    return most > everyMs + CALL_MS
      ? [`${contract}: ${String(most)} of ${String(everyMs)} ms`]
      : [];
  });
}

/** At the rate of the limits, 20 entries take minutes: `EVENKEEL_SHARED_BUDGET=1`. Only Linux lists the children of a process. */
const isWanted = process.env['EVENKEEL_SHARED_BUDGET'] === '1' && process.platform === 'linux';

describe.runIf(isWanted)('three bots and 20 contracts on one key', { timeout: 1_500_000 }, () => {
  it('stay within its limits and sample each stop on schedule, also after the guard process takes over', async () => {
    const { folder, exchange, live, calls } = await startBots();
    const held = async (): Promise<number> =>
      (await statusesOf(folder)).flatMap(({ guards }) => guards).length;
    const samples = async () => (await statusesOf(folder)).flatMap((status) => status.sampled);
    await expect.poll(held, ENTERED).toBe(ALL.length);
    await expect
      .poll(() => statusesOf(folder), READ)
      .toMatchObject(
        NAMES.map(() => ({
          state: 'running',
          guardedBy: { standby: 'ready' },
        })),
      );

    const whileAlive = await watchSteady(folder);
    expect(await guardOf(live)).toBeGreaterThan(0);
    live.child.kill('SIGKILL');
    await live.exited;
    const endedAt = Date.now();
    await expect
      .poll(() => statusesOf(folder), GUARDED)
      .toMatchObject(NAMES.map(() => ({ guardedBy: { process: 'guard' } })));
    const firsts = new Map<string, number>();
    const late: string[] = [];
    const sampledAgain = async (): Promise<number> => {
      for (const { instrumentId, at, everyMs } of await samples()) {
        if (at === undefined || at <= endedAt || firsts.has(instrumentId)) continue;
        firsts.set(instrumentId, at - endedAt);
        if (at - endedAt > OVER_MS + everyMs) late.push(`${instrumentId}: ${String(at - endedAt)}`);
      }
      return firsts.size;
    };
    await expect.poll(sampledAgain, GUARDED).toBe(ALL.length);
    console.log(`first sampled after ${[...firsts.values()].join(', ')} ms`);
    expect(late).toEqual([]);
    const whileGuarded = await watchSteady(folder);

    const isPrice = ({ path: target }: { readonly path: string }): boolean =>
      /\/(account|ticker)/.test(target);
    const first = present(
      calls.find((call) => call.at > endedAt && isPrice(call)),
      'a sample',
    );
    const most = mostInAnyWindow(calls, WINDOW.ms - TRAVEL_MS);
    console.log(
      `${String(calls.length)} calls, at most ${String(most)} in ${String(WINDOW.ms - TRAVEL_MS)} ms; first sample ${String(first.at - endedAt)} ms after the end of the bots`,
    );
    expect(await limitedBy(exchange)).toBe(0);
    expect(most).toBeLessThanOrEqual(WINDOW.calls);
    expect(first.at - endedAt).toBeLessThanOrEqual(GUARDED_AFTER_MS);
    expect(await held()).toBe(ALL.length);
    for (const watched of [whileAlive, whileGuarded]) {
      const kinds = [...watched.printed.values()].map(({ isByLast }) => isByLast);
      expect(new Set(kinds)).toEqual(new Set([true, false]));
      expect(sampledLate(calls, watched)).toEqual([]);
      expect(watched.troubles).toEqual(new Set());
    }
  });
});
