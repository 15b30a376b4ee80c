import { readFile } from 'node:fs/promises';
import { connect, createConnection, type Socket } from 'node:net';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { present } from '../../src/domain/index.js';
import { askBot } from '../../src/bots/control/control-client.js';
import {
  JOURNAL,
  killLiveProcesses,
  liveBot,
  startLive,
  statusOf,
  type Running,
} from '../support/cli/live-processes.js';
import { killExchanges, startExchangeProcess } from '../support/local-exchange/exchange-process.js';

/** Buys and sells in turn, every second, and logs it. */
const RESTLESS = `import { enterLong, exit, Strategy } from 'evenkeel';
import { interval, map } from 'rxjs';
export class Restless extends Strategy({}) {
  override intents() {
    return interval(1000).pipe(map((count) => (count % 2 === 0 ? enterLong({ notional: '100' }) : exit())));
  }
}
`;
const ANSWER_MS = 1_000;

let sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await killLiveProcesses();
  killExchanges();
});

/** Connects, writes `said` if there is any, and never reads. */
function neighbour(to: string | number, said = ''): Socket {
  const options = { allowHalfOpen: true };
  const socket =
    typeof to === 'string'
      ? connect({ path: to, ...options })
      : createConnection({ port: to, host: '127.0.0.1', ...options });
  socket.on('error', () => socket.destroy());
  socket.pause();
  if (said !== '') socket.write(said);
  sockets.push(socket);
  return socket;
}

async function residentMb({ child }: Pick<Running, 'child'>): Promise<number> {
  const status = await readFile(`/proc/${String(child.pid)}/status`, 'utf8');
  return Number(present(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1], 'VmRSS')) / 1_024;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The time that an action takes, in milliseconds. */
async function timed(action: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await action();
  return performance.now() - started;
}

describe(
  'a live bot with 1,000 foreign connections at its control socket',
  { timeout: 240_000 },
  () => {
    it('answers its operator within a second, does not grow, and trades on time', async () => {
      const { folder, env } = await liveBot({ plugin: RESTLESS });
      const live = await startLive(folder, env);
      const at = path.join(folder, `${JOURNAL}.sock`);
      const fills = (): number => live.written.stdout.split('"kind":"fill"').length - 1;
      await expect.poll(fills, { timeout: 90_000 }).toBeGreaterThan(5);
      // Answers compile code. These calls come first, so that this memory does not count.
      for (let asked = 0; asked < 2_000; asked += 1)
        await askBot({ command: 'status' }, { path: at });
      const quietFrom = fills();
      await pause(10_000);
      const quiet = fills() - quietFrom;
      const before = await residentMb(live);

      const flood = '{"command":"status"}\n'.repeat(2_000);
      const behaviours = [
        (): Socket => neighbour(at),
        (): Socket => neighbour(at, '{"comm'),
        (): Socket => neighbour(at, flood),
        (): Socket => neighbour(at).end(),
      ];
      const first = fills();
      const waits: number[] = [];
      let most = 0;
      for (let round = 0; round < 20; round += 1) {
        for (let index = 0; index < 50; index += 1) behaviours[index % behaviours.length]?.();
        waits.push(await timed(() => askBot({ command: 'status' }, { path: at })));
        most = Math.max(most, await residentMb(live));
        // One piece of a request per round, like a slow writer.
        for (const socket of sockets) if (socket.writable) socket.write('x');
        await pause(500);
      }
      const loud = fills() - first;
      waits.push(await timed(() => askBot({ command: 'halt', text: 'enough' }, { path: at })));

      const after = await statusOf(folder);
      console.log(
        `1,000 strangers: the owner waited ${Math.max(...waits).toFixed(0)} ms at most, memory ${before.toFixed(0)} MB before, ${most.toFixed(0)} MB at most, ${String(quiet)} fills in 10 s before, ${String(loud)} among them`,
      );
      expect(after?.state).toBe('halted');
      expect(Math.max(...waits)).toBeLessThan(ANSWER_MS);
      expect(most - before).toBeLessThan(20);
      expect(loud).toBeGreaterThanOrEqual(quiet - 2);
    });
  },
);

describe('a local exchange with 2,000 slow connections', { timeout: 120_000 }, () => {
  it('answers another client within a second, once it has closed the slow ones', async () => {
    const exchange = await startExchangeProcess(['--synthetic', '7'], '/');
    const before = await residentMb(exchange);
    const head = 'POST /sapi/v1/order HTTP/1.1\r\nhost: localhost\r\n';
    for (let index = 0; index < 2_000; index += 1) {
      // Four kinds: silent, cut within the head, cut within the body, half open.
      const socket = neighbour(
        exchange.port,
        ['', head, `${head}content-type: application/json\r\ncontent-length: 500\r\n\r\n{`, head][
          index % 4
        ],
      );
      if (index % 4 === 3) socket.end();
      if (index % 100 === 99) await pause(20);
    }
    // They continue to send single bytes. The exchange must not wait longer because of that.
    const dripping = setInterval(() => {
      for (const socket of sockets) if (socket.writable) socket.write('a');
    }, 500);

    await pause(13_000);
    const wait = await timed(async () => {
      const answer = await fetch(`${exchange.url}/sapi/v1/ping`, {
        signal: AbortSignal.timeout(5_000),
      });
      expect(answer.status).toBe(200);
    });
    clearInterval(dripping);
    const grown = (await residentMb(exchange)) - before;

    console.log(
      `2,000 slow connections: answered after ${wait.toFixed(0)} ms, ${grown.toFixed(0)} MB more`,
    );
    expect(wait).toBeLessThan(ANSWER_MS);
    expect(grown).toBeLessThan(100);
  });
});
