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
import { MeddlingProxy, type Meddling } from '../support/local-exchange/meddling-proxy.js';

const PATIENT = { timeout: 60_000, interval: 100 };

/** Buys and sells in turn, every second. */
const RESTLESS = `import { enterLong, exit, Strategy } from 'evenkeel';
import { interval, map } from 'rxjs';
export class Restless extends Strategy({}) {
  override intents() {
    return interval(1000).pipe(map((count) => (count % 2 === 0 ? enterLong({ notional: '100' }) : exit())));
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

let proxy: MeddlingProxy | undefined;
afterEach(async () => {
  await killLiveProcesses();
  await proxy?.stop();
});

/** A bot behind a proxy of its own, and a way to start it. */
async function aBot(plugin = RESTLESS) {
  let between: MeddlingProxy | undefined;
  const { folder, env } = await liveBot({
    plugin,
    through: async (url) => {
      between = proxy = await MeddlingProxy.start(url);
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

/** Meddles with one call of each way, then lets all pass. */
function onceEach(ways: readonly Meddling[]): MeddlingProxy['meddle'] {
  const left = [...ways];
  return () => left.shift();
}

/** Says until when the process may take to end. */
async function endsWithin(ms: number, ended: Promise<unknown>): Promise<unknown> {
  const late = new Promise((resolve) => setTimeout(() => resolve('late'), ms).unref());
  return Promise.race([ended, late]);
}

/** Whether a call is of an order, be it sent or canceled. */
const isOrder = (target: string): boolean => /\/order(?:$|\?)/.test(target);

describe('a live bot whose venue is in trouble', { timeout: 180_000 }, () => {
  it('starts and goes on through answers that cannot be read and refused keys', async () => {
    const { between, start, state, reasons } = await aBot();
    between.meddle = onceEach(EACH);
    const live = start();
    await expect.poll(state, PATIENT).toBe('running');

    between.meddle = onceEach([...EACH, ...EACH, ...EACH]);
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    between.meddle = (_path, isSigned) => (isSigned ? WRONG_KEY : undefined);
    await expect.poll(reasons, PATIENT).toMatch(/the venue refuses key or signature since .*-2015/);
    expect(live.written.stdout).toMatch(/the venue refuses key or signature since/);

    between.meddle = () => undefined;
    await expect.poll(state, PATIENT).toBe('running');
    live.child.kill('SIGTERM');
    expect(await endsWithin(30_000, live.ended)).toBe(0);
    expect(live.written.stderr).not.toContain('has failed');
  });

  it('waits a ban out, also after a kill, and shows until when', async () => {
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

  it('says from the first second that it starts, where nothing answers, and ends when asked to', async () => {
    const { between, start, status } = await aBot();
    between.meddle = () => 'hang';
    const live = start();

    await expect.poll(status, { timeout: 15_000, interval: 100 }).toMatchObject({
      state: 'starting',
      reasons: [expect.stringMatching(/is being made|waits for/)],
    });
    live.child.kill('SIGTERM');

    expect(await endsWithin(30_000, live.ended)).toBe(0);
  });

  it('is degraded while a limit of orders rests, whatever Retry-After says, and stops in time', async () => {
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

  it('goes on with a flatten while its orders fail, says what is left, and is flat when they work again', async () => {
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
