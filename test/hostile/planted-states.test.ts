import { open, readFile, rename, rm, truncate } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { present } from '../../src/domain/index.js';
import type { BotStatus } from '../../src/live/index.js';
import { digitPlaces } from '../support/bit-flips.js';
import { contractBot } from '../support/cli/contract-bot.js';
import { HOLDER_SOURCE } from '../support/cli/holder-plugin.js';
import {
  guardOf,
  JOURNAL,
  killLiveProcesses,
  liveBot,
  startLive,
  statusOf,
} from '../support/cli/live-processes.js';
import type { ExchangeProcess } from '../support/local-exchange/exchange-process.js';
import { fallenTicker } from '../support/local-exchange/fallen-ticker.js';
import { MeddlingProxy } from '../support/local-exchange/meddling-proxy.js';

/** The status must show a problem and its reason within this time. */
const WITHIN = { timeout: 10_000, interval: 100 };

const proxies: MeddlingProxy[] = [];
afterEach(async () => {
  await killLiveProcesses();
  await Promise.all(proxies.splice(0).map((proxy) => proxy.stop()));
});

/** A proxy between a bot and its exchange. */
function aProxy() {
  let made: MeddlingProxy | undefined;
  const through = async (url: string): Promise<string> => {
    made = await MeddlingProxy.start(url);
    proxies.push(made);
    return made.url;
  };
  return { through, between: (): MeddlingProxy => present(made, 'proxy') };
}

/** A bot behind a proxy. It holds a position with a stop. */
async function aHolder() {
  const { through, between } = aProxy();
  const { folder, env, exchange } = await liveBot({ plugin: HOLDER_SOURCE, through });
  const live = await startLive(folder, env);
  await expect
    .poll(() => statusOf(folder), { timeout: 60_000, interval: 20 })
    .toMatchObject({ state: 'running', guards: [{}], guardedBy: { standby: 'ready' } });
  return { folder, live, exchange, between: between() };
}

/** Waits until the status gives the reason. Its state must not be `running`. */
async function untilTold(folder: string, reason: RegExp): Promise<BotStatus> {
  await expect
    .poll(async () => (await statusOf(folder))?.reasons.join('\n') ?? '', WITHIN)
    .toMatch(reason);
  const status = present(await statusOf(folder), 'status');
  expect(status.state).not.toBe('running');
  return status;
}

/** Waits until the bot has sent such a call. Before that, it cannot notice a missing answer. */
async function untilAsked({ calls }: MeddlingProxy, since: number, what: RegExp): Promise<void> {
  const asked = (): boolean => calls.slice(since).some(({ path: target }) => what.test(target));
  await expect.poll(asked, { timeout: 90_000, interval: 20 }).toBe(true);
}

/** A bot that holds a contract with a stop. The test can alter the account answers of its venue. */
async function aContractHolder() {
  const { through, between } = aProxy();
  const { folder, env, exchange } = await contractBot({
    plugin: HOLDER_SOURCE,
    // Nearer than the liquidation price.
    parameters: '{ stopBps: 1000 }',
    through,
  });
  await startLive(folder, env);
  await expect
    .poll(() => statusOf(folder), { timeout: 60_000, interval: 20 })
    .toMatchObject({ state: 'running', guards: [{}], guardedBy: { standby: 'ready' } });
  /** Alters answers about the account. Other answers pass. */
  const alter = (change: (text: string) => string): MeddlingProxy['meddle'] => {
    return (target) => {
      if (!target.startsWith('/fapi/v1/account')) return undefined;
      return ({ request: { headers }, response }) => {
        void fetch(new URL(target, exchange.url), { headers: headers as Record<string, string> })
          .then((answer) => answer.text())
          .then((text) => response.end(change(text)));
      };
    };
  };
  return { folder, between: between(), alter };
}

/** A ticker answer whose last price is far below every stop. */
async function fallenContract({ url }: MeddlingProxy): Promise<string> {
  const answer = await fetch(`${url}/fapi/v1/ticker?contractName=E-BTC-USDT`);
  const ticker = (await answer.json()) as Readonly<Record<string, unknown>>;
  return JSON.stringify({ ...ticker, last: String(Number(ticker['last']) / 2) });
}

