import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Result } from '../../../src/report/index.js';
import { significanceSchema } from '../../../src/research/index.js';
import { formatLine } from '../../../src/research/ledger/trial-record.js';
import { botFolder } from '../../support/cli/bot-folder.js';
import { runCommand, type CommandRun } from '../../support/cli/command-runner.js';
import {
  drawnTrials,
  FIRST_DAY,
  idOfTrial,
  searchedLedger,
  type SearchedDays,
} from '../../support/research/searched-ledger.js';
import { aTrialRecord } from '../../support/research/trials.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const LEDGER = 'data.trials.jsonl';

/** A folder with a ledger of these trials. */
async function folderWith(trials: readonly SearchedDays[]): Promise<string> {
  const folder = await temporaryFolder();
  await searchedLedger(trials, path.join(folder, LEDGER));
  return folder;
}

const judge = (folder: string, ...args: readonly string[]): Promise<CommandRun> =>
  runCommand(folder, ['significance', LEDGER, '--draws', '100', ...args]);

/** Trials of another strategy, with ids of their own. */
const others = (count: number): readonly SearchedDays[] =>
  drawnTrials(count, { seed: 2 }).map((trial, index) => ({
    ...trial,
    over: { strategy: 'Other', id: idOfTrial(1_000 + index) },
  }));

describe('significance LEDGER', () => {
  it('prints what luck can reach, and then the figures', async () => {
    const folder = await folderWith(drawnTrials(12));

    const { exitCode, stderr, stdout } = await judge(folder);

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^Cross on data c{12}, 12 trials since 2024-01-01\nfast \d+: sharpe /);
    expect(stdout).toMatch(
      /\nLuck {7}12 trials of Cross on these data; by luck alone such a search reaches a best sharpe of -?[\d.]+ in [\d.]+ % to [\d.]+ % of cases, for [\d.]+ independent trials \(.*\) or for 12\n/,
    );
    expect(stdout).toMatch(
      /\nReality {4}if none of 12 trials has an edge, the best does at least as well in [\d.]+ % of 100 resampled histories of 64 days: LUCK CAN EXPLAIN the best trial\n/,
    );
    expect(stdout).toMatch(
      /\nHalves {5}in [\d.]+ % of 12,870 splits of the days into halves \(luck: 50 %\) .*; in [\d.]+ % it loses there\n/,
    );
    expect(stdout).toMatch(
      /\nHaircut {4}corrected for 12 tests, a sharpe of [\d.]+ becomes [\d.]+\n/,
    );
    expect(stdout).toMatch(
      /\nTrack {6}as the only trial, a sharpe of [\d.]+ needs [\d,]+ days to be/,
    );
    expect(stdout).toMatch(/\nPSR, above 0 +[\d.]+ % +[\d.]+ %\n/);
    expect(stdout).toMatch(/\nDSR, as 12 trials +[\d.]+ % +[\d.]+ %\n/);
    expect(stdout).toMatch(/\nPBO +[\d.]+ %, 16 blocks\n/);
    expect(stdout.match(/█+$/gm)?.map((bar) => bar.length)).toContain(40);
  });

  it('writes the judgment as JSON, with the same bytes each time and others with another seed', async () => {
    const folder = await folderWith(drawnTrials(6));

    const [one, again, other] = [
      await judge(folder, '--json', '-'),
      await judge(folder, '--json', 'judged.json'),
      await judge(folder, '--json', '-', '--seed', '2'),
    ];

    expect(await readFile(path.join(folder, 'judged.json'), 'utf8')).toBe(one.stdout);
    expect(again.stdout).toContain('Luck');
    const judged = JSON.parse(one.stdout);
    expect(significanceSchema.parse(judged)).toEqual(judged);
    expect(judged).toMatchObject({
      version: 1,
      strategy: 'Cross',
      trial: { from: FIRST_DAY + 86_400_000, moments: { count: 64 } },
      search: {
        trials: 6,
        table: { trials: 6, days: 64, hasTrial: true },
        reality: { draws: 100 },
      },
    });
    const { reality, ...rest } = JSON.parse(other.stdout).search;
    expect(rest).toMatchObject({ overfitting: judged.search.overfitting });
    expect(reality).not.toEqual(judged.search.reality);
  });

  it('judges the latest search, names the others, and judges a chosen one', async () => {
    const folder = await folderWith([...others(3), ...drawnTrials(4)]);

    const [last, chosen, byData] = [
      await judge(folder),
      await judge(folder, '--strategy', 'Other'),
      await judge(folder, '--strategy', 'Other', '--data', 'CCC'),
    ];

    expect(last.stdout).toContain('4 trials of Cross on these data');
    expect(last.stdout).toContain(
      '\nOthers     the ledger has 1 search more, of 3 trials: choose with --strategy and --data\n',
    );
    expect(chosen.stdout).toContain('3 trials of Other on these data');
    expect(byData.stdout).toBe(chosen.stdout);
  });

  it('reports which trials the day-by-day methods leave out', async () => {
    const folder = await folderWith(
      drawnTrials(5).map((trial, index) => ({
        values: index === 0 ? trial.values.slice(0, 40) : trial.values,
        isKept: index !== 1,
      })),
    );

    const { stdout } = await judge(folder);

    expect(stdout).toContain(
      'Left out   from Reality and Halves, which compare 2024-01-02 to 2024-03-05: 1 with other days, 1 without daily returns',
    );
  });

  it('uses the number of blocks of --blocks', async () => {
    const folder = await folderWith(drawnTrials(3));

    const { stdout } = await judge(folder, '--blocks', '6');

    expect(stdout).toMatch(/ of 20 splits .*\n/);
    expect(stdout).toMatch(/\nPBO +[\d.]+ %, 6 blocks, the first 4 days left out\n/);
  });

  it('ends with 130 when it is interrupted', async () => {
    const folder = await folderWith(drawnTrials(3));

    const run = await runCommand(folder, ['significance', LEDGER], {
      signal: AbortSignal.abort(new Error('interrupted')),
    });

    expect(run).toEqual({ exitCode: 130, stdout: '', stderr: 'interrupted\n' });
  });
});

