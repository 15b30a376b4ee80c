import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildResult, writeResult } from '../../../src/report/index.js';
import { runCommand } from '../../support/cli/command-runner.js';
import { aRunRecord } from '../../support/run-records.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

describe('runs', () => {
  it('lists nothing after an interrupt', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'run.json'), writeResult(buildResult(aRunRecord())));

    const run = await runCommand(folder, ['runs', '.'], { signal: AbortSignal.abort() });

    expect(run).toEqual({ exitCode: 130, stdout: '', stderr: 'interrupted\n' });
  });

  it('shows on a terminal how many files are read', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'other.json'), '{}');
    const texts: string[] = [];
    const stderr = {
      write: (text: string) => void texts.push(text),
      isTerminal: true,
      columns: undefined,
    };

    await runCommand(folder, ['runs', '.'], { stderr });

    expect(texts[0]).toContain('0 of 1 files read');
  });

  it('skips and counts what no result can be read from', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'other.json'), '{}');
    await mkdir(join(folder, 'folder.json'));
    await symlink(join(folder, 'gone'), join(folder, 'link.json'));

    const { exitCode, stdout, stderr } = await runCommand(folder, ['runs', '.']);

    expect(stderr).toBe('3 other JSON in .: not a result of a backtest\n');
    expect(stdout).toBe('no results in .\n');
    expect(exitCode).toBe(0);
  });
});
