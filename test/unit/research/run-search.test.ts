import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  buildSweep,
  chooseSearch,
  KnownTrials,
  runSearch,
  sweepSchema,
  TrialLedger,
  writeDocument,
  type SearchProgress,
  type SearchRequest,
  type Sweep,
  type TrialGround,
  type TrialRunner,
} from '../../../src/research/index.js';
import { STRATEGY } from '../../../src/strategy/index.js';
import {
  aSweepGround,
  aTrialGround,
  Cross,
  inlineRunner,
} from '../../support/research/trial-ground.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

interface Searching {
  readonly runner: TrialRunner;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: SearchProgress) => void;
}

/** Opens the ledger of a folder, searches, and makes the document, like the command. */
async function searchIn(
  folder: string,
  trialGround: TrialGround,
  request: SearchRequest,
  { runner, ...rest }: Searching,
): Promise<string> {
  const file = path.join(folder, 'data.trials.jsonl');
  const search = chooseSearch(request, Cross[STRATEGY].parameters);
  const ground = aSweepGround(trialGround);
  const known = new KnownTrials(file, ground.inputs);
  const ledger = await TrialLedger.open({ file, onLine: known.look });
  try {
    const run = await runSearch({ ground, search, runner, ledger, known, now: () => 0, ...rest });
    return writeDocument(buildSweep({ ...run, ...search }));
  } finally {
    await ledger.close();
  }
}

const SEARCHES: readonly (readonly [string, SearchRequest])[] = [
  ['sobol', { sobol: 22, stopAfter: 22 }],
  ['tpe', { tpe: 14, constraint: ['fast < slow'] }],
  ['cma-es', { cmaEs: 14 }],
  ['nsga-ii', { nsgaIi: 22, objective: 'totalReturn', against: 'maxDrawdown' }],
];

const parse = (text: string): Sweep => sweepSchema.parse(JSON.parse(text));

describe.each(SEARCHES)('a search by %s', (name, request) => {
  const searched: SearchRequest = { objective: 'totalReturn', ...request };

  it('writes the same document with four jobs whose combinations end in another order', async () => {
    const ground = await aTrialGround();
    let wait = Promise.resolve();
    const late = (): Promise<void> => {
      const before = wait;
      wait = before.then(() => undefined);
      return before;
    };

    const [alone, together] = [
      await searchIn(await temporaryFolder(), ground, searched, { runner: inlineRunner(ground) }),
      await searchIn(await temporaryFolder(), ground, searched, {
        runner: inlineRunner(ground, 4, late),
      }),
    ];

    expect(together).toBe(alone);
    const { sweep, trials } = parse(alone);
    expect(sweep).toMatchObject({ search: name, seed: 1 });
    expect(sweep.generations?.reduce((sum, size) => sum + size, 0)).toBe(trials.length);
    expect(new Set(trials.map(({ id }) => id)).size).toBe(trials.length);
  });

  it('resumes from a cut ledger, and writes the same document', async () => {
    const ground = await aTrialGround();
    const folder = await temporaryFolder();
    const whole = await searchIn(folder, ground, searched, { runner: inlineRunner(ground) });
    const ledger = await readFile(path.join(folder, 'data.trials.jsonl'), 'utf8');
    const lines = ledger.split('\n').slice(0, -1);

    for (const kept of [9, lines.length - 1]) {
      const cut = await temporaryFolder();
      const text = lines.slice(0, kept).map((line) => `${line}\n`);
      await writeFile(path.join(cut, 'data.trials.jsonl'), text.join(''));
      const runner = inlineRunner(ground);

      expect(await searchIn(cut, ground, searched, { runner })).toBe(whole);
      expect(runner.tried).toHaveLength(lines.length - kept);
    }
  });
});

