import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { QueueProcess } from './queue-process.js';
import { SearchRig, STRATEGY, sweepWords } from './search-rig.js';

const ON_QUEUE = ['--queue', 'env'];
/** Long enough to still run when another command reaches it. */
const LONG = 60;
const SECONDS_MS = 8_000;
/** Each run writes its parameters to the output of its process. */
const TELLING = STRATEGY.replace(
  'override onCandle(): void {',
  `#isTold = false;
  override onCandle(): void {
    if (!this.#isTold) process.stderr.write(\`<\${this.parameters.fast},\${this.parameters.slow}>\`);
    this.#isTold = true;`,
);

let rig: SearchRig;
beforeAll(async () => {
  rig = await SearchRig.open(TELLING);
});
afterAll(() => rig.close());

/** The name of a search, from the output of its coordinator. */
async function nameOf(coordinator: QueueProcess): Promise<string> {
  await rig.until(() => /^search \w+ on /m.test(coordinator.output), 'the name of a search');
  return /^search (\w+) on /m.exec(coordinator.output)?.[1] ?? '';
}

const linesOf = (name: string): number =>
  existsSync(path.join(rig.home, `${name}.jsonl`))
    ? rig.read(`${name}.jsonl`).split('\n').length - 1
    : 0;

describe('commands on a queue', () => {
  let workers: readonly QueueProcess[];
  beforeAll(() => {
    workers = [rig.workerFolder(), rig.workerFolder()].map((folder) => rig.startWorker(folder));
  });
  afterAll(async () => {
    for (const worker of workers) worker.kill('SIGTERM');
    await Promise.all(workers.map(({ ended }) => ended));
  });

  it.each<[string, readonly string[]]>([
    ['sweep --tpe', ['sweep', 'bot.yaml', '--grid', 'fast=5:50,slow=60:200', '--tpe', '40']],
    [
      'walk-forward',
      [
        ...['walk-forward', 'bot.yaml', '--grid', 'fast=5:20:1,slow=30:60:10'],
        ...['--train', '14d', '--test', '7d', '--objective', 'totalReturn'],
      ],
    ],
    [
      'walk-forward --cpcv',
      [
        'walk-forward',
        'bot.yaml',
        '--grid',
        'fast=5:20:1,slow=30:60:10',
        '--cpcv',
        '4,2',
        '--objective',
        'totalReturn',
      ],
    ],
    ['monte-carlo --candles', ['monte-carlo', 'bot.yaml', '--candles', '60', '--paths', '100']],
  ])('%s writes the same document as with threads', async (name, words) => {
    const file = name.replace(/\W+/g, '-');
    const ledger = (where: string): readonly string[] =>
      words[0] === 'monte-carlo' ? [] : ['--ledger', `${file}-${where}.jsonl`];
    await rig.run([...words, ...ledger('alone'), '--json', `${file}-alone.json`, '--jobs', '1']);

    await rig.run([...words, ...ledger('queue'), '--json', `${file}-queue.json`, ...ON_QUEUE]);

    expect(rig.read(`${file}-queue.json`)).toBe(rig.read(`${file}-alone.json`));
  });

  it('are canceled within seconds, and the same command continues from the ledger', async () => {
    const words = sweepWords('canceled', LONG);
    const coordinator = rig.start([...words, ...ON_QUEUE]);
    const search = await nameOf(coordinator);
    await rig.until(() => linesOf('canceled') > 0, 'a trial');

    await rig.run(['queue', 'cancel', search, ...ON_QUEUE]);
    const begun = performance.now();
    const { code } = await coordinator.ended;
    const ends = (): number =>
      workers.filter(({ output }) => output.includes(`search ${search} has ended`)).length;
    await rig.until(() => ends() === workers.length, 'the end of the work');

    expect(performance.now() - begun).toBeLessThan(SECONDS_MS);
    expect(code).toBe(1);
    expect(coordinator.output).toContain('E_QUEUE_CANCELED');
    const lines = linesOf('canceled');
    expect(lines).toBeLessThan(100 * LONG);
    const again = rig.start([...words, ...ON_QUEUE]);
    await nameOf(again);
    again.kill('SIGINT');
    expect((await again.ended).code).toBe(130);
    expect(again.output).toContain(`knows ${String(lines)} of`);
    expect(await rig.run(['queue', 'status', ...ON_QUEUE])).toContain(': 0 searches');
  });

  it('end when they are drained, with all running trials in the ledger', async () => {
    // No other search has these slow averages.
    const slowFrom = 300;
    const ran = (): readonly string[] =>
      workers
        .flatMap(({ output }) => [...output.matchAll(/<(\d+),(\d+)>/g)])
        .filter(([, , slow]) => Number(slow) >= slowFrom)
        .map(([, fast, slow]) => `${fast ?? ''} ${slow ?? ''}`);
    const coordinator = rig.start([...sweepWords('drained', LONG, slowFrom), ...ON_QUEUE]);
    const search = await nameOf(coordinator);
    await rig.until(() => linesOf('drained') > 0, 'a trial');

    await rig.run(['queue', 'drain', search, ...ON_QUEUE]);
    const { code } = await coordinator.ended;

    expect(code).toBe(1);
    expect(coordinator.output).toContain('E_QUEUE_DRAINED');
    const kept = rig
      .read('drained.jsonl')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { parameters: { fast: number; slow: number } })
      .map(({ parameters: { fast, slow } }) => `${String(fast)} ${String(slow)}`);
    expect(kept.length).toBeLessThan(100 * LONG);
    await rig.until(() => ran().length >= kept.length, 'the output of the workers');
    expect(ran().toSorted()).toEqual(kept.toSorted());
  });

  it('run by priority: a search of priority 1 ends while one of priority 100 waits', async () => {
    const patient = rig.start([...sweepWords('patient', LONG), ...ON_QUEUE]);
    await rig.until(() => linesOf('patient') > 0, 'a trial');

    await rig.run([...sweepWords('urgent', 8), ...ON_QUEUE, '--priority', '1']);

    expect(patient.isRunning).toBe(true);
    expect(linesOf('urgent')).toBe(800);
    patient.kill('SIGINT');
    await patient.ended;
  });
});

