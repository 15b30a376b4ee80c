import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { botFolder, SMA_SOURCE } from '../../support/cli/bot-folder.js';
import { runProgram, type ProgramRun } from '../../support/cli/run-program.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** The compiled program: `npm test` compiles before it tests. */
const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));

/** Compiled plugins go here, not to the cache of the user who runs the tests. */
const cache = await mkdtemp(path.join(tmpdir(), 'evenkeel-cache-'));
const env = { ...process.env, XDG_CACHE_HOME: cache };
afterAll(() => rm(cache, { recursive: true, force: true }));

function evenkeel(args: readonly string[], cwd: string, program = main): ProgramRun {
  return runProgram([program, ...args], { cwd, env });
}

describe('the program', () => {
  it('runs through a symbolic link, as npm installs it', async () => {
    const folder = await temporaryFolder();
    const link = path.join(folder, 'evenkeel');
    await symlink(main, link);

    const direct = spawnSync(link, ['--version'], { encoding: 'utf8' });
    const byNode = evenkeel(['--version'], folder, link);

    expect(direct.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(byNode.stdout).toBe(direct.stdout);
  });

  it('writes whole lines to a terminal that says it is 0 columns wide', async () => {
    const folder = await botFolder();
    const terminal = 'data:text/javascript,process.stdout.isTTY=true;process.stdout.columns=0';

    const args = ['--import', terminal, main, 'backtest', 'bot.yaml'];
    const { status, stdout } = runProgram(args, { cwd: folder, env: { ...env, NO_COLOR: '1' } });

    expect(status).toBe(0);
    expect(stdout).toMatch(/^ {2}Initial equity .* {4}Trades /m);
  });

  it('ends although a plugin left a timer behind', async () => {
    const folder = await botFolder({ plugin: `setInterval(() => {}, 1000);\n${SMA_SOURCE}` });

    const run = evenkeel(['backtest', 'bot.yaml', '--json', '-'], folder);

    expect(run.status).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject({ accounting: { residual: '0' } });
  });

  it('writes results, journals and reports readable by its user only', async () => {
    const folder = await botFolder();
    const written = { journal: 'run.journal', json: 'run.json', report: 'run.html' };
    const options = Object.entries(written).flatMap(([name, file]) => [`--${name}`, file]);

    const { status } = evenkeel(['backtest', 'bot.yaml', ...options], folder);

    expect(status).toBe(0);
    for (const file of Object.values(written))
      expect((await stat(path.join(folder, file))).mode & 0o777).toBe(0o600);
  });

  it('keeps console output of a strategy out of the document', async () => {
    const source = SMA_SOURCE.replace(
      'if (crossedAbove',
      "console.log('log'); console.table([1]); console.dir({}); console.info('info');\n    if (crossedAbove",
    );
    const folder = await botFolder({ plugin: `console.log('loaded');\n${source}` });

    const run = evenkeel(['backtest', 'bot.yaml', '--json', '-'], folder);
    const sweep = evenkeel(['sweep', 'bot.yaml', '--grid', 'fast=5:6:1', '--json', '-'], folder);

    for (const { status, stdout, stderr } of [run, sweep]) {
      expect(status).toBe(0);
      expect(() => JSON.parse(stdout) as unknown).not.toThrow();
      expect(stderr).toContain('log\n');
    }
  });

  it('reports in one line a failure outside of any event, with --debug its stack', async () => {
    const source = SMA_SOURCE.replace(
      'if (crossedAbove',
      "void Promise.reject(new Error('forgotten'));\n    if (crossedAbove",
    );
    const folder = await botFolder({ plugin: source });

    const run = evenkeel(['backtest', 'bot.yaml', '--json', 'out.json'], folder);
    const debug = evenkeel(['--debug', 'backtest', 'bot.yaml'], folder);

    expect(run.status).toBe(1);
    expect(run.stderr).toContain('forgotten');
    expect(run.stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(existsSync(path.join(folder, 'out.json'))).toBe(false);
    expect(debug.stderr).toMatch(/^ {4}at .*sma\.strategy\.ts:\d+:\d+\)?$/m);
    expect(debug.stderr.endsWith(run.stderr)).toBe(true);
  });

  it.skipIf(!existsSync('/dev/full'))('fails if standard output is full', async () => {
    const folder = await temporaryFolder();

    const run = spawnSync(
      '/bin/sh',
      ['-c', `"$0" "$1" schema > /dev/full`, process.execPath, main],
      {
        cwd: folder,
        encoding: 'utf8',
      },
    );

    expect(run.status).toBe(1);
    expect(run.stderr).toBe('cannot write to standard output: the disk is full (E_OUTPUT)\n');
  });

  it.skipIf(process.platform === 'win32')(
    'ends quietly when its reader closes the pipe',
    async () => {
      const folder = await temporaryFolder();

      const run = spawnSync(
        '/bin/sh',
        ['-c', `"$0" "$1" schema --openapi | head -c 1`, process.execPath, main],
        { cwd: folder, encoding: 'utf8' },
      );

      expect(run.stdout).toBe('{');
      expect(run.stderr).toBe('');
    },
  );
});
