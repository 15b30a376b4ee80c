import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { queueClock } from '../../src/cli/queue/queue-clock.js';
import { createRandom } from '../../src/engine/index.js';
import {
  nameOfSearch,
  openQueueServer,
  parseAddress,
  type QueueServer,
} from '../../src/queue/index.js';
import { idOfChunk } from '../../src/queue/messages.js';
import { SearchRig, sweepWords } from './search-rig.js';

const SEED = Number(process.env['EVENKEEL_SEED'] ?? '1');
const MESSAGES = 200;
const ON_QUEUE = ['--queue', 'env'];

let rig: SearchRig;
let server: QueueServer;
const random = createRandom(SEED);
const below = (count: number): number => Math.floor(random() * count);
const oneOf = <T>(values: readonly T[]): T => values[below(values.length)] as T;

beforeAll(async () => {
  rig = await SearchRig.open();
  const address = parseAddress(rig.server.url, 'test');
  server = await openQueueServer(address, { time: queueClock, say: () => undefined });
});
afterAll(async () => {
  server.close();
  await rig.close();
});

/** The text with a byte changed, cut, doubled, or replaced. */
function spoil(text: string): string {
  const at = below(text.length);
  return oneOf([
    () => text.slice(0, at),
    () => text.slice(0, at) + String.fromCharCode(below(256)) + text.slice(at + 1),
    () => text + text,
    () => `[${text}]`,
    () => text.replace(/"[^"]*"/, 'null'),
    () => text.replace(/\d+/, '-1e400'),
    () => oneOf(['', '{}', 'null', '[]', '0', '"x"', '{"__proto__":{"x":1}}', '\u0000']),
  ])();
}

describe(`a queue that an attacker writes to (seed ${String(SEED)})`, () => {
  it('does not stop a worker, execute code of the attacker, or change the result of a trusted search', async () => {
    const folder = rig.workerFolder();
    const mark = path.join(folder, 'ran');
    const worker = rig.startWorker(folder);
    const { redis, bull } = server;
    const plugin = `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(mark)}, '');\nexport class X {}\n`;
    const hash = 'a'.repeat(64);
    const description = JSON.stringify({
      ...{ version: 1, owner: hash, engine: '0.1.0', node: 20, config: 'version: 1', holdings: [] },
      plugin: { hash, entry: 'x.ts', files: { 'x.ts': plugin } },
      inputs: { strategy: 'X', source: hash, ground: hash, data: hash, engine: '0.1.0' },
    });
    // Searches: complete but without a valid signature, or spoiled.
    for (let message = 0; message < MESSAGES; message += 1) {
      const text = message === 0 ? description : spoil(description);
      const name = oneOf([nameOfSearch(text), `x${String(message)}`]);
      await redis.hset(`evenkeel:search:${name}`, {
        text,
        signature: oneOf(['', 'ff', 'f'.repeat(64)]),
      });
      await redis.zadd('evenkeel:searches', below(1e15), name);
      await redis.lpush(`evenkeel:search-${name}:wait`, 'x');
    }
    await redis.hset('evenkeel:workers', { a: 'x', b: '{}', c: '{"threads":-1,"search":null}' });
    const coordinator = rig.start([...sweepWords('trusted', 12), ...ON_QUEUE, '--priority', '1']);
    await rig.until(() => /^search \w+ on /m.test(coordinator.output), 'a search');
    const search = /^search (\w+) on /m.exec(coordinator.output)?.[1] ?? '';
    // Chunks of the trusted search: not signed, spoiled, with other ids.
    const trials = JSON.stringify([{ parameters: { fast: 1, slow: 2 } }]);
    const queue = new bull.Queue(`search-${search}`, { connection: redis, prefix: 'evenkeel' });
    for (let message = 0; message < MESSAGES; message += 1) {
      const text = oneOf([trials, spoil(trials)]);
      await queue.add(
        'chunk',
        oneOf<unknown>([
          { trials: text },
          { trials: 5 },
          text,
          null,
          { trials: text, signature: 'ff' },
        ]),
        { jobId: oneOf([idOfChunk(search, text), `x${String(message)}`]), lifo: true },
      );
    }
    await redis.hset(queue.toKey('y'), 'data', '{"trials"', 'name', 'chunk');
    await redis.lpush(queue.toKey('wait'), 'y');
    // Results without a request.
    await redis.hset(queue.toKey('z'), 'returnvalue', spoil(trials), 'data', 'null');
    await redis.zadd(queue.toKey('completed'), 1, 'z');
    await queue.close();

    const { code } = await coordinator.ended;

    expect({ code, said: code === 0 ? '' : coordinator.output }).toEqual({ code: 0, said: '' });
    expect(worker.isRunning).toBe(true);
    expect(existsSync(mark)).toBe(false);
    await rig.run([...sweepWords('here', 12), '--jobs', '1']);
    expect(rig.read('trusted.json')).toBe(rig.read('here.json'));
    worker.kill('SIGTERM');
    expect((await worker.ended).signal).toBeNull();
  });

  it('does not stop the coordinator, which records no result of an untrusted worker', async () => {
    await server.redis.flushall();
    const coordinator = rig.start([...sweepWords('lied-to', 1), ...ON_QUEUE]);
    await rig.until(() => /^search \w+ on /m.test(coordinator.output), 'a search');
    const search = /^search (\w+) on /m.exec(coordinator.output)?.[1] ?? '';
    const result = JSON.stringify({ runs: '[{"crash":"x"}]', signature: 'f'.repeat(64) });
    const liar = new server.bull.Worker(
      `search-${search}`,
      () => Promise.resolve<unknown>(oneOf([{ runs: spoil(result) }, spoil(result), null, 7])),
      { connection: server.redis, prefix: 'evenkeel', concurrency: 4 },
    );
    liar.on('error', () => undefined);

    const { code } = await coordinator.ended;

    await liar.close(true);
    // No combination has a result.
    expect(code).toBe(1);
    expect(coordinator.output).toContain('received no valid result of a trusted worker');
    expect(coordinator.output).not.toContain('E_INTERNAL');
    expect(rig.read('lied-to.jsonl')).toBe('');
    const { counts } = JSON.parse(rig.read('lied-to.json')) as { counts: { failed: number } };
    expect(counts.failed).toBe(100);
  });
});
