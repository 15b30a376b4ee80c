import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** In reading order, because later tutorials use files of earlier ones. */
const TUTORIALS = ['first-strategy', 'real-data', 'reading-a-report', 'paper-and-live'];
const run = promisify(execFile);

interface Block {
  readonly language: string;
  /** The file for the block. Undefined for a block of commands. */
  readonly file: string | undefined;
  readonly text: string;
}

async function blocksOf(page: string): Promise<readonly Block[]> {
  const text = await readFile(path.join(ROOT, 'docs', `${page}.md`), 'utf8');
  return [...text.matchAll(/^```(\w+)(?: (\S+))?\n([^]*?)^```/gm)].map(
    ([, language = '', file, block = '']) => ({ language, file, text: block }),
  );
}

/** A folder in which commands work as in a clone. */
async function cloneFolder(): Promise<string> {
  const folder = await temporaryFolder();
  await mkdir(path.join(folder, 'backtest'));
  for (const name of ['package.json', 'dist', 'node_modules', 'backtest/data'])
    await symlink(path.join(ROOT, name), path.join(folder, name));
  return folder;
}

describe('the tutorials', { timeout: 120_000 }, () => {
  it('work when all their blocks are executed in order in one folder', async () => {
    const folder = await cloneFolder();
    const said: string[] = [];
    for (const page of TUTORIALS)
      for (const { language, file, text } of await blocksOf(page)) {
        if (file !== undefined) {
          await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
          await writeFile(path.join(folder, file), text);
        } else {
          expect(language, `${page}: a block without a file is typed into a terminal`).toBe('sh');
          const { stdout } = await run('bash', ['-euc', text], { cwd: folder, env: process.env });
          said.push(stdout);
        }
      }
    const all = said.join('\n');

    expect(all).toContain('EmaStop on spot:BTCUSDT');
    expect(all).toMatch(/# pass 1/);
    expect(all).toContain('identical');
    // The paper bot can trade, and does not first wait for hours.
    expect(all).not.toContain('no orders, so nothing to compare');
    expect(all).toMatch(/spot:BTCUSDT 1min: \d+ candles, .*; the venue serves them$/m);
    expect(all).toMatch(/luck/);
  });
});