describe('significance RESULT', () => {
  it('judges the run alone, and with a ledger among all trials beside it', async () => {
    const folder = await botFolder();
    await runCommand(folder, [
      ...['backtest', 'bot.yaml', '--json', 'result.json', '--set', 'warmUp.length=lookback'],
      ...['--set', 'strategy.parameters.slow=20'],
    ]);
    const result: unknown = JSON.parse(await readFile(path.join(folder, 'result.json'), 'utf8'));
    const { run } = result as Pick<Result, 'run'>;
    await writeFile(path.join(folder, 'short.json'), JSON.stringify(result));
    const over = { strategy: 'Sma', data: run.dataHash };
    await searchedLedger(
      drawnTrials(4, { days: 40 }).map((trial) => ({ ...trial, over })),
      path.join(folder, LEDGER),
    );

    const alone = await runCommand(folder, ['significance', 'result.json']);
    const withoutBlanks = await runCommand(folder, ['significance', 'short.json']);
    const beside = await runCommand(folder, [
      ...['significance', 'result.json', '--ledger', LEDGER, '--draws', '50', '--json', '-'],
    ]);

    expect(alone).toMatchObject({ exitCode: 0, stderr: '' });
    expect(alone.stdout).toContain(
      'Search     unknown: pass --ledger FILE to judge it with all trials of its search\n',
    );
    expect(alone.stdout).toMatch(/\nPSR, above 0 /);
    expect(withoutBlanks).toEqual(alone);
    expect(JSON.parse(beside.stdout)).toMatchObject({
      strategy: 'Sma',
      trial: { id: run.id, parameters: run.parameters },
      // The result is one more trial, which the ledger does not contain.
      search: { trials: 5, haircut: { tests: 5 }, table: { trials: 4, otherDays: 1 } },
    });
  });
});

