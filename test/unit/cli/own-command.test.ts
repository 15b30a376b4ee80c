import { mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ownCommand, ownInstall } from '../../../src/cli/own-command.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const ROOT = resolve(import.meta.dirname, '../../..');

/** A clone `evenkeel`, and beside it a folder `bots` with its folder `mine`. */
async function folders(): Promise<{
  readonly clone: string;
  readonly bots: string;
  readonly mine: string;
}> {
  const folder = await temporaryFolder();
  const [clone, bots] = [join(folder, 'evenkeel'), join(folder, 'bots')];
  const mine = join(bots, 'mine');
  for (const each of [join(clone, 'config'), mine]) mkdirSync(each, { recursive: true });
  return { clone, bots, mine };
}

describe('ownCommand', () => {
  it('returns the program of the clone, relative within it, and absolute outside of it', async () => {
    const { clone, bots } = await folders();

    expect(ownCommand(ROOT)).toBe('node dist/cli/main.js');
    expect(ownCommand(join(clone, 'config'), clone)).toBe('node ../dist/cli/main.js');
    expect(ownCommand(bots, clone)).toBe(`node ${clone}/dist/cli/main.js`);
    expect(ownCommand('/', '/my bots/evenkeel')).toBe('node "/my bots/evenkeel/dist/cli/main.js"');
  });

  it('returns the command of the package that is installed, or linked, in a folder above', async () => {
    const { clone, bots, mine } = await folders();
    const place = join(bots, 'node_modules', 'evenkeel');
    mkdirSync(join(bots, 'node_modules'));
    symlinkSync(clone, place);

    expect(ownCommand(mine, clone)).toBe('npx evenkeel');
    expect(ownInstall(mine, clone)).toBeUndefined();
    expect(ownCommand(mine, place)).toBe('npx evenkeel');
    // It is another clone that is linked there.
    expect(ownCommand(mine, ROOT)).toBe(`node ${ROOT}/dist/cli/main.js`);
  });
});

describe('ownInstall', () => {
  it('names the folder of the program where its package cannot be imported', async () => {
    const { clone, bots } = await folders();

    expect(ownInstall(bots, clone)).toBe(`npm install ${clone}`);
    expect(ownInstall(join(clone, 'config'), clone)).toBeUndefined();
    // A folder whose name only begins alike.
    expect(ownInstall(`${clone}-bots`, clone)).toBe(`npm install ${clone}`);
  });
});
