import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { formatFixed } from '../../src/domain/index.js';
import { readJournal, type JournalReader } from '../../src/journal/index.js';
import { JOURNAL, pause, type Rig } from './rig.js';

/** What the account had besides what the bot was given. */
const NOT_ALLOCATED = 90_000;

const LOOK_MS = 500;
const PATIENCE_MS = 60_000;

/** Ends the processes of a rig: nothing was sent twice, what is left can be left, and bot and venue have the same. Returns what is not so. */
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

/** Replays all epochs of a rig that has ended, and removes its folder. Returns those that are not the same. */
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

/** Who is asked and does not answer in time, on a busy machine, was not told. */
async function flatten(rig: Rig): Promise<void> {
  const last = performance.now() + PATIENCE_MS;
  while ((await rig.tell('flatten')) === undefined) {
    if (performance.now() > last) throw new Error('nobody was there to be told to flatten');
    await pause(LOOK_MS);
  }
}

/** Ends the bot in order. Its output may stay open: a guard process that takes over has it, too. */
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
  // What is said beside it stands on lines of its own.
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