describe('a search', () => {
  it('tries other combinations with another seed', async () => {
    const ground = await aTrialGround();
    const request: SearchRequest = { tpe: 12, objective: 'totalReturn' };
    const [one, two] = [
      await searchIn(await temporaryFolder(), ground, request, { runner: inlineRunner(ground) }),
      await searchIn(
        await temporaryFolder(),
        ground,
        { ...request, seed: 2 },
        { runner: inlineRunner(ground) },
      ),
    ];

    const parametersOf = (text: string): unknown =>
      parse(text).trials.map((trial) => trial.parameters);
    expect(parametersOf(two)).not.toEqual(parametersOf(one));
  });

  it('stops at an interrupt, and resumes to the same document', async () => {
    const ground = await aTrialGround();
    const request: SearchRequest = { tpe: 14, objective: 'totalReturn' };
    const folder = await temporaryFolder();
    const interrupt = new AbortController();
    const first = inlineRunner(ground, 1, () => {
      if (first.tried.length >= 11) interrupt.abort(new Error('interrupted'));
    });

    await expect(
      searchIn(folder, ground, request, { runner: first, signal: interrupt.signal }),
    ).rejects.toThrow('interrupted');
    const second = inlineRunner(ground);
    const text = await searchIn(folder, ground, request, { runner: second });

    expect(text).toBe(
      await searchIn(await temporaryFolder(), ground, request, { runner: inlineRunner(ground) }),
    );
    expect(first.tried.length + second.tried.length).toBe(14);
  });

  it('reports the best trial so far, which never gets worse', async () => {
    const ground = await aTrialGround();
    const seen: SearchProgress[] = [];

    const text = await searchIn(
      await temporaryFolder(),
      ground,
      { tpe: 14, objective: 'totalReturn' },
      {
        runner: inlineRunner(ground),
        onProgress: (progress) => {
          seen.push(progress);
        },
      },
    );

    const figures = seen.flatMap(({ best }) =>
      best?.outcome.status === 'finished' ? [best.outcome.statistics.totalReturn ?? NaN] : [],
    );
    expect(figures).toEqual(figures.toSorted((a, b) => a - b));
    expect(figures.at(-1)).toBe(parse(text).best?.figure);
    expect(seen.at(-1)).toMatchObject({ done: 14, ran: 14, total: 14 });
  });

  it('keeps fixed parameters, and tries and ranks only trials that meet the constraints', async () => {
    const ground = await aTrialGround();

    const text = await searchIn(
      await temporaryFolder(),
      ground,
      {
        random: 30,
        fix: 'slow',
        constraint: ['fast < slow', 'maxDrawdown < 0.15'],
        minTrades: 2,
        objective: 'totalReturn',
      },
      { runner: inlineRunner(ground) },
    );

    const { sweep, trials, best } = parse(text);
    expect(sweep.axes.map((axis) => axis.name)).toEqual(['fast']);
    // The default of slow is 30.
    expect(trials.every(({ parameters }) => Number(parameters['fast']) < 30)).toBe(true);
    const ranked = trials.flatMap((trial) =>
      trial.status === 'finished' &&
      trial.statistics.trades >= 2 &&
      (trial.statistics.maxDrawdown ?? 1) < 0.15
        ? [trial.statistics.totalReturn ?? NaN]
        : [],
    );
    expect(ranked.length).toBeGreaterThan(0);
    expect(ranked.length).toBeLessThan(trials.length);
    expect(best?.figure).toBe(Math.max(...ranked));
  });

  it('stops early after a generation without a better trial', async () => {
    const ground = await aTrialGround();

    const text = await searchIn(
      await temporaryFolder(),
      ground,
      { random: 400, stopAfter: 20, objective: 'totalReturn' },
      { runner: inlineRunner(ground) },
    );

    const { sweep, trials, best } = parse(text);
    expect(sweep.stopAfter).toBe(20);
    expect(trials.length).toBeLessThan(400);
    expect(trials.length % 20).toBe(0);
    expect(trials.length - 1 - (best?.index ?? 0)).toBeGreaterThanOrEqual(20);
  });

  it('returns a front of two figures', async () => {
    const ground = await aTrialGround();

    const text = await searchIn(
      await temporaryFolder(),
      ground,
      { random: 25, objective: 'totalReturn', against: 'maxDrawdown' },
      { runner: inlineRunner(ground) },
    );

    const { front, trials, best } = parse(text);
    const pairs = (front ?? []).map((index) => {
      const trial = trials[index];
      if (trial?.status !== 'finished') throw new Error('a failed trial is on the front');
      return [trial.statistics.totalReturn ?? NaN, trial.statistics.maxDrawdown ?? NaN] as const;
    });
    expect(front?.[0]).toBe(best?.index);
    expect(pairs.length).toBeGreaterThan(1);
    for (const [index, [money, fall]] of pairs.slice(1).entries()) {
      expect(money).toBeLessThan(pairs[index]?.[0] ?? NaN);
      expect(fall).toBeLessThan(pairs[index]?.[1] ?? NaN);
    }
  });
});

describe('chooseSearch', () => {
  const { parameters } = Cross[STRATEGY];

  it.each<readonly [SearchRequest, string]>([
    [{ tpe: 10, random: 10 }, 'expected one way to search, received --tpe and --random'],
    [{ nsgaIi: 10 }, '--nsga-ii searches for a front and needs --against'],
    [{ tpe: 10, against: 'maxDrawdown' }, '--tpe optimizes one figure'],
    [{ objective: 'cagr', against: 'cagr' }, '--against: expected a figure other than cagr'],
    [{ grid: 'fast=5', constraint: ['fast > 9'] }, 'no combination satisfies the constraints'],
    [{ tpe: 10, constraint: ['fast > 9', 'fast < 9'] }, 'no combination satisfies the constraints'],
    [{ cmaEs: 10, constraint: ['slow < 1'] }, 'no combination satisfies the constraints'],
    [
      { nsgaIi: 10, against: 'maxDrawdown', constraint: ['slow < 1'] },
      'no combination satisfies the constraints',
    ],
    [{ constraint: ['fast is small'] }, "expected two sides and an operator, as in 'fast < slow'"],
    [{ constraint: ['fast ~< 3'] }, 'received "fast ~"'],
    [{ constraint: ['fast << 3'] }, 'expected one of < <= > >= = !=, received "<<"'],
    [{ constraint: ['sharp > 1'] }, '(did you mean sharpe?), received "sharp"'],
    [{ constraint: ['sharpe > slow'] }, 'expected a number, as in 0.2, received "slow"'],
    [{ fix: 'fast,slow' }, 'the strategy has no parameters to sweep'],
    [{ fix: 'quick' }, '--fix quick: expected one of the parameters fast, slow'],
    [{ tpe: 10_001 }, 'expected at most 10000 combinations with --tpe, received 10001'],
    [{ cmaEs: 100_001 }, 'expected at most 100000 combinations with --cma-es, received 100001'],
  ])('refuses %j', (request, message) => {
    expect(() => chooseSearch(request, parameters)).toThrow(message);
  });

  it('tries a whole grid that is smaller than the requested count', () => {
    const search = chooseSearch({ grid: 'fast=5:10:5,slow=20:40:20', tpe: 50 }, parameters);

    expect(search).toMatchObject({ method: 'tpe', seed: 1, count: 4 });
    expect(search.combinations).toHaveLength(4);
  });
});
