import { afterEach, describe, expect, it } from 'vitest';
import { present } from '../../src/domain/index.js';
import { contractBot } from '../support/cli/contract-bot.js';
import {
  evenkeel,
  guardOf,
  killLiveProcesses,
  liveBot,
  startLive,
  statusOf,
} from '../support/cli/live-processes.js';
import { MeddlingProxy } from '../support/local-exchange/meddling-proxy.js';

const LEVELS = 12;
const PATIENT = { timeout: 120_000, interval: 50 };
const LIVE = ['live', 'bot.yaml', '--yes', '--accept-findings'];
/** Maximum time from the first reading to the sample of the stop. */
const SAMPLED_MS = 3_000;
/** Maximum time until all outcomes are known. Contracts: 15 s, and six readings of three calls each. A sampled stop leaves every second call to polls. */
const KNOWN_MS = { spot: 40_000, futures: 15_000 + 6 * 3 * 2 * 1_001 } as const;
/** For both products: `EVENKEEL_UNKNOWN=spot,futures`. */
const PRODUCTS = (process.env['EVENKEEL_UNKNOWN'] ?? 'spot').split(
  ',',
) as (keyof typeof KNOWN_MS)[];
/** Time until the status must say `running`. */
const TOLD_MS = 5_000;

/** Holds a position with a stop, and some seconds later lays a grid of bids far below the market. */
const GRIDDER = `import { enterLong, Strategy } from 'evenkeel';
import { interval, map, merge, mergeMap, filter, from, withLatestFrom } from 'rxjs';
export class Gridder extends Strategy({}) {
  warmup = 1;
  intents(market) {
    const ticker$ = market.ticker$();
    let seconds = 0;
    const held$ = ticker$.pipe(map(() => enterLong({ notional: '1000' }, { protection: { stopLoss: { ratio: '0.15' } } })));
    const grid$ = interval(1000).pipe(
      withLatestFrom(ticker$),
      // Where it was degraded then, and refused it, again; not any more when it runs again.
      filter(() => this.position.quantity.gt(0) && ++seconds % 8 === 0 && seconds <= 24),
      mergeMap(([, { last }]) => from(Array.from({ length: ${String(LEVELS)} }, (_, level) =>
        enterLong({ notional: '300' }, { add: true, limitPrice: (last * (0.7 - level / 100)).toFixed(2), label: String(level) })))),
    );
    return merge(held$, grid$);
  }
}
`;

let proxies: MeddlingProxy[] = [];
afterEach(async () => {
  await killLiveProcesses();
  await Promise.all(proxies.map((proxy) => proxy.stop()));
  proxies = [];
});

/** Times in ms from the first reading of a start to the first sample of its stop, and to `running`. Bot and guard were killed with orders on their way. */
async function recover(
  product: keyof typeof KNOWN_MS,
): Promise<{ readonly sampledMs: number; readonly knownMs: number }> {
  const make = product === 'spot' ? liveBot : contractBot;
  let between: MeddlingProxy | undefined;
  const { folder, env } = await make({
    plugin: GRIDDER,
    through: async (url) => {
      between = await MeddlingProxy.start(url);
      proxies.push(between);
      return between.url;
    },
  });
  const proxy = present(between, 'proxy');
  const live = await startLive(folder, env);
  await expect
    .poll(() => statusOf(folder), PATIENT)
    .toMatchObject({ guards: [{}], guardedBy: { standby: 'ready' }, orders: [] });
  proxy.meddle = (target) => (/\/order(?:$|\?)/.test(target) ? 'hang' : undefined);
  await expect
    .poll(async () => (await statusOf(folder))?.orders.length, PATIENT)
    .toBeGreaterThanOrEqual(LEVELS);
  const guard = await guardOf(live);
  process.kill(guard, 'SIGSTOP');
  live.child.kill('SIGKILL');
  await live.exited;
  process.kill(guard, 'SIGKILL');
  proxy.meddle = () => undefined;

  const from = proxy.calls.length;
  evenkeel(LIVE, folder, env);
  const first = (part: string): number | undefined =>
    proxy.calls.slice(from).find(({ path }) => path.includes(part))?.at;
  await expect.poll(() => first('openOrders'), PATIENT).toBeDefined();
  const began = present(first('openOrders'), 'reading');
  await expect
    .poll(() => statusOf(folder), PATIENT)
    .toMatchObject({ state: 'running', guards: [{}], orders: [] });
  const knownMs = Date.now() - began;
  return { sampledMs: present(first('/ticker'), 'sample') - began, knownMs };
}

// Only Linux lists the children of a process.
describe.runIf(process.platform === 'linux')(
  'a bot that was killed with twelve unanswered orders and is started again',
  { timeout: 240_000 },
  () => {
    it.each(PRODUCTS)(
      'samples its stop at once, and learns the state of all orders in time: %s',
      async (product) => {
        const { sampledMs, knownMs } = await recover(product);

        console.info(
          `${product}, twelve orders without an answer: sampled after ${String(sampledMs)} ms, known after ${String(knownMs)} ms`,
        );
        expect(sampledMs).toBeLessThanOrEqual(SAMPLED_MS);
        expect(knownMs).toBeLessThanOrEqual(KNOWN_MS[product] + TOLD_MS);
      },
    );
  },
);
