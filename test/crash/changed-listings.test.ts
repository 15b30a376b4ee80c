import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { present } from '../../src/domain/index.js';
import type { BotStatus } from '../../src/live/index.js';
import { HOLDER_SOURCE } from '../support/cli/holder-plugin.js';
import {
  alterBot,
  evenkeel,
  killLiveProcesses,
  liveBot,
  plantFault,
  startLive,
  statusOf,
} from '../support/cli/live-processes.js';
import type { ExchangeProcess } from '../support/local-exchange/exchange-process.js';
import { fallenTicker } from '../support/local-exchange/fallen-ticker.js';
import { MeddlingProxy, type Meddling } from '../support/local-exchange/meddling-proxy.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const PATIENT = { timeout: 120_000, interval: 100 };
const LIVE = ['live', 'bot.yaml', '--yes', '--accept-findings'];

/** Holds two pairs with a stop each. */
const TWO_PAIRS = `import { enterLong, Strategy } from 'evenkeel';
import { map, merge } from 'rxjs';
export class TwoPairs extends Strategy({}) {
  warmup = 1;
  intents(market) {
    const hold = (instrument) => enterLong({ notional: '1000' }, { instrument, protection: { stopLoss: { ratio: '0.2' } } });
    return merge(...['BTCUSDT', 'ETHUSDT'].map((pair) => market.ticker$(pair).pipe(map(() => hold(pair)))));
  }
}
`;
const EXCHANGE = `market:
  synthetic:
    seed: 7
    pairs:
      BTCUSDT: { price: '60000', volatility: '0.6', dailyVolume: '20000' }
      ETHUSDT: { price: '3000', volatility: '0.6', dailyVolume: '400000' }
accounts:
  - name: two
    balances: { spot: { USDT: '100000' } }
`;

let proxy: MeddlingProxy | undefined;
afterEach(async () => {
  await killLiveProcesses();
  await proxy?.stop();
});

/** Starts the proxy before the venue. */
async function between(url: string): Promise<string> {
  proxy = await MeddlingProxy.start(url);
  return proxy.url;
}

/** A bot that holds a position with a stop. The quantity has five decimals. */
async function aHolder() {
  const { folder, env, exchange } = await liveBot({ plugin: HOLDER_SOURCE, through: between });
  const live = await startLive(folder, env);
  await expect
    .poll(() => statusOf(folder), PATIENT)
    .toMatchObject({ state: 'running', guards: [{}], guardedBy: { standby: 'ready' } });
  const [held] = present(await statusOf(folder), 'status').positions;
  expect(held?.quantity).toMatch(/^0\.0\d{3,}[1-9]/);
  return { folder, env, exchange, live };
}

/** From now on quantities have three decimals. */
function coarsen(exchange: ExchangeProcess): Promise<unknown> {
  const fault = { fault: 'precision', instrument: 'spot:BTCUSDT', quantityPrecision: 3 };
  return plantFault(exchange, fault);
}

/** The held quantity of a pair, 0 without a position. */
function heldOf({ positions }: BotStatus, symbol: string): number {
  const found = positions.find(({ instrumentId }) => instrumentId.includes(symbol));
  return Number(found?.quantity ?? '0');
}

async function reasonsOf(folder: string): Promise<string> {
  return (await statusOf(folder))?.reasons.join('\n') ?? '';
}

