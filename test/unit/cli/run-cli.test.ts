import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ENGINE_VERSION } from '../../../src/assembly/index.js';
import { botFolder } from '../../support/cli/bot-folder.js';
import { runCommand } from '../../support/cli/command-runner.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const manifest = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
) as { readonly version: string };

describe('evenkeel', () => {
  it('prints its version, which is also the version of the engine', async () => {
    const run = await runCommand('/', ['--version']);

    expect(run).toEqual({ exitCode: 0, stdout: `${manifest.version}\n`, stderr: '' });
    expect(ENGINE_VERSION).toBe(manifest.version);
  });

  it('lists its commands and exit codes with --help', async () => {
    const run = await runCommand('/', ['--help']);

    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    for (const command of ['backtest', 'check', 'data', 'new', 'schema', 'completion']) {
      expect(run.stdout).toMatch(new RegExp(`^ {2}${command}\\b`, 'm'));
    }
    expect(run.stdout).toContain('Exit codes: 0 done, 1 failed while running');
  });

  it.each(['backtest', 'halt', 'data list', 'guard clear'])(
    'shows the usage of %s with --help after it, and the general help with --help before it',
    async (command) => {
      const words = command.split(' ');

      const own = await runCommand('/', [...words, '--help']);
      expect(own).toMatchObject({ exitCode: 0, stderr: '' });
      expect(own.stdout).toContain(`Usage: evenkeel ${command} [options]`);
      expect(await runCommand('/', ['--help', ...words])).toEqual(
        await runCommand('/', ['--help']),
      );
    },
  );

  it.each(['backtest', 'data list', 'guard clear', ''])(
    'shows the help of %s after help',
    async (command) => {
      const words = command.split(' ').filter((word) => word !== '');

      const run = await runCommand('/', ['help', ...words]);

      expect(run).toEqual(await runCommand('/', [...words, '--help']));
      expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    },
  );

  it('names an unknown command after help', async () => {
    const run = await runCommand('/', ['help', 'backtets']);

    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain("error: unknown command 'backtets'\n(Did you mean backtest?)");
  });

  it('rejects toString as an unknown command', async () => {
    const run = await runCommand('/', ['toString']);

    expect([run.exitCode, run.stdout]).toEqual([2, '']);
    expect(run.stderr).toContain("error: unknown command 'toString'");
  });

  it.each([
    [[], 'Usage: evenkeel'],
    [['backtets'], "error: unknown command 'backtets'\n(Did you mean backtest?)"],
    [['backtest'], "error: missing required argument 'config'"],
    [['backtest', 'a.yaml', 'b.yaml'], 'error: too many arguments'],
    [['backtest', 'a.yaml', '--frm', 'x'], "error: unknown option '--frm'\n(Did you mean --from?)"],
    [['backtest', 'a.yaml', '--json'], "error: option '--json <file>' argument missing"],
    [['backtest', 'a.yaml', '--curve', 'weekly'], 'Allowed choices are daily, candle.'],
    [
      ['sweep', 'a.yaml', '--grid', 'fast=5:9', '--grid', 'slow=10:20'],
      "error: expected option '--grid <space>' once, received it again",
    ],
    [['completion', 'tcsh'], 'Allowed choices are bash, zsh, fish.'],
    [['new'], 'Usage: evenkeel new'],
    [['schema', '--result', '--openapi'], "error: options '--result' and '--openapi' exclude"],
  ])('exits with 2 for the bad usage %j', async (argv, message) => {
    const run = await runCommand('/', argv);

    expect(run.exitCode).toBe(2);
    expect(run.stdout).toBe('');
    expect(run.stderr).toContain(message);
  });

  it('exits with 130 and one line after an interrupt, whatever error it caused', async () => {
    const interrupt = new AbortController();
    interrupt.abort(new Error('interrupted'));
    const folder = await temporaryFolder();

    const run = await runCommand(folder, ['backtest', 'none.yaml'], { signal: interrupt.signal });

    expect(run).toEqual({ exitCode: 130, stdout: '', stderr: 'interrupted\n' });
  });

  it('exits with the findings of a command that finished in spite of an interrupt', async () => {
    const interrupt = new AbortController();
    const folder = await botFolder({ candles: 'none' });
    // The last step of the command.
    const stdout = {
      write: () => {
        interrupt.abort(new Error('interrupted'));
      },
      isTerminal: false,
      columns: undefined,
    };

    const run = await runCommand(folder, ['check', 'bot.yaml'], {
      signal: interrupt.signal,
      stdout,
      // The compiler takes seconds, and the findings are of the data.
      checkTypes: () => Promise.resolve({ status: 'none' }),
    });

    expect([run.exitCode, run.stderr]).toEqual([3, '']);
  });
});

describe('schema', () => {
  it('prints the schema of a result file', async () => {
    const run = await runCommand('/', ['schema', '--result']);

    const schema = JSON.parse(run.stdout) as { readonly properties: object };
    expect(Object.keys(schema.properties)).toEqual(
      expect.arrayContaining(['run', 'statistics', 'accounting', 'fills']),
    );
  });

  it('prints the OpenAPI document of the interface', async () => {
    const run = await runCommand('/', ['schema', '--openapi']);

    expect(JSON.parse(run.stdout)).toMatchObject({ openapi: '3.1.0' });
  });
});