describe('status within ten seconds of a fault', { timeout: 300_000 }, () => {
  it('reports a last price that is no longer answered', async () => {
    const { folder, between } = await aHolder();
    between.meddle = (target) => (target.startsWith('/sapi/v1/ticker') ? 'hang' : undefined);

    // This reason comes from the sampling of stops, and does not depend on the streams of the strategy.
    await untilTold(folder, /stops: the last price of spot:BTCUSDT has had no answer/);
  });

  it('reports a price stream with unreadable answers', async () => {
    const { folder, between } = await aHolder();
    between.meddle = (target) =>
      target.startsWith('/sapi/v1/ticker') ? { status: 502, body: '<html>' } : undefined;

    await untilTold(folder, /stops|ticker/);
  });

  // Each waits for the candle of the minute, so they run in parallel.
  it('reports candles that are unanswered, unreadable or refused', async () => {
    const ways = [
      'hang',
      { status: 200, body: '<html>' },
      { status: 503, body: '{"code":"-1016","msg":"maintenance"}' },
    ] as const;

    const told = ways.map(async (answer) => {
      const { folder, between } = await aHolder();
      const since = between.calls.length;
      between.meddle = (target) => (target.startsWith('/sapi/v1/klines') ? answer : undefined);

      await untilAsked(between, since, /klines/);
      await untilTold(folder, /spot:BTCUSDT 1min|has not answered spot\.klines of BTCUSDT since/);
    });
    await Promise.all(told);
  });

  it('reports the account or the last price of a contract that is no longer answered', async () => {
    const told = ['/fapi/v1/account', '/fapi/v1/ticker'].map(async (dead) => {
      const { folder, between } = await aContractHolder();
      const since = between.calls.length;
      between.meddle = (target) => (target.startsWith(dead) ? 'hang' : undefined);

      await untilAsked(between, since, new RegExp(dead));
      await untilTold(folder, /stops|account/);
    });
    await Promise.all(told);
  });

  it.each(['gone', 'another file'])('reports a journal that is %s', async (what) => {
    const { folder } = await aHolder();
    const file = path.join(folder, JOURNAL);
    await rename(file, `${file}.moved`);
    if (what === 'another file') await rename(`${file}.keys`, file).catch(() => undefined);

    await untilTold(folder, /the journal is (gone|another file)/);
  });

  it.each(['', '-wal'])('reports a journal that is truncated: %s', async (suffix) => {
    const { folder } = await aHolder();
    // By then the bot has seen the size of the file.
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    await truncate(path.join(folder, `${JOURNAL}${suffix}`), 100);

    await untilTold(folder, /the journal (was cut|is damaged)/);
  });

  it('reports changed digits in the journal', async () => {
    const { folder } = await aHolder();
    const file = path.join(folder, `${JOURNAL}-wal`);
    const bytes = await readFile(file);
    const handle = await open(file, 'r+');
    // One digit in each page: older copies of a page are no longer read.
    const ofPages = new Map(digitPlaces(bytes, 100).map((at) => [Math.floor(at / 4_096), at]));
    for (const at of ofPages.values())
      await handle.write(Buffer.of(present(bytes[at], 'a digit') ^ 1), 0, 1, at);
    await handle.close();

    await untilTold(folder, /the journal is damaged/);
  });

  it('reports a key that the venue refuses', async () => {
    const { folder, between } = await aHolder();
    between.meddle = (_, isSigned) =>
      isSigned ? { status: 200, body: '{"code":"-2015","msg":"key"}' } : undefined;

    await untilTold(folder, /-2015/);
  });

  it('reports a lock that was removed', async () => {
    const { folder } = await aHolder();
    await rm(path.join(folder, `${JOURNAL}-lock`));

    await untilTold(folder, /the lock of the journal is gone/);
  });

  it('reports a guard process that has ended', async () => {
    const { folder, live } = await aHolder();
    process.kill(await guardOf(live), 'SIGKILL');

    await untilTold(folder, /the guard process has ended/);
    await expect
      .poll(() => statusOf(folder), WITHIN)
      .toMatchObject({ state: 'running', guardedBy: { standby: 'ready' } });
  });

  it('reports a stop whose order the venue refuses', async () => {
    const { folder, between } = await aHolder();
    const fallen = await fallenTicker(between);
    between.meddle = (target, isSigned) => {
      if (target.startsWith('/sapi/v1/ticker')) return fallen;
      const refusal = { status: 200, body: '{"code":"-1111","msg":"precision"}' };
      return isSigned && /\/order(?:$|\?)/.test(target) && !target.includes('orderId')
        ? refusal
        : undefined;
    };

    const { positions } = await untilTold(folder, /-1111/);
    expect(positions).toHaveLength(1);
  });

  it('reports a position that the venue has frozen, and few exits are sent', async () => {
    const { folder, between, alter } = await aContractHolder();
    const frozen = alter((text) => text.replaceAll(/"freezeLock":\d/g, '"freezeLock":1'));
    between.meddle = frozen;

    const { state, margins } = await untilTold(
      folder,
      /has frozen the long position for liquidation/,
    );
    expect(state).toBe('frozen');
    expect(margins).toMatchObject([{ direction: 'long', frozen: 'liquidation' }]);
    const fallen = await fallenContract(between);
    const from = between.calls.length;
    const exits = (): number =>
      between.calls.slice(from).filter(({ path: target }) => target === '/fapi/v1/order').length;
    between.meddle = (target, isSigned) => {
      if (target.startsWith('/fapi/v1/ticker')) return { status: 200, body: fallen };
      if (target === '/fapi/v1/order')
        return { status: 200, body: '{"code":"-1157","msg":"frozen"}' };
      return frozen(target, isSigned);
    };
    await expect.poll(exits, WITHIN).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 8_000));
    expect(exits()).toBeLessThanOrEqual(5);
    expect((await statusOf(folder))?.positions).toHaveLength(1);

    between.meddle = alter((text) => text);
    await expect
      .poll(() => statusOf(folder), { timeout: 60_000, interval: 100 })
      .toMatchObject({ state: 'running', reasons: [] });
  });

  it('reports instrument rules that have changed, and the stop follows them', async () => {
    const { folder, between, exchange } = await aHolder();
    const before = await statusOf(folder);
    await plant(exchange, { fault: 'precision', instrument: 'spot:BTCUSDT', quantityPrecision: 2 });
    const fallen = await fallenTicker(between);
    between.meddle = (target) => (target.startsWith('/sapi/v1/ticker') ? fallen : undefined);

    await untilTold(folder, /other rules|quantityPrecision/);
    // The stop has sold all that the new step allows.
    const step = 0.01;
    const [held] = present(before, 'status').positions;
    expect(Number(held?.quantity)).toBeGreaterThan(step);
    await expect
      .poll(async () => Number((await statusOf(folder))?.positions[0]?.quantity ?? 0), WITHIN)
      .toBeLessThan(step);
  });
});

async function plant({ url, controlToken }: ExchangeProcess, fault: object): Promise<void> {
  const response = await fetch(`${url}/control/faults`, {
    method: 'POST',
    headers: { authorization: `Bearer ${controlToken}` },
    body: JSON.stringify(fault),
  });
  expect(response.status).toBe(200);
}
