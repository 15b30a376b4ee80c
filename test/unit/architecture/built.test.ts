import { cpSync } from 'node:fs';
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.js';

const SCRIPT = path.resolve(import.meta.dirname, '../../../.ci/built.mjs');
const STAMP = 'node_modules/.cache/evenkeel/built';

/** A checkout with one source and a newer build, and the function that checks whether it is built. */
async function aCheckout(): Promise<{
  readonly folder: string;
  readonly isBuilt: () => boolean;
}> {
  const folder = await temporaryFolder();
  const inputs = ['package-lock.json', 'tsconfig.json', '.ci/bundle.mjs', 'src/a.ts'];
  for (const file of [...inputs, 'dist/index.js', STAMP]) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), '');
    await changedAt(path.join(folder, file), file === STAMP ? 2_000 : 1_000);
  }
  await changedAt(path.join(folder, 'src'), 1_000);
  const script = path.join(folder, '.ci/built.mjs');
  cpSync(SCRIPT, script);
  const { isBuilt } = (await import(pathToFileURL(script).href)) as {
    readonly isBuilt: () => boolean;
  };
  return { folder, isBuilt };
}

const changedAt = (file: string, seconds: number): Promise<void> => utimes(file, seconds, seconds);

it('isBuilt is true if the last compilation is newer than all changes', async () => {
  const { isBuilt } = await aCheckout();

  expect(isBuilt()).toBe(true);
});

it.each([
  ['a source was saved', (folder: string) => changedAt(path.join(folder, 'src/a.ts'), 3_000)],
  ['a source is gone', (folder: string) => rm(path.join(folder, 'src/a.ts'))],
  ['a setting was saved', (folder: string) => changedAt(path.join(folder, 'tsconfig.json'), 3_000)],
  [
    'the bundler was saved',
    (folder: string) => changedAt(path.join(folder, '.ci/bundle.mjs'), 3_000),
  ],
  ['the bundle is gone', (folder: string) => rm(path.join(folder, 'dist/index.js'))],
  ['the last compilation failed', (folder: string) => rm(path.join(folder, STAMP))],
])('isBuilt is false if %s', async (_what, change) => {
  const { folder, isBuilt } = await aCheckout();

  await change(folder);

  expect(isBuilt()).toBe(false);
});
