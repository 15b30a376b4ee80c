import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { botFolder, SMA_SOURCE } from '../../support/cli/bot-folder.js';
import { botYaml } from '../../support/cli/bot-yaml.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** The compiled program: `npm test` compiles before it tests. */
const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
const watching = new URL('../../../dist-modules/cli/interrupt/watch-interrupts.js', import.meta.url)
  .href;

/** Compiled plugins go here, not to the cache of the user who runs the tests. */
const cache = await mkdtemp(path.join(tmpdir(), 'evenkeel-cache-'));
const env = { ...process.env, XDG_CACHE_HOME: cache };
afterAll(() => rm(cache, { recursive: true, force: true }));

interface ProcessRun {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function evenkeel(args: readonly string[], cwd: string, program = main): ProcessRun {
  return spawnSync(process.execPath, [program, ...args], { cwd, env, encoding: 'utf8' });
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

  it('ends although a plugin left a timer behind', async () => {
    const folder = await botFolder({ plugin: `setInterval(() => {}, 1000);\n${SMA_SOURCE}` });

    const run = evenkeel(['backtest', 'bot.yaml', '--json', '-'], folder);

    expect(run.status).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject({ accounting: { residual: '0' } });
  });

  it('writes results, journals and reports for its user alone', async () => {
    const folder = await botFolder();
    const written = { journal: 'run.journal', json: 'run.json', report: 'run.html' };
    const options = Object.entries(written).flatMap(([name, file]) => [`--${name}`, file]);

    const { status } = evenkeel(['backtest', 'bot.yaml', ...options], folder);

    expect(status).toBe(0);
    for (const file of Object.values(written))
      expect((await stat(path.join(folder, file))).mode & 0o777).toBe(0o600);
  });

  it('keeps what a strategy writes to the console out of the document', async () => {
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

  it('says in one line what failed outside of any event', async () => {
    const source = SMA_SOURCE.replace(
      'if (crossedAbove',
      "void Promise.reject(new Error('forgotten'));\n    if (crossedAbove",
    );
    const folder = await botFolder({ plugin: source });

    const run = evenkeel(['backtest', 'bot.yaml', '--json', 'out.json'], folder);

    expect(run.status).toBe(1);
    expect(run.stderr).toContain('forgotten');
    expect(run.stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(existsSync(path.join(folder, 'out.json'))).toBe(false);
  });

  it.skipIf(!existsSync('/dev/full'))('fails when standard output is full', async () => {
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
    expect(run.stderr).toMatch(/^cannot write to standard output: ENOSPC.*\(E_OUTPUT\)\n$/);
  });

  it.skipIf(process.platform === 'win32')('ends quietly when nobody reads on', async () => {
    const folder = await temporaryFolder();

    const run = spawnSync(
      '/bin/sh',
      ['-c', `"$0" "$1" schema --openapi | head -c 1`, process.execPath, main],
      { cwd: folder, encoding: 'utf8' },
    );

    expect(run.stdout).toBe('{');
    expect(run.stderr).toBe('');
  });
});

describe.skipIf(process.platform === 'win32')('Ctrl-C in a long run', () => {
  it('ends with 130 and leaves no file', async () => {
    // A slow strategy that writes a dot per day.
    const source = SMA_SOURCE.replace(
      'if (crossedAbove',
      `if (this.now % 86_400_000 === 0) process.stderr.write('.');
    for (let spin = 0; spin < 50_000; spin += 1) this.random();
    if (crossedAbove`,
    );
    const folder = await botFolder({
      plugin: source,
      interval: '1min',
      yaml: botYaml('[1h]', '[1min]'),
    });
    await mkdir(path.join(folder, 'out'));

    const child = spawn(
      process.execPath,
      [main, 'backtest', 'bot.yaml', '--json', 'out/result.json'],
      { cwd: folder, env },
    );
    let days = 0;
    child.stderr.on('data', (dots: Buffer) => {
      if (days === 0) child.kill('SIGINT');
      days += dots.toString().split('.').length - 1;
    });
    const status = await new Promise((resolve) => child.once('exit', resolve));

    expect(status).toBe(130);
    // The run ended early: January has 31 days.
    expect(days).toBeLessThan(20);
    expect(await readdir(path.join(folder, 'out'))).toEqual([]);
  });

  it('said again while the first one is heard is heard, too', async () => {
    const program = `import { watchInterrupts } from ${JSON.stringify(watching)};
      let heard = 0;
      const hear = () => { heard += 1; };
      process.on('SIGINT', hear);
      watchInterrupts(hear);
      process.stdin.on('end', () => { process.stdout.write(String(heard)); process.exit(0); }).resume();
      setTimeout(() => { process.stdout.write('ready '); }, 200);`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program]);
    let stdout = '';
    child.stdout.on('data', (text: Buffer) => (stdout += text.toString()));
    const closed = new Promise((resolve) => child.once('close', (...how) => resolve(how)));

    await new Promise((resolve) => child.stdout.once('data', resolve));
    for (let count = 0; count < 40; count += 1) {
      child.kill('SIGINT');
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    child.stdin.end();

    expect(await closed).toEqual([0, null]);
    expect(stdout).toMatch(/^ready [1-9]/);
  });

  it.each([
    { command: ['backtest', 'bot.yaml'], when: 'onCandle(): void {' },
    { command: ['check', 'bot.yaml'], when: 'onCandle(): void {' },
    { command: ['backtest', 'bot.yaml'], when: 'while it loads' },
  ])(
    'said twice ends a strategy that loops for ever: $command.0, $when',
    async ({ command, when }) => {
      const loop = "process.stderr.write('.'); for (;;);";
      const source =
        when === 'while it loads'
          ? `${loop}\n${SMA_SOURCE}`
          : SMA_SOURCE.replace(when, `${when} ${loop}`);
      const folder = await botFolder({ plugin: source });

      const child = spawn(process.execPath, [main, ...command], { cwd: folder, env });
      // If this test fails, the process would loop forever.
      onTestFinished(() => void child.kill('SIGKILL'));
      let stderr = '';
      const looping = new Promise((resolve) => {
        child.stderr.on('data', (text: Buffer) => {
          stderr += text.toString();
          resolve(undefined);
        });
      });
      const ended = new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)));
      await looping;
      // Two signals at the same time count as one. On a busy machine the thread that handles them may not have started at the first.
      child.kill('SIGINT');
      const again = setInterval(() => child.kill('SIGINT'), 1_500);

      expect(await ended).toBe('SIGINT');
      clearInterval(again);
      expect(stderr).toMatch(/^\.+interrupted\n$/);
    },
  );
});
