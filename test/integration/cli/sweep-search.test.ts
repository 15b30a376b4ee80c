import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeChanges } from '../../../src/cli/sweep/describe-changes.js';
import { sweepSchema, type Sweep } from '../../../src/research/index.js';
import { botFolder, SMA_SOURCE } from '../../support/cli/bot-folder.js';
import { BOT_YAML, botYaml } from '../../support/cli/bot-yaml.js';
import { runCommand, type CommandRun } from '../../support/cli/command-runner.js';
import { createTrialRunner } from '../../support/cli/inline-trials.js';

const sweep = (
  folder: string,
  args: readonly string[],
  io: Parameters<typeof runCommand>[2] = {},
): Promise<CommandRun> =>
  runCommand(folder, ['sweep', 'bot.yaml', '--objective', 'totalReturn', ...args], {
    createTrialRunner,
    ...io,
  });

const parse = (text: string): Sweep => sweepSchema.parse(JSON.parse(text));
const textOf = (folder: string, file: string): Promise<string> =>
  readFile(path.join(folder, file), 'utf8');

describe('a sweep with a search method', () => {
  it('prints its search method, the combinations left out, and how good the best one is', async () => {
    const folder = await botFolder();

    const run = await sweep(folder, [
      ...['--tpe', '24', '--seed', '5', '--min-trades', '3'],
      ...['--constraint', 'fast < slow', '--stop-after', '300'],
    ]);

    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout).toContain(
      'Sma on spot:BTCUSDT\n24 combinations of TPE with seed 5, ranked by totalReturn (the largest is the best)\nwhere fast < slow, trades >= 3\n',
    );
    expect(run.stdout).toMatch(
      /\nLeft out {3}\d+ combinations that break a constraint or have no totalReturn\n/,
    );
    expect(run.stdout).toContain(
      '\nStop       after 300 in a row without improvement; 3 generations ran\n',
    );
    expect(run.stdout).toMatch(/\nBest {7}fast \d+, slow \d+: totalReturn /);
  });

  it('prints the front of two figures', async () => {
    const folder = await botFolder();

    const run = await sweep(folder, [
      '--nsga-ii',
      '24',
      '--against',
      'maxDrawdown',
      '--json',
      'out.json',
    ]);

    const { front, trials } = parse(await textOf(folder, 'out.json'));
    expect(run.stdout).toContain(
      'by totalReturn (the largest is the best) and maxDrawdown (the smallest)\n',
    );
    expect(run.stdout).toContain(
      `\nFront      ${String(front?.length)} of ${String(trials.length)}: no other has a better totalReturn without a worse maxDrawdown\n`,
    );
  });

  it('writes the same document again from the ledger, and reports the known trials', async () => {
    const folder = await botFolder();
    const args = ['--tpe', '14', '--json', '-'];

    const first = await sweep(folder, args);
    const again = await sweep(folder, args);
    const longer = await sweep(folder, ['--tpe', '20', '--json', '-']);

    expect(again.stdout).toBe(first.stdout);
    expect(again.stderr).toBe(
      'data.trials.jsonl knows 14 trials of these inputs: these combinations are not run again\n',
    );
    // A longer search begins with the trials of the shorter one.
    expect(parse(longer.stdout).trials.slice(0, 14)).toEqual(parse(first.stdout).trials);
    const lines = await textOf(folder, 'data.trials.jsonl');
    expect(lines.trimEnd().split('\n')).toHaveLength(20);
  });

  it('counts trials of other searches of the same inputs as made before it', async () => {
    const folder = await botFolder();
    await sweep(folder, ['--grid', 'fast=5|6,slow=30']);

    const space = ['--grid', 'fast=7:19,slow=20:29'];
    const run = await sweep(folder, [...space, '--sobol', '12']);
    const learned = await sweep(folder, [...space, '--tpe', '12', '--seed', '9']);
    const again = await sweep(folder, [...space, '--tpe', '12', '--seed', '9']);

    expect(run.stdout).toMatch(
      /\nLuck {7}14 trials of Sma on these data, 2 of them before this sweep/,
    );
    const [, all, before] =
      /(\d+) trials of Sma on these data, (\d+) of them before/.exec(learned.stdout) ?? [];
    // Combinations that both searches tried count for the second one.
    expect(Number(before)).toBeLessThanOrEqual(14);
    expect(Number(all)).toBe(12 + Number(before));
    expect(again.stdout).toBe(learned.stdout);
  });

  it('shows the best combination so far on a terminal', async () => {
    const folder = await botFolder();
    let shown = '';
    const stderr = {
      write: (text: string) => {
        shown += text;
      },
      isTerminal: true,
      columns: 200,
    };

    // The progress line is written at most ten times a second.
    await sweep(folder, ['--sobol', '900', '--jobs', '1'], { stderr });

    expect(shown).toMatch(
      /of 900 combinations, .*; best totalReturn -?\d+\.\d+ %: fast \d+, slow \d+/,
    );
  });
});

