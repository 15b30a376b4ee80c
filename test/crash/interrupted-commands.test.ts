import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { SECOND_MS } from '../../src/domain/index.js';
import { sweepSchema } from '../../src/research/index.js';
import { botFolder, SMA_SOURCE } from '../support/cli/bot-folder.js';
import { botYaml } from '../support/cli/bot-yaml.js';
import { runProgram, SWEEP_GRID, type ProgramRun } from '../support/cli/run-program.js';

/** The compiled program. */
const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const watching = new URL('../../dist-modules/cli/interrupt/watch-interrupts.js', import.meta.url)
  .href;

/** Compiled plugins go here, not to the cache of the user who runs the tests. */
const cache = await mkdtemp(path.join(tmpdir(), 'evenkeel-cache-'));
const env = { ...process.env, XDG_CACHE_HOME: cache };
afterAll(() => rm(cache, { recursive: true, force: true }));

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

  it('is heard each time that the one before was handled, and ends no process that handles many in a row', async () => {
    let run = await interruptOften();
    // A process that lives for a second after its second Ctrl-C is ended, as it must be. On a busy machine it may need this time.
    for (let again = 0; run.tookMs >= SECOND_MS && again < 5; again += 1)
      run = await interruptOften();

    expect(run.closed).toEqual([0, null]);
    expect(run.heard).toBeGreaterThan(10);
    expect(run.heard).toBeLessThanOrEqual(50);
  });

  it('ends check at once while it checks types', async () => {
    // The compiler needs many seconds for these types.
    const sums = Array.from(
      { length: 300 },
      (_, index) =>
        `export type T${String(index)} = [...Count<${String(600 + index)}>, ...Count<${String(900 - index)}>];`,
    );
    const slow = [
      "type Count<N extends number, T extends 0[] = []> = T['length'] extends N ? T : Count<N, [...T, 0]>;",
      ...sums,
    ].join('\n');
    const folder = await botFolder({
      plugin: `process.stderr.write('.');\n${SMA_SOURCE}\n${slow}`,
    });
    const child = spawn(process.execPath, [main, 'check', 'bot.yaml'], { cwd: folder, env });
    onTestFinished(() => void child.kill('SIGKILL'));
    const written = { stdout: '', stderr: '' };
    child.stdout.on('data', (text: Buffer) => (written.stdout += text.toString()));
    const loaded = new Promise((resolve) => {
      child.stderr.on('data', (text: Buffer) => {
        written.stderr += text.toString();
        resolve(undefined);
      });
    });
    const closed = new Promise((resolve) => child.once('close', (...how) => resolve(how)));

    await loaded;
    child.kill('SIGINT');
    const pressedAt = performance.now();

    // The signal would end a process with a blocked main thread, which then has no exit code.
    expect({ closed: await closed, ...written }).toEqual({
      closed: [130, null],
      stdout: '',
      stderr: '.interrupted\n',
    });
    // The types alone take longer.
    expect(performance.now() - pressedAt).toBeLessThan(5_000);
  });

  it('pressed once ends a strategy that loops forever', async () => {
    const source = SMA_SOURCE.replace(
      'onCandle(): void {',
      "onCandle(): void { process.stderr.write('.'); for (;;);",
    );
    const folder = await botFolder({ plugin: source });
    const { child, written, ended } = await looping(['backtest', 'bot.yaml'], folder);

    child.kill('SIGINT');

    expect(await ended).toBe('SIGINT');
    expect(written.stderr).toBe('.interrupted\n');
  });

  it.each([
    { command: ['backtest', 'bot.yaml'], when: 'onCandle(): void {' },
    { command: ['check', 'bot.yaml'], when: 'onCandle(): void {' },
    { command: ['backtest', 'bot.yaml'], when: 'while it loads' },
  ])(
    'pressed twice ends a strategy that loops forever: $command.0, $when',
    async ({ command, when }) => {
      const loop = "process.stderr.write('.'); for (;;);";
      const source =
        when === 'while it loads'
          ? `${loop}\n${SMA_SOURCE}`
          : SMA_SOURCE.replace(when, `${when} ${loop}`);
      const folder = await botFolder({ plugin: source });

      const { child, written, ended } = await looping(command, folder);
      // Two signals at the same time count as one. On a busy machine the thread that handles them may not have started at the first.
      child.kill('SIGINT');
      const again = setInterval(() => child.kill('SIGINT'), 1_500);

      expect(await ended).toBe('SIGINT');
      clearInterval(again);
      expect(written.stderr).toMatch(/^\.+interrupted\n$/);
    },
  );
});

/** Time for several processes one after the other, on a busy machine. */
const PATIENCE_MS = 240_000;

const evenkeel = (cwd: string, args: readonly string[]): ProgramRun =>
  runProgram([main, ...args], { cwd, env });

