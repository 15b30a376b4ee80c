import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { formatFixed } from '../../src/domain/index.js';
import { readJournal, type JournalReader } from '../../src/journal/index.js';
import { JOURNAL, pause, type Rig } from './rig.js';

/** USDT of the account that is not in the bot's allocation. */
const NOT_ALLOCATED = 90_000;

const LOOK_MS = 500;
const PATIENCE_MS = 60_000;

/** Ends a rig. Checks that no order was sent twice, that the position can be closed, and that bot and venue agree. Returns the failures. */
export async function finish(rig: Rig): Promise<readonly string[]> {
  const failures: string[] = [];
  try {
    const doubled = rig.doubled();
    if (doubled.length > 0) failures.push(`sent twice: ${doubled.join(', ')}`);
    await flatten(rig);
    await rig.untilFlat();
    await ended(rig.bot?.child);
    const balances = (await epochsOf(rig)).at(-1)?.ending?.balances;
    if (balances === undefined) failures.push('the last epoch has no end');
    const believed = new Map(balances?.map(({ asset, total }) => [asset, formatFixed(total)]));
    failures.push(...(await compare(rig, believed)));
  } catch (error: unknown) {
    failures.push(error instanceof Error ? error.message : String(error));
  } finally {
    await rig.end();
  }
  return failures;
}

/** Replays all epochs of an ended rig, and removes its folder. Returns the epochs that differ. */
export async function replay(rig: Rig): Promise<readonly string[]> {
  const failures: string[] = [];
  try {
    for (const { id } of await epochsOf(rig)) {
      const args = [JOURNAL, '--config', 'bot.yaml', '--epoch', String(id)];
      const { code, text } = await rig.run('replay', ...args);
      if (!text.includes('identical'))
        failures.push(`epoch ${String(id)}: exit ${String(code)}, ${text}`);
    }
  } catch (error: unknown) {
    failures.push(error instanceof Error ? error.message : String(error));
  } finally {
    await rig.remove();
  }
  return failures;
}

async function epochsOf(rig: Rig): Promise<ReturnType<JournalReader['epochs']>> {
  const reader = await readJournal(path.join(rig.folder, JOURNAL));
  try {
    return reader.epochs();
  } finally {
    reader.close();
  }
}

/** Repeats the command, because a bot on a busy machine may not answer in time. */
async function flatten(rig: Rig): Promise<void> {
  const last = performance.now() + PATIENCE_MS;
  while ((await rig.tell('flatten')) === undefined) {
    if (performance.now() > last) throw new Error('nobody was there to be told to flatten');
    await pause(LOOK_MS);
  }
}

/** Ends the bot in order. Its output may stay open, because a guard process that takes over shares it. */
async function ended(bot: ChildProcess | undefined): Promise<void> {
  if (bot === undefined || bot.exitCode !== null || bot.signalCode !== null)
    throw new Error('the bot was not there when its rig was to end');
  const gone = new Promise<true>((resolve) => bot.once('exit', () => resolve(true)));
  bot.kill('SIGTERM');
  if (!(await Promise.race([gone, pause(PATIENCE_MS)]))) throw new Error('the bot did not end');
}

async function compare(
  rig: Rig,
  believed: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  const names = ['--key-env', 'TEST_KEY', '--secret-env', 'TEST_SECRET'];
  const call = (endpoint: string, ...rest: readonly string[]) =>
    rig.run('call', endpoint, ...rest, '--raw', '--spot-url', rig.exchange.url, ...names);
  const { text } = await call('spot.account');
  // Other output stands on lines of its own.
  const found = JSON.parse(text.split('\n').find((line) => line.startsWith('{')) ?? text) as {
    readonly balances: readonly {
      readonly asset: string;
      readonly free: string;
      readonly locked: string;
    }[];
  };
  const differences = found.balances.flatMap(({ asset, free, locked }) => {
    const own = Number(believed.get(asset) ?? 0) + (asset === 'USDT' ? NOT_ALLOCATED : 0);
    const theirs = Number(free) + Number(locked);
    return Math.abs(theirs - own) > 1e-9 * Math.max(1, own)
      ? [`${asset}: bot ${String(own)}, venue ${String(theirs)}`]
      : [];
  });
  const open = await call('spot.openOrders', 'symbol=BTCUSDT');
  if (/orderId/.test(open.text)) differences.push(`orders left at the venue: ${open.text}`);
  return differences;
}
