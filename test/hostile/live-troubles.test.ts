import { afterEach, describe, expect, it } from 'vitest';
import { present } from '../../src/domain/index.js';
import type { BotStatus } from '../../src/live/index.js';
import { HOLDER_SOURCE } from '../support/cli/holder-plugin.js';
import {
  evenkeel,
  killLiveProcesses,
  liveBot,
  statusOf,
  type Running,
} from '../support/cli/live-processes.js';
import { fallenTicker } from '../support/local-exchange/fallen-ticker.js';
import { MeddlingProxy, type Meddling } from '../support/local-exchange/meddling-proxy.js';

const PATIENT = { timeout: 120_000, interval: 100 };
/** A limit rests for at most a minute. Then one call is sent, the most urgent one, which may be an order that is sent again. */
const MOST_REST_MS = 75_000;

/** Buys and sells in turn, every second. */
const RESTLESS = `import { enterLong, exit, Strategy } from 'evenkeel';
import { interval, map } from 'rxjs';
export class Restless extends Strategy({}) {
  override intents() {
    return interval(1000).pipe(map((count) => (count % 2 === 0 ? enterLong({ notional: '100' }) : exit())));
  }
}
`;
/** Five intents at once, twice per second, so that an order always waits for the previous one. */
const HASTY = `import { enterLong, exit, Strategy } from 'evenkeel';
import { interval, map, mergeMap, range } from 'rxjs';
export class Hasty extends Strategy({}) {
  warmup = 1;
  intents() {
    const count$ = interval(500).pipe(mergeMap((turn) => range(5 * turn, 5)));
    return count$.pipe(map((count) => (count % 9 === 8 ? exit() : enterLong({ notional: '50' }, { add: true }))));
  }
}
`;
const HTML: Meddling = { status: 200, body: '<html>maintenance</html>' };
const BAD_GATEWAY: Meddling = { status: 502, body: '<html>maintenance</html>' };
const CUT: Meddling = { status: 200, body: '{"serverTime":17' };
const refusal = (code: number): Meddling => ({
  status: 200,
  body: `{"code":"${String(code)}","msg":"no"}`,
});
const WRONG_KEY = refusal(-2015);
const SHUT_DOWN = refusal(-1016);
const EACH = [HTML, BAD_GATEWAY, CUT, WRONG_KEY, refusal(-1022)];

const proxies: MeddlingProxy[] = [];
afterEach(async () => {
  await killLiveProcesses();
  await Promise.all(proxies.splice(0).map((proxy) => proxy.stop()));
});

/** A bot behind a proxy of its own, and a way to start it. */
async function aBot(plugin = RESTLESS, more = '') {
  let between: MeddlingProxy | undefined;
  const { folder, env } = await liveBot({
    ...{ plugin, more },
    through: async (url) => {
      between = await MeddlingProxy.start(url);
      proxies.push(between);
      return between.url;
    },
  });
  const start = (): Running =>
    evenkeel(['live', 'bot.yaml', '--yes', '--accept-findings'], folder, env);
  const status = (): Promise<BotStatus | undefined> => statusOf(folder);
  const state = async (): Promise<string | undefined> => (await status())?.state;
  const reasons = async (): Promise<string> => (await status())?.reasons.join('\n') ?? '';
  return { between: present(between, 'proxy'), folder, start, status, state, reasons };
}

/** Applies each meddling to one call, then lets all calls pass. */
function onceEach(ways: readonly Meddling[]): MeddlingProxy['meddle'] {
  const left = [...ways];
  return () => left.shift();
}

/** Answers the next order with 429 and this delay. Other calls pass. */
function onceTooMany(seconds: number): MeddlingProxy['meddle'] {
  const headers = { 'retry-after': String(seconds) };
  let isTold = false;
  return (target, isSigned) => {
    if (isTold || !isSigned || !isNewOrder(target)) return undefined;
    isTold = true;
    return { status: 429, body: '{"code":-1003,"msg":"slow"}', headers };
  };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
/** The client order id of a request. */
const idOf = (body: string): string => /"newClientOrderId":"([^"]+)"/.exec(body)?.[1] ?? '';