describe('access to a queue', () => {
  const words = ['sweep', 'bot.yaml', '--grid', 'fast=5:6:1'];

  it.each<[string, readonly string[], string]>([
    ['a password on the command line', ['--queue', 'redis://:pw@127.0.0.1:1'], 'E_QUEUE_PASSWORD'],
    ['another machine without a password', ['--queue', 'redis://192.0.2.1:1'], 'E_QUEUE_OPEN'],
    ['what is no URL', ['--queue', 'nowhere'], 'E_QUEUE_ADDRESS'],
    ['a server that is not there', ['--queue', 'redis://127.0.0.1:1'], 'E_QUEUE_SERVER'],
    ['threads of this machine', [...ON_QUEUE, '--jobs', '2'], 'E_USAGE'],
    ['a priority without a queue', ['--priority', '3'], 'E_USAGE'],
  ])('is refused: %s', async (_, flags, code) => {
    const process = rig.start([...words, ...flags]);

    expect((await process.ended).code).toBe(code === 'E_QUEUE_SERVER' ? 1 : 2);
    expect(process.output).toContain(code);
  });

  it('is refused to a worker without a secret, and by a worker with another secret', async () => {
    const folder = rig.workerFolder();
    const nobody = rig.start(['worker', ...ON_QUEUE, '--archive', 'data'], {
      folder,
      env: { EVENKEEL_QUEUE_SECRET: '' },
    });
    expect((await nobody.ended).code).toBe(2);
    expect(nobody.output).toContain('E_QUEUE_TRUST');
    const stranger = rig.startWorker(folder, { env: { EVENKEEL_QUEUE_SECRET: 'another' } });
    const wait = ['--worker-wait', '5'];
    const coordinator = rig.start([...sweepWords('strange', 1), ...ON_QUEUE, ...wait]);

    expect((await coordinator.ended).code).toBe(1);

    expect(coordinator.output).toMatch(
      /for 5 seconds: 1 worker on the queue, 1 refused it.*E_QUEUE_UNSERVED/,
    );
    expect(coordinator.output).toMatch(/refuses: it is not signed with the secret of this worker/);
    stranger.kill('SIGTERM');
    await stranger.ended;
    expect(linesOf('strange')).toBe(0);
  });

  it('is granted by the hash of the plugin if no secret is shared', async () => {
    const folder = rig.workerFolder();
    const env = { EVENKEEL_QUEUE_SECRET: '' };
    const coordinator = rig.start([...sweepWords('listed', 1), ...ON_QUEUE], { env });
    await rig.until(() => /hash, ([0-9a-f]{64})/.test(coordinator.output), 'a hash');
    const hash = /hash, ([0-9a-f]{64})/.exec(coordinator.output)?.[1] ?? '';
    writeFileSync(`${folder}/none.txt`, `# nothing yet\n${'0'.repeat(64)} another\n`);
    writeFileSync(`${folder}/some.txt`, `${hash} cross\n`);
    const wrong = rig.startWorker(folder, { env, words: ['--allow', 'none.txt'] });
    await rig.until(() => coordinator.output.includes('refuses'), 'a refusal');
    expect(coordinator.output).toContain('is not in the --allow file');
    const right = rig.startWorker(folder, { env, words: ['--allow', 'some.txt'] });

    expect((await coordinator.ended).code).toBe(0);
    expect(linesOf('listed')).toBe(100);
    for (const process of [wrong, right]) process.kill('SIGTERM');
    await Promise.all([wrong.ended, right.ended]);
  });
});
