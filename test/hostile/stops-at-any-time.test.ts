import { afterEach, describe, expect, it } from 'vitest';
import { present, SECOND_MS } from '../../src/domain/index.js';
import { createRandom } from '../../src/engine/index.js';
import type { StopPolicy } from '../../src/live/index.js';
import {
  alterBot,
  evenkeel,
  killLiveProcesses,
  liveBot,
  statusOf,
} from '../support/cli/live-processes.js';
import { MeddlingProxy, type Meddling } from '../support/local-exchange/meddling-proxy.js';

const STOPS = Number(process.env['EVENKEEL_STOPS'] ?? '2');
const SEED = Number(process.env['EVENKEEL_STOPS_SEED'] ?? '1');
/** Longest life before the signal, in ms: after the first entries for the first bot, after the start for the others. */
const LONGEST_MS = 6_000;
/** Time in which a stop ends the process or explains why not. */
const WITHIN_MS = 30_000;
/** Maximum travel time of a call that was sent before the signal arrived. */
const TRAVEL_MS = 100;

/** Ten intents per second: mostly buys, sometimes exits, and resting bids. */
const RESTLESS = `import { enterLong, exit, Strategy } from 'evenkeel';
import { interval, map, merge } from 'rxjs';
export class Restless extends Strategy({}) {
  warmup = 1;
  intents() {
    return merge(
      interval(100).pipe(map((count) => (count % 9 === 8 ? exit() : enterLong({ notional: '50' }, { add: true, protection: { stopLoss: { ratio: '0.2' } } })))),
      interval(350).pipe(map((count) => enterLong({ notional: '50' }, { add: true, limitPrice: '1000', label: String(count) }))),
    );
  }
}
`;
const POLICIES: readonly StopPolicy[] = ['keep', 'cancel', 'flatten'];

type Wire = 'sound' | 'slow' | 'silent';
const WIRES: readonly Wire[] = ['sound', 'slow', 'silent', 'sound'];

let proxy: MeddlingProxy | undefined;
afterEach(async () => {
  await killLiveProcesses();
  await proxy?.stop();
});

const PATIENT = { timeout: 60_000, interval: 50 };
const isOrder = (path: string): boolean => /\/order(?:$|\?)/.test(path);
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Lets calls about orders pass, or answers them late or never. */
function meddlingOf(wire: Wire): (path: string) => Meddling | undefined {
  if (wire === 'silent') return (path) => (isOrder(path) ? 'hang' : undefined);
  if (wire === 'sound') return () => undefined;
  const late: Meddling = ({ response }) => {
    setTimeout(() => response.writeHead(504).end('{}'), 2 * SECOND_MS);
  };
  return (path) => (isOrder(path) ? late : undefined);
}

describe(
  'a live bot that receives SIGTERM at any time',
  { timeout: 120_000 + STOPS * 60_000 },
  () => {
    it(`opens nothing afterwards, and ends within 30 s or reports why not (${String(STOPS)} times, seed ${String(SEED)})`, async () => {
      const { folder, env } = await liveBot({
        plugin: RESTLESS,
        through: async (url) => (proxy = await MeddlingProxy.start(url)).url,
        more: 'live: { onStop: keep }\n',
      });
      const between = present(proxy, 'proxy');
      const random = createRandom(SEED);
      const opening = () => between.calls.filter(({ body }) => body.includes('"side":"BUY"'));
      const longest: number[] = [];
      for (let count = 0; count < STOPS; count += 1) {
        const policy = POLICIES[count % POLICIES.length] ?? 'keep';
        const wire = WIRES[count % WIRES.length] ?? 'sound';
        await alterBot(folder, { 'onStop: keep': `onStop: ${policy}` }, 'now.yaml');
        between.meddle = () => undefined;
        const live = evenkeel(['live', 'now.yaml', '--yes', '--accept-findings'], folder, env);
        const lifeMs = Math.floor(random() * LONGEST_MS);
        // The first bot is stopped while it trades, the others at any time after their start.
        if (count === 0) await expect.poll(() => opening().length, PATIENT).toBeGreaterThan(STOPS);
        await pause(lifeMs);
        between.meddle = meddlingOf(wire);
        await pause(Math.floor(random() * SECOND_MS));
        const told = `${String(count)}: ${policy}, ${wire}, after ${String(lifeMs)} ms`;

        const at = Date.now();
        live.child.kill('SIGTERM');
        const isOver = await Promise.race([
          live.ended.then(() => true),
          pause(WITHIN_MS).then(() => false),
        ]);
        longest.push(Date.now() - at);
        if (!isOver) {
          expect(live.written.stdout + live.written.stderr, told).toMatch(
            /has not stopped|waits for/,
          );
          between.meddle = () => undefined;
          await live.ended;
        }

        const late = opening().filter((call) => call.at > at + TRAVEL_MS);
        expect(
          late.map((call) => call.at - at),
          told,
        ).toEqual([]);
        expect(live.written.stderr, told).not.toMatch(/E_INTERNAL|has failed/);
        expect(await statusOf(folder), told).toBeUndefined();
      }
      console.log(`the longest stop took ${String(Math.max(...longest))} ms`);
    });
  },
);