/** Resolves with the end of a process, or with `late` after this time. */
async function endsWithin(ms: number, ended: Promise<unknown>): Promise<unknown> {
  const late = new Promise((resolve) => setTimeout(() => resolve('late'), ms).unref());
  return Promise.race([ended, late]);
}

/** Whether a call sends or reads an order. */
const isOrder = (target: string): boolean => /\/order(?:$|\?)/.test(target);
const isNewOrder = (target: string): boolean => target.endsWith('/order');

describe('a live bot whose venue is in trouble', { timeout: 300_000 }, () => {
  it('starts and keeps running despite unreadable answers and refused keys', async () => {
    const { between, start, state, reasons } = await aBot();
    between.meddle = onceEach(EACH);
    const live = start();
    await expect.poll(state, PATIENT).toBe('running');

    between.meddle = onceEach([...EACH, ...EACH, ...EACH]);
    await pause(5_000);
    between.meddle = (_path, isSigned) => (isSigned ? WRONG_KEY : undefined);
    // After so many failures the next signed call may come only with the next candle, a minute later. The reason needs three refusals over ten seconds.
    await expect
      .poll(reasons, { timeout: 90_000, interval: 100 })
      .toMatch(/the venue refuses key or signature since .*-2015/);
    expect(live.written.stdout).toMatch(/the venue refuses key or signature since/);

    between.meddle = () => undefined;
    await expect.poll(state, PATIENT).toBe('running');
    live.child.kill('SIGTERM');
    expect(await endsWithin(30_000, live.ended)).toBe(0);
    expect(live.written.stderr).not.toContain('has failed');
  });

  it('waits until a ban ends, also after a kill, and shows its end', async () => {
    const { between, start, state, status } = await aBot();
    let banned = 0;
    between.meddle = () => {
      banned = banned === 0 ? Date.now() : banned;
      return Date.now() - banned < 12_000
        ? { status: 418, body: '', headers: { 'retry-after': '12' } }
        : undefined;
    };
    const first = start();
    await expect
      .poll(async () => (await status())?.reasons.join(), PATIENT)
      .toMatch(/waits for the venue: .*HTTP 418.* nothing is sent until 20/);
    expect(await state()).toBe('starting');
    first.child.kill('SIGKILL');
    await first.ended;

    start();
    await expect.poll(state, PATIENT).toBe('running');

    const early = between.calls.filter(({ at }) => at - banned < 12_000);
    expect(early.length).toBe(1);
  });

  it('reports that it is starting while nothing answers, and stops on SIGTERM', async () => {
    const { between, start, status } = await aBot();
    between.meddle = () => 'hang';
    const live = start();

    await expect.poll(status, { timeout: 15_000, interval: 100 }).toMatchObject({
      state: 'starting',
      reasons: [expect.stringMatching(/the bot is starting|waits for/)],
    });
    live.child.kill('SIGTERM');

    expect(await endsWithin(30_000, live.ended)).toBe(0);
  });

  it('is degraded while a limit of orders rests, despite a long Retry-After, and stops in time', async () => {
    const { between, start, state, reasons } = await aBot();
    const live = start();
    await expect.poll(state, PATIENT).toBe('running');

    between.meddle = (target) =>
      target.startsWith('/sapi/v1/order') && !target.includes('?')
        ? { status: 429, body: '{"code":-1003,"msg":"slow"}', headers: { 'retry-after': '30000' } }
        : undefined;

    await expect.poll(reasons, PATIENT).toMatch(/nothing of the limit spot\.order is sent until/);
    expect(await state()).toBe('degraded');
    expect(live.written.stdout).toMatch(/is rejected: .*asks to wait 30000000 ms/);
    live.child.kill('SIGTERM');
    expect(await endsWithin(30_000, live.ended)).toBe(0);
  });

  // Both wait for more than a minute, so they run in parallel.
  it('sends the order of a stop and of a flatten again after about a minute, despite a longer Retry-After', async () => {
    const sends = async (what: 'a stop' | 'a flatten'): Promise<void> => {
      const { between, folder, start, status } = await aBot(HOLDER_SOURCE);
      const live = start();
      await expect.poll(status, PATIENT).toMatchObject({ state: 'running', guards: [{}] });
      const fallen = await fallenTicker(between);
      const tooMany = onceTooMany(30_000);
      const from = between.calls.length;
      between.meddle = (target, isSigned) =>
        what === 'a stop' && target.startsWith('/sapi/v1/ticker')
          ? fallen
          : tooMany(target, isSigned);

      if (what === 'a flatten')
        expect(await evenkeel(['flatten', 'bot.yaml'], folder).ended).toBe(0);
      const exits = (): readonly number[] =>
        between.calls
          .slice(from)
          .flatMap(({ path: target, at }) => (isNewOrder(target) ? [at] : []));
      await expect
        .poll(() => exits().length, { timeout: 90_000, interval: 100 })
        .toBeGreaterThan(1);
      between.meddle = () => undefined;

      const [first = 0, second = 0] = exits();
      expect(second - first).toBeGreaterThan(50_000);
      expect(second - first).toBeLessThan(MOST_REST_MS);
      expect(live.written.stdout).toMatch(/is rejected: .*asks to wait 30000000 ms/);
      expect(exits().length).toBeLessThan(5);
    };

    await Promise.all([sends('a stop'), sends('a flatten')]);
  });

  it('drops and reports an entry that waits longer than live.staleAfterMs', async () => {
    const { between, start, state } = await aBot(HASTY, 'live: { staleAfterMs: 10000 }\n');
    const live = start();
    await expect.poll(state, PATIENT).toBe('running');
    // Twice as long as an entry may wait: the first ones are dropped, and later ones are sent.
    const tooMany = onceTooMany(20);
    const idsOf = (kind: string): readonly string[] =>
      Array.from(
        live.written.stdout.matchAll(
          new RegExp(`"kind":"${kind}".*?"clientOrderId":"([^"]+)"`, 'g'),
        ),
        ([, id]) => id ?? '',
      );
    /** Decided orders that were neither sent nor canceled, the one of the present call included. */
    const waiting = (): number => {
      const gone = new Set([...idsOf('cancel'), ...between.calls.map(({ body }) => idOf(body))]);
      return idsOf('submit').filter((id) => !gone.has(id)).length;
    };
    // An entry has to wait behind the refused one: after the refusal the bot decides none.
    between.meddle = (target, isSigned) => (waiting() > 1 ? tooMany(target, isSigned) : undefined);

    await expect
      .poll(() => live.written.stdout, PATIENT)
      .toMatch(/waited for its turn for more than 10 s after it was decided; nothing was sent/);
    await expect.poll(state, { timeout: 90_000, interval: 100 }).toBe('running');
    await pause(3_000);

    // Times of all decided orders by id, to compare with the times at which the venue received them.
    const decided = new Map(
      live.written.stdout
        .split('\n')
        .filter((line) => line.includes('"kind":"submit"'))
        .map(
          (line) => JSON.parse(line) as { readonly clientOrderId: string; readonly time: number },
        )
        .map(({ clientOrderId, time }) => [clientOrderId, time]),
    );
    const sent = between.calls.filter(({ path: target }) => isNewOrder(target));
    const waited = sent
      .filter(({ body }) => body.includes('"side":"BUY"'))
      .map(({ body, at }) => at - (decided.get(idOf(body)) ?? Number.NaN));
    expect(waited.length).toBeGreaterThan(3);
    expect(Math.max(...waited)).toBeLessThanOrEqual(11_000);
  });

  it('continues a flatten while its orders fail, reports the rest, and is flat once they work again', async () => {
    const { between, folder, start, state, status, reasons } = await aBot(HOLDER_SOURCE);
    start();
    await expect
      .poll(status, PATIENT)
      .toMatchObject({ state: 'running', guards: [{}], guardedBy: { standby: 'ready' } });
    between.meddle = (target, isSigned) => (isSigned && isOrder(target) ? SHUT_DOWN : undefined);

    expect(await evenkeel(['flatten', 'bot.yaml'], folder).ended).toBe(0);
    await expect
      .poll(reasons, PATIENT)
      .toMatch(/flattening since .*goes on until flat.*: long 0\./);
    expect(await status()).toMatchObject({ state: 'halted', positions: [{}], guards: [{}] });

    between.meddle = () => undefined;
    await expect.poll(reasons, PATIENT).toBe('flattened by the operator');
    expect(await state()).toBe('halted');
    expect((await status())?.guards).toEqual([]);
  });
});