describe('significance refuses', () => {
  const twoOf = (days: number): readonly SearchedDays[] => drawnTrials(2, { days });

  it.each([
    [
      'one trial',
      drawnTrials(1),
      'data.trials.jsonl: expected at least 2 trials with daily returns, received 1 (E_SAMPLE)',
    ],
    [
      'too few days',
      twoOf(29),
      'data.trials.jsonl: expected at least 30 daily returns of a trial, received at most 29; use a longer range (E_SAMPLE)',
    ],
    [
      'days that are not the same',
      drawnTrials(2).map((trial, index) => ({
        ...trial,
        from: FIRST_DAY + index * 40 * 86_400_000,
      })),
      'data.trials.jsonl: expected 2 trials with 30 days in common, received none among 2 (E_SAMPLE)',
    ],
    [
      'no daily returns',
      drawnTrials(3).map((trial) => ({ ...trial, isKept: false })),
      'data.trials.jsonl: expected at least 2 trials with daily returns, received 0; 3 have moments only: the ledger was copied, or an earlier version wrote it (E_SAMPLE)',
    ],
    [
      'trials that never trade',
      [{ values: new Float64Array(40) }, { values: new Float64Array(40) }],
      'data.trials.jsonl: expected a trial with daily returns that differ, received none (E_SAMPLE)',
    ],
    ['no trial', [], 'data.trials.jsonl: expected trials, received an empty ledger (E_SAMPLE)'],
  ])('%s', async (_, trials, message) => {
    const folder = await folderWith(trials);

    expect(await judge(folder)).toEqual({ exitCode: 1, stdout: '', stderr: `${message}\n` });
  });

  it('a ledger whose file of returns is missing or damaged', async () => {
    const folder = await folderWith(drawnTrials(3));
    const returns = path.join(folder, 'data.trials.returns');
    await writeFile(returns, Buffer.alloc(10_000));
    const damaged = await judge(folder);
    await rm(returns);
    const gone = await judge(folder);

    expect(damaged.stderr).toBe(
      'data.trials.jsonl: its file of daily returns is damaged or belongs to another ledger: the returns of 3 trials cannot be read (E_SAMPLE)\n',
    );
    expect(gone.stderr).toMatch(
      /^cannot read .*data\.trials\.returns: no such file or folder \(E_DATA_READ\)\n$/,
    );
  });

  it('a ledger of another version', async () => {
    const folder = await temporaryFolder();
    const record = { ...aTrialRecord(), version: 2 as unknown as 1 };
    await writeFile(path.join(folder, LEDGER), formatLine(record));

    expect((await judge(folder)).stderr).toBe(
      'data.trials.jsonl: expected trials of version 1, received another version for trial 111111111111 (E_TRIALS_VERSION)\n',
    );
  });

  it('a file that is not a ledger, the document of a sweep, or a missing file', async () => {
    const folder = await temporaryFolder();
    await writeFile(path.join(folder, 'sweep.json'), '{\n  "version": 1,\n  "sweep": {}\n}\n');
    await writeFile(path.join(folder, 'some.json'), '{"version":3}\n');
    await writeFile(path.join(folder, LEDGER), 'time,open\n');
    await copyFile(path.join(folder, LEDGER), path.join(folder, 'candles.csv'));
    const said = async (file: string): Promise<string> =>
      (await runCommand(folder, ['significance', file])).stderr;

    expect(await said('sweep.json')).toMatch(
      /^sweep\.json: expected a ledger of trials or a result, received the document of a sweep, which has no daily returns: .* \(E_USAGE\)\n$/,
    );
    expect(await said(LEDGER)).toMatch(/^data\.trials\.jsonl: not a ledger of trials/);
    expect(await said('candles.csv')).toMatch(
      /^candles\.csv: expected a result written by backtest --json, received invalid or truncated JSON/,
    );
    expect(await said('none.jsonl')).toMatch(/^cannot read none\.jsonl: no such file or folder/);
  });

  it('options that do not apply or match no trial', async () => {
    const folder = await folderWith([...drawnTrials(2), ...others(2)]);
    const usage = async (...args: readonly string[]): Promise<string> => {
      const { exitCode, stderr } = await judge(folder, ...args);
      expect(exitCode).toBe(args.includes('--blocks') ? 1 : 2);
      return stderr;
    };

    expect(await usage('--strategy', 'Nobody', '--data', 'cc')).toBe(
      'data.trials.jsonl: expected one of Cross (data cccccccccccc), Other (data cccccccccccc), received Nobody, data cc (E_USAGE)\n',
    );
    expect(await usage('--data', 'xyz')).toBe(
      '--data: expected hexadecimal digits, received "xyz" (E_USAGE)\n',
    );
    expect(await usage('--ledger', LEDGER)).toBe(
      '--ledger needs a result, received the ledger data.trials.jsonl (E_USAGE)\n',
    );
    expect(await usage('--blocks', '7')).toBe(
      'expected an even number of blocks, 2 to 20, received 7 (E_SAMPLE)\n',
    );
  });
});
