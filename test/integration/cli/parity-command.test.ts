import { resolve } from 'node:path';

import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';

import { botFolder, SMA_SOURCE } from '../../support/cli/bot-folder.js';
import { BOT_YAML, botYaml } from '../../support/cli/bot-yaml.js';
import { runCommand } from '../../support/cli/command-runner.js';

const ROOT = resolve(import.meta.dirname, '../../..');
/** January has 744 candles of one hour; eight days are enough for orders. */
const SHORT = ['--from', '2025-01-10', '--to', '2025-01-18'] as const;

describe('parity', () => {
  it('prints for each list that both runs are equal', async () => {
    const folder = await botFolder();

    const run = await runCommand(folder, ['parity', 'bot.yaml', ...SHORT]);

    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout).toMatch(/^ {2}orders +([1-9]\d*) of \1$/m);
    expect(run.stdout).toMatch(/^ {2}fills +([1-9]\d*) of \1$/m);
    expect(run.stdout).toMatch(/^identical$/m);
  });

  it('prints one line, or JSON', async () => {
    const folder = await botFolder();
    const to = ['--from', '2025-01-10', '--to', '2025-01-12'];

    const brief = await runCommand(folder, ['parity', 'bot.yaml', ...to, '--brief']);
    const json = await runCommand(folder, ['parity', 'bot.yaml', ...to, '--json', '-']);

    expect(brief.stdout).toMatch(/^orders and fills identical to the backtest: (\d+) of \1\n$/);
    const result = JSON.parse(json.stdout);
    expect(result).toMatchObject({ bot: 'sma-crossover-btc', isIdentical: true, notes: [] });
    expect(result.equal).toEqual(result.counts);
  });

  it('stores the live run in a journal that replays, also with closeAtEnd', async () => {
    const folder = await botFolder({
      yaml: botYaml('  from: 2025-01-01\n', '  from: 2025-01-10\n  closeAtEnd: true\n'),
    });

    const made = await runCommand(folder, ['parity', 'bot.yaml', ...SHORT, '--journal', 'live.db']);
    const replayed = await runCommand(folder, ['replay', 'live.db', '--config', 'bot.yaml']);

    expect(made).toMatchObject({ exitCode: 0, stderr: '' });
    expect(replayed).toMatchObject({ exitCode: 0, stderr: '' });
    expect(replayed.stdout).toMatch(/identical \d+ events and [1-9]\d* commands/);
    const db = new Database(`${folder}/live.db`);
    expect(
      db.prepare('UPDATE candles SET close = close + 0.01 WHERE event = 5').run().changes,
    ).toBe(1);
    db.close();
    const altered = await runCommand(folder, ['replay', 'live.db', '--config', 'bot.yaml']);
    expect(altered.exitCode).toBe(3);
    expect(altered.stderr).toContain('(E_REPLAY_DIVERGED)');
  });

  it('starts when the strategy is warm if the config has no start', async () => {
    const folder = await botFolder({ yaml: botYaml('  from: 2025-01-01\n', '') });

    const run = await runCommand(folder, [
      'parity',
      'bot.yaml',
      '--to',
      '2025-01-05',
      '--journal',
      'l.db',
    ]);
    const replayed = await runCommand(folder, ['replay', 'l.db', '--config', 'bot.yaml']);

    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout).toMatch(/^2025-01-02T05:00:00Z to 2025-01-05$/m);
    expect(replayed).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('ends with 3 if a strategy acts differently the second time', async () => {
    const folder = await botFolder({
      plugin: SMA_SOURCE.replace('export class', 'let runs = 0;\nexport class').replace(
        'override onCandle(): void {',
        'readonly run = (runs += 1);\n  override onCandle(): void {\n    if (this.run % 3 === 0 && this.now > Date.UTC(2025, 0, 12)) return;',
      ),
    });

    const run = await runCommand(folder, ['parity', 'bot.yaml', ...SHORT]);

    expect(run.exitCode).toBe(3);
    expect(run.stdout).toMatch(
      /^first difference: orders \d+ on 2025-01-1\dT.*: expected one, received none$/m,
    );
    expect(run.stdout).toContain('  cause     the strategy or risk decided differently');
  });

  it.each([
    [['config/no-such.yaml'], 'E_CONFIG_FILE', ''],
    [['config/sma-crossover.backtest.yaml', '--from', '2030-01-01'], 'E_', ''],
  ] as const)('refuses %j', async (argv, code, text) => {
    const run = await runCommand(ROOT, ['parity', ...argv]);

    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain(code);
    expect(run.stderr).toContain(text);
  });

  it('refuses a start at which a live bot would not be warm', async () => {
    const folder = await botFolder({ yaml: BOT_YAML });

    const run = await runCommand(folder, ['parity', 'bot.yaml', '--to', '2025-01-05']);

    expect(run.exitCode).toBe(2);
    expect(run.stderr).toMatch(
      /bot\.yaml:\d+:\d+ simulation\.from: expected a start with \d+ candles/,
    );
  });
});