describe('instrument rules that change while a position is held', { timeout: 300_000 }, () => {
  it('a restarted bot guards the position, exits by the new rules, and enters only after a resume', async () => {
    const { folder, env, exchange, live } = await aHolder();
    live.child.kill('SIGTERM');
    expect(await live.ended).toBe(0);
    await coarsen(exchange);

    const again = evenkeel(LIVE, folder, env);
    await expect.poll(() => reasonsOf(folder), PATIENT).toMatch(/quantityPrecision/);
    await expect.poll(() => statusOf(folder), PATIENT).toMatchObject({ guards: [{}] });
    expect((await statusOf(folder))?.state).not.toBe('running');
    expect(await evenkeel(['flatten', 'bot.yaml'], folder).ended).toBe(0);
    const left = async (): Promise<number> =>
      heldOf(present(await statusOf(folder), 'status'), 'BTCUSDT');
    await expect.poll(left, PATIENT).toBeLessThan(0.001);
    expect(again.written.stdout).not.toContain('-1111');

    expect(await evenkeel(['resume', 'bot.yaml'], folder).ended).toBe(0);
    await expect.poll(() => statusOf(folder), PATIENT).toMatchObject({ state: 'running' });
    await expect.poll(left, PATIENT).toBeGreaterThan(0.001);
  });

  it('the guard process of a killed bot executes the stop by the new rules', async () => {
    const { folder, env, exchange, live } = await aHolder();
    const ticker = await fallenTicker(present(proxy, 'proxy'));
    await coarsen(exchange);
    live.child.kill('SIGKILL');
    await expect
      .poll(() => statusOf(folder), PATIENT)
      .toMatchObject({ guardedBy: { process: 'guard' }, guards: [{}] });

    present(proxy, 'proxy').meddle = (target) =>
      target.startsWith('/sapi/v1/ticker') ? ticker : undefined;

    // Without a position to guard, the guard process ends. Only then are the outputs of its bot closed.
    await live.ended;
    expect(live.written.stdout).toMatch(
      /"kind":"fill".*"side":"sell","action":"close".*"quantity":"0\.0\d{2}"/,
    );
    expect(live.written.stdout).not.toContain('-1111');
    // Nothing is held, so the next start is refused until its owner has updated the rules and tested again.
    const again = evenkeel(LIVE, folder, env);
    expect(await again.ended).toBe(2);
    expect(again.written.stderr).toMatch(/quantityPrecision 5, has 3.*E_CONFIG_RULES/);
  });
});

