import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { createHmacSigner, Secret } from '../../../src/client/index.js';
import { encodeRequest, ENDPOINTS } from '../../../src/venue/wire/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** The compiled program: `npm test` compiles before it tests. */
const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
const KILLS = process.env['EVENKEEL_LONG'] === '1' ? 50 : 5;

interface Announced {
  readonly url: string;
  readonly accounts: readonly { readonly key: string; readonly secret: string }[];
}

interface Running {
  readonly child: ChildProcess;
  readonly url: string;
  readonly key: string;
  readonly secret: string;
}

let children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children = [];
});

/** Starts the exchange and waits until it says where it is. */
async function start(state: string, args: readonly string[]): Promise<Running> {
  const flags = ['exchange', '--port', '0', '--json', '--state', state, ...args];
  const child = spawn(process.execPath, [main, ...flags], { cwd: path.dirname(state) });
  children.push(child);
  const line = await new Promise<string>((resolve, reject) => {
    let [output, errors] = ['', ''];
    child.stdout.on('data', (text: Buffer) => {
      output += text.toString();
      if (output.includes('\n')) resolve(output);
    });
    child.stderr.on('data', (text: Buffer) => (errors += text.toString()));
    child.once('exit', () => {
      reject(new Error(`the exchange ended: ${errors}`));
    });
  });
  const { url, accounts } = JSON.parse(line) as Announced;
  const [account] = accounts;
  if (account === undefined) throw new Error('expected an account');
  return { child, url, ...account };
}

/** Calls an endpoint; undefined when no answer came. */
async function call(
  { url, key, secret }: Running,
  id: 'spot.order' | 'spot.cancel' | 'spot.openOrders',
  request: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  const { method, path: bare, query, body } = encodeRequest(ENDPOINTS[id], request as never);
  const target = query === '' ? bare : `${bare}?${query}`;
  const signer = createHmacSigner({ key: new Secret(key), secret: new Secret(secret) });
  const headers = signer.sign({ timestamp: Date.now(), method, path: target, body });
  try {
    const answer = await fetch(url + target, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(method === 'POST' ? { body } : {}),
    });
    return await answer.text();
  } catch {
    return undefined;
  }
}

function idsOf(text: string | undefined): readonly string[] {
  return [...(text ?? '').matchAll(/"orderId":(\d+)/g)].map(([, id]) => id ?? '');
}

describe('an exchange with a state file', () => {
  it('has every acknowledged order after kill -9, however often', async () => {
    const folder = await temporaryFolder();
    const state = path.join(folder, 'exchange.sqlite');
    const working = new Set<string>();
    const unsure = new Set<string>();

    for (let kill = 0; kill < KILLS; kill += 1) {
      const exchange = await start(state, ['--clock', 'lockstep']);
      const listed = idsOf(
        await call(exchange, 'spot.openOrders', { symbol: 'BTCUSDT', limit: 1_000 }),
      );
      for (const id of working) expect(listed).toContain(id);
      // What was on its way when the exchange died may be there or not; what was canceled is not.
      const strangers = listed.filter((id) => !working.has(id) && !unsure.has(id));
      expect(strangers.length).toBeLessThanOrEqual(4 * kill);
      for (const id of strangers) working.add(id);
      unsure.clear();
      await loadUntilKilled(exchange, { working, unsure, after: 10 + ((kill * 7) % 20) });
    }

    const last = await start(state, ['--clock', 'lockstep']);
    const listed = idsOf(await call(last, 'spot.openOrders', { symbol: 'BTCUSDT', limit: 1_000 }));
    expect(working.size).toBeGreaterThan(5 * KILLS);
    for (const id of working) expect(listed).toContain(id);
    expect(new Set(listed).size).toBe(listed.length);
  });

  it('is refused for another clock, and while it is in use', async () => {
    const folder = await temporaryFolder();
    const state = path.join(folder, 'exchange.sqlite');
    const first = await start(state, ['--clock', 'lockstep']);

    await expect(start(state, ['--clock', 'lockstep'])).rejects.toThrow('E_EXCHANGE_STATE');
    first.child.kill('SIGINT');
    const status = await new Promise((resolve) => first.child.once('exit', resolve));
    await expect(start(state, ['--clock', 'accelerated'])).rejects.toThrow('E_EXCHANGE_STATE');
    expect(status).toBe(130);
  });
});

/** Four senders at once order and cancel; after so many acknowledged orders the exchange is killed under them. */
async function loadUntilKilled(
  exchange: Running,
  { working, unsure, after }: { working: Set<string>; unsure: Set<string>; after: number },
): Promise<void> {
  let acknowledged = 0;
  const sender = async (number: number): Promise<void> => {
    for (
      let turn = 0;
      exchange.child.exitCode === null && exchange.child.signalCode === null;
      turn += 1
    ) {
      const price = String(30_000 + number * 10 + (turn % 10));
      const order = { symbol: 'BTCUSDT', volume: '0.0005', side: 'BUY', type: 'LIMIT', price };
      const [id] = idsOf(await call(exchange, 'spot.order', order));
      if (id === undefined) return;
      working.add(id);
      acknowledged += 1;
      if (acknowledged === after) exchange.child.kill('SIGKILL');
      if (turn % 4 !== 3) continue;
      working.delete(id);
      const canceled = await call(exchange, 'spot.cancel', { symbol: 'BTCUSDT', orderId: id });
      if (canceled?.includes('CANCELED') !== true) unsure.add(id);
    }
  };
  await Promise.all([0, 1, 2, 3].map(sender));
  if (exchange.child.signalCode === null) exchange.child.kill('SIGKILL');
}
