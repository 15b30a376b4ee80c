import { spawn, spawnSync } from 'node:child_process';
import { linkSync, mkdirSync } from 'node:fs';
import { open, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { DAMAGES, storeDamaged } from '../../support/damaged-archive.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** The compiled program: `npm test` compiles before it tests. */
const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));

describe('data check in threads', () => {
  it('writes the same bytes with one, two and three jobs', async () => {
    const cwd = await temporaryFolder();
    const series = [...DAMAGES, ...DAMAGES].map((damage, index) => {
      return { damage, rows: 200 - 7 * index, gap: index % 3, place: 0.6 };
    });
    await storeDamaged(path.join(cwd, 'data'), series);
    const check = (...flags: readonly string[]): ReturnType<typeof spawnSync> =>
      spawnSync(process.execPath, [main, 'data', 'check', ...flags], { cwd, encoding: 'utf8' });

    const runs = [[], ['--jobs', '1'], ['--jobs', '2'], ['--jobs', '3']].map((jobs) =>
      check(...jobs, '--json', 'out.json'),
    );

    for (const { status, stdout, stderr } of runs) {
      expect({ status, stderr }).toEqual({ status: 3, stderr: '' });
      expect(stdout).toBe(runs[0]?.stdout);
    }
  });
});

describe.skipIf(process.platform === 'win32')('Ctrl-C in data check', () => {
  it.each([[[]], [['--jobs', '1']], [['--jobs', '2']]])(
    'ends the command with 130 at once, with %j',
    async (jobs) => {
      const cwd = await temporaryFolder();
      const first = await storeMany(path.join(cwd, 'data'));
      const child = spawn(process.execPath, [main, 'data', 'check', ...jobs], { cwd });
      const written = { stdout: '', stderr: '' };
      child.stdout.on('data', (text: Buffer) => (written.stdout += text.toString()));
      child.stderr.on('data', (text: Buffer) => (written.stderr += text.toString()));
      const closed = new Promise((resolve) => child.once('close', (...how) => resolve(how)));

      await whenRead(first);
      child.kill('SIGINT');

      expect({ closed: await closed, ...written }).toEqual({
        closed: [130, null],
        stdout: '',
        stderr: 'interrupted\n',
      });
    },
  );

  /** Stores series whose check takes several seconds. Returns the first file of the check, a pipe that shows when it is read. */
  async function storeMany(folder: string): Promise<string> {
    await storeDamaged(folder, [{ damage: 'none', rows: 200_000, gap: 0, place: 0 }]);
    const own = path.join(folder, 'spot', 'A0USDT');
    const metadata = await readFile(path.join(own, '1h.json'), 'utf8');
    for (let index = 1; index < 300; index += 1) {
      const other = path.join(folder, 'spot', `A${String(index)}USDT`);
      mkdirSync(other);
      linkSync(path.join(own, '1h.arrow'), path.join(other, '1h.arrow'));
      await writeFile(
        path.join(other, '1h.json'),
        metadata.replace('A0USDT', `A${String(index)}USDT`),
      );
    }
    const pipe = path.join(own, '1h.json');
    await rm(pipe);
    spawnSync('mkfifo', [pipe]);
    return pipe;
  }

  /** Resolves when a reader has opened the pipe. The reader gets no data. */
  async function whenRead(pipe: string): Promise<void> {
    const writer = await open(pipe, 'w');
    await writer.close();
  }
});
