import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { filesOf, programOf } from '../support/documents.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
const OPTIONS = [
  '--noEmit',
  '--strict',
  '--exactOptionalPropertyTypes',
  '--noUncheckedIndexedAccess',
  '--skipLibCheck',
  ...['--target', 'es2023', '--module', 'nodenext', '--types', 'node'],
];
/** Pages whose blocks together are one program. */
const PROGRAMS = ['from-code', 'own-venue', 'extending', 'testing'];

// test/integration/run/document.test.ts runs the blocks at each change. Their types need a compiler and the built package.
it('the programs and strategies of the docs compile with the types of the package', async () => {
  const folder = await temporaryFolder();
  for (const name of ['package.json', 'dist', 'node_modules'])
    await symlink(path.join(ROOT, name), path.join(folder, name));
  const strategies = [...filesOf('docs/recipes.md')].filter(([file]) => file.endsWith('.ts'));
  const programs = PROGRAMS.map((page) => [`${page}.ts`, programOf(`docs/${page}.md`)] as const);
  const files = [...strategies, ...programs];
  for (const [file, text] of files) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }
  expect(strategies).toHaveLength(8);

  const compiler = path.join(ROOT, 'node_modules/typescript/bin/tsc');
  const names = files.map(([file]) => file);
  const { stdout } = await run(process.execPath, [compiler, ...OPTIONS, ...names], {
    cwd: folder,
  }).catch((error: unknown) => error as { readonly stdout: string });

  expect(stdout).toBe('');
});
