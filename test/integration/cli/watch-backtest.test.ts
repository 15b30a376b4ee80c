import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { registerBacktest } from '../../../src/cli/backtest/backtest-command.js';
import type { TextOutput } from '../../../src/cli/cli-context.js';
import { botFolder, SMA_SOURCE } from '../../support/cli/bot-folder.js';
import { runOneCommand, type OneCommandRun } from '../../support/run-one-command.js';

const HELPER = `export const SHARE = '0.95';\n`;
const WITH_HELPER = `import { SHARE } from './share.js';
${SMA_SOURCE.replace(`'0.95'`, 'SHARE')}`;

/** A bot's folder whose backtest is watched. */
class Watched {
  readonly #folder: string;
  readonly #interrupt = new AbortController();
  readonly #end: Promise<OneCommandRun>;
  readonly #written = { stdout: '', stderr: '' };

  constructor(folder: string) {
    this.#folder = folder;
    this.#end = runOneCommand(registerBacktest, ['backtest', 'bot.yaml', '--watch'], {
      cwd: folder,
      signal: this.#interrupt.signal,
      stdout: this.#output('stdout'),
      stderr: this.#output('stderr'),
    });
  }

  /** Waits for `count` runs. Returns the output since the last call. */
  async runs(count: number): Promise<{ readonly stdout: string; readonly stderr: string }> {
    await vi.waitFor(
      () => {
        expect(this.#written.stderr.split('waiting for a change')).toHaveLength(count + 1);
      },
      { timeout: 20_000, interval: 20 },
    );
    const { stdout, stderr } = this.#written;
    this.#written.stdout = '';
    return { stdout, stderr };
  }

  async save(file: string, change: (text: string) => string): Promise<void> {
    const place = path.join(this.#folder, file);
    await writeFile(place, change(await readFile(place, 'utf8')));
  }

  async interrupt(): Promise<unknown> {
    this.#interrupt.abort(new Error('interrupted'));
    return (await this.#end).error;
  }

  #output(stream: 'stdout' | 'stderr'): TextOutput {
    const write = (text: string): void => {
      this.#written[stream] += text;
    };
    return { write, isTerminal: false, columns: undefined };
  }
}

describe('backtest --watch', () => {
  it('runs again after each save, and prints the differences', async () => {
    const folder = await botFolder();
    await writeFile(path.join(folder, 'share.ts'), HELPER);
    await writeFile(path.join(folder, 'sma.strategy.ts'), WITH_HELPER);
    const watched = new Watched(folder);

    const first = await watched.runs(1);
    await watched.save('share.ts', (text) => text.replace('0.95', '0.45'));
    const helper = await watched.runs(2);
    await watched.save('sma.strategy.ts', (text) => text.replace('this.exit()', 'this.exit('));
    const broken = await watched.runs(3);
    await watched.save('sma.strategy.ts', (text) => text.replace('this.exit(', 'this.exit()'));
    const mended = await watched.runs(4);
    await watched.save('bot.yaml', (text) => text.replace('taker: "0.001"', 'taker: "0.002"'));
    const dearer = await watched.runs(5);

    expect(first.stdout).toMatch(/^Sma on spot:BTCUSDT\n/);
    expect(helper.stdout).toMatch(
      /^\nshare\.ts changed\n {2}Final equity +[\d,.]+ USDT → [\d,.]+ USDT\n/,
    );
    expect(broken.stderr).toContain('(E_PLUGIN_SYNTAX)');
    expect(mended.stdout).toContain('the same orders, fills and figures\n');
    expect(dearer.stdout).toMatch(/bot\.yaml changed\n[^]* {2}Fees +[\d,.]+ USDT → [\d,.]+ USDT\n/);
    expect(await watched.interrupt()).toEqual(new Error('interrupted'));
  });

  it.each([
    [['--journal', 'run.journal'], '--watch: expected no --journal'],
    [['--json', '-'], '--watch: expected a file after --json, received -'],
  ])('refuses %s, which only one run can write', async (words, text) => {
    const folder = await botFolder();

    const run = await runOneCommand(
      registerBacktest,
      ['backtest', 'bot.yaml', '--watch', ...words],
      { cwd: folder },
    );

    expect(run.error).toMatchObject({ code: 'E_USAGE', message: expect.stringContaining(text) });
  });
});