describe('a pair that is not tradable when its bot starts', { timeout: 300_000 }, () => {
  it('is guarded; its refused exits are reported and retried at growing intervals until it is tradable', async () => {
    const { folder, env, exchange, live } = await aHolder();
    const middle = present(proxy, 'proxy');
    const fallen = await fallenTicker(middle);
    live.child.kill('SIGTERM');
    expect(await live.ended).toBe(0);
    const end = await plantFault(exchange, { fault: 'untradable', instrument: 'spot:BTCUSDT' });

    const from = middle.calls.length;
    const sent = (): number =>
      middle.calls.slice(from).filter(({ path: target }) => target === '/sapi/v1/order').length;
    evenkeel(LIVE, folder, env);
    await expect
      .poll(() => statusOf(folder), PATIENT)
      .toMatchObject({ guards: [{}], guardedBy: { process: 'bot', standby: 'ready' } });
    expect(sent()).toBe(0);

    // The list of pairs does not show the fault. The stop fires again and again, at growing intervals.
    middle.meddle = (target) => (target.startsWith('/sapi/v1/ticker') ? fallen : undefined);
    await expect.poll(() => reasonsOf(folder), PATIENT).toMatch(/refuses its orders \(-1146/);
    expect((await statusOf(folder))?.state).toBe('degraded');
    await new Promise((resolve) => setTimeout(resolve, 8_000));
    expect(sent()).toBeLessThanOrEqual(5);
    expect((await statusOf(folder))?.positions).toHaveLength(1);
    await end();
    const left = async (): Promise<number> =>
      heldOf(present(await statusOf(folder), 'status'), 'BTCUSDT');
    await expect.poll(left, PATIENT).toBeLessThan(0.001);
  });
});

describe('a pair that the venue no longer lists', { timeout: 300_000 }, () => {
  it('is reported while its position is held, and does not block the stop of another pair', async () => {
    const { folder, live, held, pause } = await aHolderOfTwo();
    const middle = present(proxy, 'proxy');
    const fallen = await fallenTicker(middle);
    const isGone = await without(middle, 'ETHUSDT');
    const before = await held('ETHUSDT');
    middle.meddle = isGone;

    await expect.poll(() => reasonsOf(folder), { timeout: 10_000, interval: 100 }).toMatch(/ETH/);
    // A pause, so that the bot does not buy again after the sale.
    await pause();
    middle.meddle = (target, isSigned) => fallenBtc(target, fallen) ?? isGone(target, isSigned);
    await expect.poll(() => held('BTCUSDT'), PATIENT).toBeLessThan(0.001);
    expect(await held('ETHUSDT')).toBe(before);
    live.child.kill('SIGTERM');
    expect(await live.ended).toBe(0);
  });

  it('is left out after a kill and a restart while the other pair trades, and is taken back once it is listed', async () => {
    const { folder, env, live, held, pause } = await aHolderOfTwo();
    const middle = present(proxy, 'proxy');
    const fallen = await fallenTicker(middle);
    const isGone = await without(middle, 'ETHUSDT');
    const before = await held('ETHUSDT');
    middle.meddle = isGone;
    await expect
      .poll(() => reasonsOf(folder), PATIENT)
      .toMatch(/ETHUSDT: the venue lists it no more/);
    live.child.kill('SIGKILL');
    await expect
      .poll(() => statusOf(folder), PATIENT)
      .toMatchObject({ guardedBy: { process: 'guard' }, guards: [{}, {}] });

    const again = evenkeel(LIVE, folder, env);
    await expect
      .poll(() => statusOf(folder), PATIENT)
      .toMatchObject({ guardedBy: { process: 'bot', standby: 'ready' }, guards: [{}, {}] });
    await expect
      .poll(() => reasonsOf(folder), PATIENT)
      .toMatch(/^spot:ETHUSDT: the venue lists it no more, [^\n]*; held by the journal: long \S+$/);
    await pause();
    middle.meddle = (target, isSigned) => fallenBtc(target, fallen) ?? isGone(target, isSigned);
    await expect.poll(() => held('BTCUSDT'), PATIENT).toBeLessThan(0.001);
    middle.meddle = isGone;
    expect(await evenkeel(['resume', 'bot.yaml'], folder).ended).toBe(0);
    await expect.poll(() => held('BTCUSDT'), PATIENT).toBeGreaterThan(0.001);
    expect(await held('ETHUSDT')).toBe(before);

    middle.meddle = () => undefined;
    await expect
      .poll(() => statusOf(folder), PATIENT)
      .toMatchObject({ state: 'running', reasons: [], guards: [{}, {}] });
    expect(await held('ETHUSDT')).toBe(before);
    again.child.kill('SIGTERM');
    expect(await again.ended).toBe(0);
  });
});

/** A bot that holds two pairs, each with a stop. */
async function aHolderOfTwo() {
  const file = path.join(await temporaryFolder(), 'exchange.yaml');
  await writeFile(file, EXCHANGE);
  const { folder, env } = await liveBot({ plugin: TWO_PAIRS, exchange: [file], through: between });
  const pair = '  - { product: spot, symbol: BTCUSDT, intervals: [1min] }\n';
  const rules = '    BTCUSDT: { pricePrecision: 2, quantityPrecision: 5, minOrderMoney: "5" }\n';
  await alterBot(folder, {
    [pair]: `${pair}${pair.replace('BTC', 'ETH')}`,
    [rules]: `${rules}${rules.replace('BTC', 'ETH')}`,
  });
  const live = await startLive(folder, env);
  await expect
    .poll(() => statusOf(folder), PATIENT)
    .toMatchObject({
      state: 'running',
      guards: [{}, {}],
      guardedBy: { standby: 'ready' },
    });
  const held = async (symbol: string): Promise<number> =>
    heldOf(present(await statusOf(folder), 'status'), symbol);
  const pause = async (): Promise<void> => {
    expect(await evenkeel(['pause', 'bot.yaml'], folder).ended).toBe(0);
  };
  return { folder, env, live, held, pause };
}

function fallenBtc(target: string, fallen: Meddling): Meddling | undefined {
  return target.startsWith('/sapi/v1/ticker') && target.includes('BTC') ? fallen : undefined;
}

/** The answers of a venue that no longer has the pair. */
async function without({ url }: MeddlingProxy, symbol: string): Promise<MeddlingProxy['meddle']> {
  const listed = (await (await fetch(`${url}/sapi/v1/symbols`)).json()) as
    | readonly { readonly symbol: string }[]
    | { readonly symbols: readonly { readonly symbol: string }[] };
  const isOther = (one: { readonly symbol: string }): boolean =>
    one.symbol.toUpperCase() !== symbol;
  const left =
    'symbols' in listed ? { symbols: listed.symbols.filter(isOther) } : listed.filter(isOther);
  const unknown = { status: 200, body: '{"code":"-1121","msg":"Invalid symbol"}' };
  return (target) => {
    if (target.startsWith('/sapi/v1/symbols')) return { status: 200, body: JSON.stringify(left) };
    return target.toUpperCase().includes(symbol) ? unknown : undefined;
  };
}
