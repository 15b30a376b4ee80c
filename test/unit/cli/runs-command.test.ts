import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../../support/cli/command-runner.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

describe('runs', () => {
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
