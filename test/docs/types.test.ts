import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
const STRICT = [
  '--noEmit',
  '--strict',
  '--exactOptionalPropertyTypes',
  '--noUncheckedIndexedAccess',
];

// The tests of the recipes run at each change (test/integration/run/document.test.ts); their types take a compiler, and the package that was built.
it('the strategies of docs/recipes.md have the types that the package declares', async () => {
  const folder = await temporaryFolder();
  for (const name of ['package.json', 'dist', 'node_modules'])
    await symlink(path.join(ROOT, name), path.join(folder, name));
  const page = await readFile(path.join(ROOT, 'docs/recipes.md'), 'utf8');
  const files: string[] = [];
  for (const [, file = '', block = ''] of page.matchAll(/^```ts (\S+)\n([^]*?)^```/gm)) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), block);
    files.push(file);
  }
  expect(files).toHaveLength(8);

  const compiler = path.join(ROOT, 'node_modules/typescript/bin/tsc');
  const options = [...STRICT, '--skipLibCheck', '--target', 'es2023', '--module', 'nodenext'];
  const { stdout } = await run(process.execPath, [compiler, ...options, ...files], {
    cwd: folder,
  }).catch((error: unknown) => error as { readonly stdout: string });

  expect(stdout).toBe('');
});
