import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseUtc } from '../../../src/domain/index.js';
import { formatLine } from '../../../src/research/ledger/trial-record.js';
import type { TrialRecord } from '../../../src/research/index.js';
import { runCommand, type CommandRun } from '../../support/cli/command-runner.js';
import { aFinishedTrial, aTrialRecord } from '../../support/research/trials.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const LEDGER = 'data.trials.jsonl';

const trial = (index: number, over: Partial<TrialRecord> = {}): TrialRecord =>
  aTrialRecord({
    id: `${String(index)}${'f'.repeat(62)}${String(index)}`,
    parameters: { fast: index },
    outcome: aFinishedTrial(index / 2),
    at: parseUtc(`2026-03-0${String(index)}T10:20:30Z`),
    ...over,
  });

const TRIALS = [
  trial(1, { strategy: 'Other', data: 'd'.repeat(64) }),
  trial(3),
  trial(2),
  trial(4, { outcome: { status: 'failed', code: 'E_STRATEGY_START', message: 'fast >= slow' } }),
];

async function folderWith(trials: readonly TrialRecord[]): Promise<string> {
  const folder = await temporaryFolder();
  await writeFile(path.join(folder, LEDGER), trials.map((trial) => formatLine(trial)).join(''));
  return folder;
}

const run = (folder: string, ...args: readonly string[]): Promise<CommandRun> =>
  runCommand(folder, ['trials', LEDGER, ...args]);

describe('trials', () => {
  it('counts by strategy and data, with the latest search last', async () => {
    expect(await run(await folderWith(TRIALS))).toEqual({
      exitCode: 0,
      stderr: '',
      stdout: [
        'Strategy  Data          Trials  Failed       First        Last  Best sharpe',
        '────────  ────────────  ──────  ──────  ──────────  ──────────  ───────────',
        'Other     dddddddddddd       1       0  2026-03-01  2026-03-01         0.50',
        'Cross     cccccccccccc       2       1  2026-03-02  2026-03-04         1.50',
        '',
        '3 trials in 2 searches',
        '',
      ].join('\n'),
    });
  });

  it('counts only matching trials', async () => {
    const folder = await folderWith(TRIALS);

    const [named, byData, since, none] = [
      await run(folder, '--strategy', 'Cross'),
      await run(folder, '--data', 'DDD'),
      await run(folder, '--since', '2026-03-03'),
      await run(folder, '--strategy', 'Nobody'),
    ];

    expect(named.stdout).toMatch(/\n2 trials of Cross on data cccccccccccc since 2026-03-02\n$/);
    expect(byData.stdout).toMatch(/\n1 trial of Other on data dddddddddddd since 2026-03-01\n$/);
    expect(since.stdout).toMatch(/\n1 trial of Cross on data cccccccccccc since 2026-03-03\n$/);
    expect(none).toEqual({ exitCode: 0, stderr: '', stdout: `no matching trials in ${LEDGER}\n` });
  });

  it('lists trials, the newest or the best first', async () => {
    const folder = await folderWith(TRIALS);

    const [newest, best] = [await run(folder, '--list', '2'), await run(folder, '--best', '3')];

    expect(newest.stdout.split('\n').slice(-4)).toEqual([
      '────────────────  ────────────  ────────  ────────────  ──────────  ────────────────  ──────  ────────  ──────',
      '2026-03-04 10:20  4fffffffffff  Cross     cccccccccccc  fast 4      E_STRATEGY_START',
      '2026-03-02 10:20  2fffffffffff  Cross     cccccccccccc  fast 2                  1.00  1.00 %   10.00 %      10',
      '',
    ]);
    expect(best.stdout.match(/fast \d/g)).toEqual(['fast 3', 'fast 2', 'fast 1']);
  });

  it('writes searches and trials as JSON', async () => {
    const { stdout } = await run(await folderWith(TRIALS), '--best', '1', '--json', '-');

    expect(JSON.parse(stdout)).toEqual({
      searches: [
        expect.objectContaining({ strategy: 'Other', trials: 1 }),
        expect.objectContaining({ strategy: 'Cross', trials: 2, failed: 1, bestSharpe: 1.5 }),
      ],
      trials: [trial(3)],
    });
  });

  it.each([
    [['--since', 'March'], 2, '--since: expected a UTC date such as 2025-06-01'],
    [['--data', 'xyz'], 2, '--data: expected hexadecimal digits, received "xyz" (E_USAGE)'],
    [['--list', '1', '--best', '1'], 2, 'expected --list or --best, received both (E_USAGE)'],
  ])('refuses %j', async (args, exitCode, message) => {
    const refused = await run(await folderWith(TRIALS), ...args);

    expect(refused).toMatchObject({ exitCode, stdout: '' });
    expect(refused.stderr).toContain(message);
  });

  it('reports a file that is missing, not a ledger, or of another version', async () => {
    const folder = await folderWith([]);
    expect((await run(folder)).stdout).toBe(`no matching trials in ${LEDGER}\n`);
    await writeFile(path.join(folder, LEDGER), 'time,open\n1,2\n');
    expect((await run(folder)).stderr).toMatch(/^data\.trials\.jsonl: not a ledger of trials/);
    await writeFile(path.join(folder, LEDGER), formatLine({ ...trial(1), version: 2 as never }));
    expect((await run(folder, '--list', '1')).stderr).toBe(
      'data.trials.jsonl: expected version 1 of the trial at byte 0, received another (E_TRIALS_VERSION)\n',
    );
    expect((await run(await temporaryFolder())).stderr).toMatch(
      /^cannot read data\.trials\.jsonl: no such file or folder/,
    );
  });
});
