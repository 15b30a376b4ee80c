import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openQueueServer, parseAddress, Seal, SearchBoard } from '../../src/queue/index.js';
import type { SearchDescription } from '../../src/queue/messages.js';
import { present } from '../../src/domain/index.js';
import { queueClock } from '../../src/cli/queue/queue-clock.js';
import { SearchRig, SECRET, sweepWords, synthWords } from './search-rig.js';

const ON_QUEUE = ['--queue', 'env'];
const HUNDREDS = 2;

/** Kills its own process with some parameters. */
const DEADLY = `import { CandleStrategy, crossedAbove, crossedBelow, int, sma } from 'evenkeel';

export class Cross extends CandleStrategy({ fast: int(2, 2000, 10), slow: int(2, 4000, 30) }) {
  readonly fast = this.indicator(sma(this.parameters.fast));
  readonly slow = this.indicator(sma(this.parameters.slow));

  override onCandle(): void {
    if (this.parameters.fast === 50) process.kill(process.pid, 'SIGKILL');
    if (crossedAbove(this.fast, this.slow)) this.enterLong({ equity: '0.95' });
    else if (crossedBelow(this.fast, this.slow)) this.exit();
  }
}
`;

describe('a worker with different inputs', () => {
  let rig: SearchRig;
  beforeAll(async () => {
    rig = await SearchRig.open();
  });
  afterAll(() => rig.close());

  /** The output of the coordinator up to a refusal, and the output of the worker. */
  async function refusal(prepare: (folder: string) => Promise<void>): Promise<{
    readonly coordinator: string;
    readonly worker: string;
  }> {
    const folder = rig.workerFolder();
    await prepare(folder);
    const worker = rig.startWorker(folder);
    const coordinator = rig.start([...sweepWords('refused', HUNDREDS), ...ON_QUEUE]);
    await rig.until(() => coordinator.output.includes('refuses'), 'a refusal');
    coordinator.kill('SIGINT');
    await coordinator.ended;
    worker.kill('SIGTERM');
    expect(await worker.ended).toEqual({ code: 0, signal: null });
    expect(rig.read('refused.jsonl')).toBe('');
    return { coordinator: coordinator.output, worker: worker.output };
  }

  it('is refused if candles differ, with both checksums and the command that copies the right ones', async () => {
    const said = await refusal(async (folder) => {
      rmSync(path.join(folder, 'data'), { recursive: true });
      await rig.run(synthWords(2), { folder });
    });

    for (const text of Object.values(said)) {
      expect(text).toMatch(
        /the data: spot:BTCUSDT 1h: expected [0-9a-f]{64}, received [0-9a-f]{64}\. Copy .* evenkeel data sync FROM --archive /,
      );
      expect(text).toContain('E_QUEUE_UNEQUAL');
    }
  });

  it('is refused if candles are missing, with the command that copies them', async () => {
    const { coordinator } = await refusal((folder) => {
      rmSync(path.join(folder, 'data'), { recursive: true });
      return Promise.resolve();
    });

    expect(coordinator).toMatch(/the data: .*evenkeel data sync FROM --archive /);
  });

  it.each<[string, Partial<SearchDescription>, RegExp]>([
    ['engine', { engine: '9.9.9' }, /the version of the engine: expected 9\.9\.9, received \d/],
    ['Node', { node: 19 }, /the major version of Node: expected 19, received \d+/],
  ])('is refused with another %s', async (name, other, expected) => {
    const refusals = await refusalsOf(rig, name, (description) => ({ ...description, ...other }));

    expect(refusals[0]).toMatch(expected);
  });

  it('is refused if the plugin does not match its hash, before any of it is loaded', async () => {
    const mark = path.join(rig.home, 'loaded');
    const refusals = await refusalsOf(rig, 'plugin', (description) => {
      const files = Object.fromEntries(
        Object.entries(description.plugin.files).map(([name, text]) => [
          name,
          `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(mark)}, '');\n${text}`,
        ]),
      );
      return { ...description, plugin: { ...description.plugin, files } };
    });

    expect(refusals[0]).toMatch(/the plugin's hash: expected [0-9a-f]{64}, received [0-9a-f]{64}/);
    expect(() => rmSync(mark)).toThrow('ENOENT');
  });
});

describe('a chunk that crashes its worker', () => {
  it('is reported after three crashes, and does not end the search', async () => {
    const rig = await SearchRig.open(DEADLY);
    let deaths = 0;
    let isOver = false;
    const folder = rig.workerFolder();
    const begin = (): void => {
      void rig.startWorker(folder).ended.then(({ signal }) => {
        if (signal === 'SIGKILL') deaths += 1;
        if (!isOver) begin();
      });
    };
    begin();

    const output = await rig.run([...sweepWords('deadly', 1), ...ON_QUEUE]);

    isOver = true;
    const { trials } = JSON.parse(rig.read('deadly.json')) as {
      readonly trials: readonly {
        readonly status: string;
        readonly code?: string;
        readonly parameters: { readonly fast: number };
      }[];
    };
    const failed = trials.filter(({ status }) => status === 'failed');
    expect(deaths).toBeGreaterThanOrEqual(3);
    expect(output).toMatch(
      /chunk [0-9a-f]+ of \d+ combinations: its chunk broke its worker 3 times/,
    );
    expect(failed.map(({ parameters }) => parameters.fast)).toContain(50);
    expect(new Set(failed.map(({ code }) => code))).toEqual(new Set(['E_TRIAL_CRASHED']));
    expect(failed.length).toBeLessThan(trials.length / 2);
    await rig.close();
  });
});

/**
 * The refusals of a worker in a search whose description was altered on the queue. The worker starts after both searches
 * were posted, so that the true one cannot end before the altered one is read.
 */
async function refusalsOf(
  rig: SearchRig,
  name: string,
  alter: (description: SearchDescription) => SearchDescription,
): Promise<readonly string[]> {
  const server = await openQueueServer(parseAddress(rig.server.url, 'test'), {
    time: queueClock,
    say: () => undefined,
  });
  const board = new SearchBoard(server);
  const coordinator = rig.start([...sweepWords(name, HUNDREDS), ...ON_QUEUE]);
  await rig.until(async () => (await board.names()).length > 0, 'a search');
  const posted = present(await board.read(present((await board.names())[0], 'name')), 'search');
  const text = JSON.stringify(alter(present(posted.description, 'description')));
  const search = await board.post(text, new Seal(SECRET).sign('search', text), 1);
  // A worker reads a search only if a job waits in it.
  await server.redis.lpush(`evenkeel:search-${search}:wait`, 'x');
  const worker = rig.startWorker(rig.workerFolder());
  await rig.until(async () => (await board.refusals(search)).size > 0, 'a refusal');

  const refusals = [...(await board.refusals(search)).values()];
  await board.remove(search);
  expect(await coordinator.ended).toEqual({ code: 0, signal: null });
  worker.kill('SIGTERM');
  await worker.ended;
  server.close();
  return refusals;
}