describe('a sweep that writes its best parameters', () => {
  const grid = ['--grid', 'fast=5|15', '--write', 'bot.yaml'] as const;
  const asking = (answer: string | undefined): { ask: () => Promise<string | undefined> } => ({
    ask: () => Promise.resolve(answer),
  });

  it('shows the changes, and writes them after a yes', async () => {
    const folder = await botFolder();

    const run = await sweep(folder, [...grid, '--json', 'out.json'], asking('y'));

    const fast = parse(await textOf(folder, 'out.json')).best?.parameters['fast'];
    const written = BOT_YAML.replace('fast: 10', `fast: ${String(fast)}`);
    expect(await textOf(folder, 'bot.yaml')).toBe(written);
    expect(run.stderr).toBe(
      `bot.yaml with the best parameters:\n${describeChanges(BOT_YAML, written)}bot.yaml was written\n`,
    );
    expect(run.stderr).toContain('  4 -   parameters: { fast: 10, slow: 30 }\n');
  });

  it.each(['n', '', undefined])('does not change the file after the answer %j', async (answer) => {
    const folder = await botFolder();

    const run = await sweep(folder, grid, asking(answer));

    expect(run.exitCode).toBe(0);
    expect(run.stderr).toContain('bot.yaml was not changed\n');
    expect(await textOf(folder, 'bot.yaml')).toBe(BOT_YAML);
  });

  it('needs --yes without a terminal, and refuses before it runs', async () => {
    const folder = await botFolder();

    const refused = await sweep(folder, grid);
    const written = await sweep(folder, [...grid, '--yes']);
    const again = await sweep(folder, [...grid, '--yes']);

    expect(refused).toEqual({
      exitCode: 2,
      stdout: '',
      stderr:
        'no terminal to confirm the change of bot.yaml; --yes writes without asking (E_NOT_CONFIRMED)\n',
    });
    expect(written.stderr).toContain('bot.yaml was written\n');
    expect(again.stderr).toContain('bot.yaml already has these parameters\n');
  });

  it('refuses the file of another strategy, before it runs', async () => {
    const folder = await botFolder();
    await writeFile(path.join(folder, 'other.strategy.ts'), SMA_SOURCE);
    await writeFile(
      path.join(folder, 'other.yaml'),
      botYaml('sma.strategy.ts', 'other.strategy.ts'),
    );

    const run = await sweep(folder, ['--grid', 'fast=5', '--write', 'other.yaml', '--yes']);

    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('other.yaml:3:3 strategy.path: ');
    expect(run.stderr).toContain('expected the strategy of the sweep, Sma');
  });

  it('refuses a file that it cannot change, before it runs', async () => {
    const anchored = '  parameters: { fast: &ten 10, slow: 30 }';
    const folder = await botFolder({
      yaml: botYaml('  parameters: { fast: 10, slow: 30 }', anchored),
    });

    const run = await sweep(folder, [...grid, '--yes']);

    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(
      'bot.yaml strategy.parameters.fast: expected a value without an anchor',
    );
  });

  it('changes nothing if no combination is the best', async () => {
    const folder = await botFolder();

    const run = await sweep(folder, [...grid, '--yes', '--min-trades', '9999']);

    expect(run.stderr).toContain('bot.yaml was not changed: no combination is the best\n');
    expect(await textOf(folder, 'bot.yaml')).toBe(BOT_YAML);
  });
});