describe.skipIf(process.platform === 'win32')(
  'a sweep that is ended by a signal',
  { timeout: PATIENCE_MS },
  () => {
    /** Slow while SLOW is set. Writes a dot per combination. */
    const slow = SMA_SOURCE.replace(
      'if (crossedAbove',
      "for (let spin = 0; process.env['SLOW'] === '1' && spin < 4_000; spin += 1) this.random();\n    if (crossedAbove",
    ).replace(
      'override onCandle',
      `constructor(context: import('evenkeel').StrategyContext) {
    super(context);
    if (process.env['SLOW'] === '1') process.stderr.write('.');
  }
  override onCandle`,
    );

    /** Starts the sweep, ends it when four combinations have begun, and returns its exit. */
    async function endEarly(folder: string, signal: NodeJS.Signals): Promise<ProgramRun> {
      const args = [main, ...SWEEP_GRID, '--jobs', '1', '--json', 'sweep.json'];
      const child = spawn(process.execPath, args, { cwd: folder, env: { ...env, SLOW: '1' } });
      const written = { stdout: '', stderr: '' };
      child.stdout.on('data', (text: Buffer) => (written.stdout += text.toString()));
      let begun = 0;
      child.stderr.on('data', (text: Buffer) => {
        written.stderr += text.toString();
        const before = begun;
        begun = written.stderr.split('.').length - 1;
        if (before < 4 && begun >= 4) child.kill(signal);
      });
      const status = await new Promise<number | null>((resolve) =>
        child.once('close', (code) => {
          resolve(code);
        }),
      );
      return { status, ...written };
    }

    /** The result of a sweep that runs to its end. */
    let whole: ProgramRun | undefined;

    it.each(['SIGINT', 'SIGKILL'] as const)(
      'continues after %s, with the same bytes',
      async (signal) => {
        const folder = await botFolder({ plugin: slow });

        const first = await endEarly(folder, signal);
        const second = evenkeel(folder, [...SWEEP_GRID, '--json', '-']);
        whole ??= evenkeel(folder, [...SWEEP_GRID, '--json', '-', '--ledger', 'whole.jsonl']);

        if (signal === 'SIGINT') {
          expect(first.status).toBe(130);
          expect(first.stderr).toContain(
            'data.trials.jsonl keeps the finished combinations: the same command continues from there\ninterrupted\n',
          );
        }
        expect(first.stdout).toBe('');
        const known = /data\.trials\.jsonl knows (\d+) of 16 combinations/.exec(second.stderr)?.[1];
        expect(Number(known)).toBeGreaterThan(0);
        expect(Number(known)).toBeLessThan(16);
        expect(second.stdout).toBe(whole.stdout);
        expect(sweepSchema.parse(JSON.parse(second.stdout)).counts.finished).toBe(16);
      },
    );
  },
);

/** Starts a command whose strategy loops for ever, and waits until it does. */
async function looping(command: readonly string[], folder: string) {
  const child = spawn(process.execPath, [main, ...command], { cwd: folder, env });
  // If its test fails, the process would loop forever.
  onTestFinished(() => void child.kill('SIGKILL'));
  const written = { stderr: '' };
  const ended = new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)));
  await new Promise((resolve) => {
    child.stderr.on('data', (text: Buffer) => {
      written.stderr += text.toString();
      resolve(undefined);
    });
  });
  return { child, written, ended };
}

/** Interrupts a process ten times, each time after it has handled the one before, and then forty times in a row. `tookMs`: from the second Ctrl-C to its end. */
async function interruptOften() {
  const program = `import { watchInterrupts } from ${JSON.stringify(watching)};
    let heard = 0;
    const hear = () => { heard += 1; process.stdout.write('.'); };
    process.on('SIGINT', hear);
    watchInterrupts(hear, { shared: new Int32Array(new SharedArrayBuffer(8)).fill(1, 0, 1) });
    process.stdin.on('end', () => { process.stdout.write(String(heard)); process.exit(0); }).resume();
    setTimeout(() => { process.stdout.write('ready '); }, 200);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program]);
  let stdout = '';
  child.stdout.on('data', (text: Buffer) => (stdout += text.toString()));
  const closed = new Promise((resolve) => child.once('close', (...how) => resolve(how)));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  let began = performance.now();
  for (let count = 1; count <= 10; count += 1) {
    if (count === 2) began = performance.now();
    child.kill('SIGINT');
    await expect
      .poll(() => stdout.length >= 'ready '.length + count || child.signalCode !== null, {
        timeout: 20_000,
        interval: 5,
      })
      .toBe(true);
  }
  // Signals that come at the same time may count as one.
  for (let count = 0; count < 40; count += 1) {
    child.kill('SIGINT');
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  child.stdin.on('error', () => undefined).end();
  const how = await closed;
  return {
    tookMs: performance.now() - began,
    closed: how,
    heard: Number(/\d+$/.exec(stdout)?.[0]),
  };
}
