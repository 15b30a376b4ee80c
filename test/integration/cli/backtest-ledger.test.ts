import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PastRun } from '../../../src/cli/runs/past-run.js';
import { present } from '../../../src/domain/index.js';
import { trialRecordSchema, type TrialRecord } from '../../../src/research/index.js';
import { botFolder } from '../../support/cli/bot-folder.js';
import { runCommand, type CommandRun } from '../../support/cli/command-runner.js';
import { createTrialRunner } from '../../support/cli/inline-trials.js';

const LEDGER = 'data.trials.jsonl';

const run = (folder: string, ...args: readonly string[]): Promise<CommandRun> =>
  runCommand(folder, args, { createTrialRunner });

const sweep = (folder: string, fast: string): Promise<CommandRun> =>
  run(folder, 'sweep', 'bot.yaml', '--grid', `fast=${fast},slow=20`);

const backtest = (folder: string, fast: number, ...args: string[]): Promise<CommandRun> =>
  run(
    folder,
    ...['backtest', 'bot.yaml', '--set', `strategy.parameters.fast=${String(fast)}`],
    ...['--set', 'strategy.parameters.slow=20', ...args],
  );

async function trialsOf(folder: string, name = LEDGER): Promise<readonly TrialRecord[]> {
  const text = await readFile(path.join(folder, name), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => trialRecordSchema.parse(JSON.parse(line)));
}

describe('backtest and the ledger of trials', () => {
  it('adds the same trial as a sweep, once', async () => {
    const [swept, single] = [await botFolder(), await botFolder()];
    await sweep(swept, '5|6');
    await sweep(single, '5');

    const first = await backtest(single, 6);
    const again = await backtest(single, 6);

    expect(first).toMatchObject({ exitCode: 0, stderr: '' });
    const said = 'Ledger    data.trials.jsonl: 2 trials of Sma on these data, with this one\n';
    expect(first.stdout.endsWith(`\n\n${said}`)).toBe(true);
    expect(again.stdout).toBe(first.stdout);
    const [expected, found] = [await trialsOf(swept), await trialsOf(single)];
    expect(found.map((trial) => ({ ...trial, at: 0 }))).toEqual(
      expected.map((trial) => ({ ...trial, at: 0 })),
    );
    const returns = (folder: string): Promise<Buffer> =>
      readFile(path.join(folder, 'data.trials.returns'));
    expect(await returns(single)).toEqual(await returns(swept));
  });

  it('adds trials that the command trials and the next sweep count', async () => {
    const folder = await botFolder();
    await sweep(folder, '5');
    for (const fast of [6, 7, 8]) await backtest(folder, fast);

    const { stdout } = await run(folder, 'trials', LEDGER);

    expect(stdout).toMatch(/\n4 trials of Sma on data [0-9a-f]{12} since /);
    expect((await sweep(folder, '5|9')).stdout).toContain(
      '\nLuck       5 trials of Sma on these data, 3 of them before this sweep; ',
    );
  });

  it('is listed from the ledger as its result is listed from a folder', async () => {
    const folder = await botFolder();
    await sweep(folder, '5');
    await mkdir(path.join(folder, 'results'));
    await backtest(folder, 6, '--json', 'results/six.json');
    const list = async (...args: readonly string[]): Promise<readonly PastRun[]> =>
      JSON.parse((await run(folder, 'runs', ...args, '--json', '-')).stdout) as readonly PastRun[];

    const [result] = await list('results');
    const trials = await list(LEDGER);
    const found = await list(LEDGER, '--find', result?.id.slice(0, 10) ?? '');
    const text = await run(folder, 'runs', LEDGER);
    const lost = await run(folder, 'runs', LEDGER, '--find', 'ffffffffffff');

    expect(trials.map(({ parameters }) => parameters['fast'])).toEqual([6, 5]);
    const { hashes, written, file, instruments, ...figures } = present(result, 'result');
    expect(found).toMatchObject([{ ...figures, file: LEDGER }]);
    expect([hashes[0], file, instruments]).toEqual([
      found[0]?.id,
      'results/six.json',
      ['spot:BTCUSDT'],
    ]);
    expect(written).toBeGreaterThan(0);
    expect(text.stdout).toMatch(/fast 6, slow 20 .*\n.*fast 5, slow 20 /);
    expect([lost.exitCode, lost.stderr]).toEqual([1, expect.stringContaining('E_RUN_UNKNOWN')]);
  });

  it('adds nothing without a ledger, or with --no-ledger', async () => {
    const [bare, swept] = [await botFolder(), await botFolder()];
    await sweep(swept, '5');

    const [alone, without] = [await backtest(bare, 6), await backtest(swept, 6, '--no-ledger')];

    expect(without.stdout).toBe(alone.stdout);
    expect(existsSync(path.join(bare, LEDGER))).toBe(false);
    expect(await trialsOf(swept)).toHaveLength(1);
  });

  it('creates the ledger of --ledger', async () => {
    const folder = await botFolder();

    const { stdout } = await backtest(folder, 6, '--ledger', 'own.jsonl');

    expect(stdout).toContain(
      '\nLedger    own.jsonl: 1 trial of Sma on these data, with this one\n',
    );
    expect(await trialsOf(folder, 'own.jsonl')).toMatchObject([{ parameters: { fast: 6 } }]);
  });

  it('refuses a folder as the ledger before the run, as a sweep does', async () => {
    const folder = await botFolder();
    await mkdir(path.join(folder, 'results'));

    const single = await backtest(folder, 6, '--ledger', 'results');
    const swept = await run(
      folder,
      ...['sweep', 'bot.yaml', '--grid', 'fast=5,slow=20', '--ledger', 'results'],
    );

    const refused = 'cannot write results: it is a folder (E_DATA_WRITE)\n';
    expect(single).toMatchObject({ exitCode: 1, stdout: '', stderr: refused });
    expect(swept).toMatchObject({ exitCode: 1, stdout: '', stderr: refused });
    expect(existsSync(path.join(folder, 'results.lock'))).toBe(false);
  });

  it('runs without a ledger that another process writes to, unless --ledger names it', async () => {
    const folder = await botFolder();
    await sweep(folder, '5');
    await writeFile(path.join(folder, `${LEDGER}.lock`), '{}');

    const beside = await backtest(folder, 6);
    const named = await backtest(folder, 6, '--ledger', LEDGER);

    expect(beside).toMatchObject({ exitCode: 0 });
    expect(beside.stderr).toContain('this run was not added to the ledger of trials: ');
    expect(named).toMatchObject({ exitCode: 1, stdout: '' });
    expect(named.stderr).toContain('(E_TRIALS_LOCKED)');
  });
});
