import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkPluginTypes } from '../../../../src/cli/check/check-types.js';
import { summarizeCheck } from '../../../../src/cli/check/summarize-check.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

/** A plugin in a project with a package `typescript` with this text, or without such a package. */
async function aPlugin(typescript: string | undefined): Promise<string> {
  const folder = await temporaryFolder();
  const plugin = path.join(folder, 'a.strategy.ts');
  await writeFile(plugin, 'export const a: number = 1;\n');
  if (typescript === undefined) return plugin;
  const installed = path.join(folder, 'node_modules', 'typescript');
  await mkdir(installed, { recursive: true });
  await writeFile(path.join(installed, 'index.js'), typescript);
  return plugin;
}

const INSTALL = 'check uses version 5 or 6: npm install --save-dev typescript@6';

describe('checkPluginTypes', () => {
  it.each([
    {
      what: 'of a later interface',
      typescript: "exports.version = '7.0.2'; exports.versionMajorMinor = '7.0';",
      reason: `TypeScript 7.0.2 is installed, which check cannot use; ${INSTALL}`,
    },
    {
      what: 'that says no version',
      typescript: '',
      reason: `TypeScript of unknown version is installed, which check cannot use; ${INSTALL}`,
    },
    {
      what: 'that is not there',
      typescript: undefined,
      reason: `TypeScript is not installed; ${INSTALL}`,
    },
  ])(
    'skips the check and names the package to install with a TypeScript $what',
    async ({ typescript, reason }) => {
      const plugin = await aPlugin(typescript);

      expect(checkPluginTypes(plugin, [plugin])).toEqual({ status: 'skipped', reason });
    },
  );

  it('uses its own TypeScript if the project has an incompatible version', async () => {
    const plugin = await aPlugin("exports.version = '7.0.2';");

    expect(checkPluginTypes(plugin)).toEqual({ status: 'checked', findings: [] });
  });

  it('reports an invalid option of tsconfig.json', async () => {
    const plugin = await aPlugin(undefined);
    await writeFile(
      path.join(path.dirname(plugin), 'tsconfig.json'),
      '{ "compilerOptions": { "strict": "yes" } }',
    );

    const check = checkPluginTypes(plugin);

    expect(check).toMatchObject({
      findings: [{ text: "TS5024: Compiler option 'strict' requires a value of type boolean." }],
    });
  });
});

describe('summarizeCheck', () => {
  it.each([
    { findings: 0, skipped: [], line: 'nothing found' },
    { findings: 2, skipped: [], line: 'findings: 2' },
    { findings: 0, skipped: ['types'], line: 'findings: 0; 1 check was not done: types' },
    {
      findings: 1,
      skipped: ['types', 'run twice'],
      line: 'findings: 1; 2 checks were not done: types, run twice',
    },
  ])('returns "$line"', ({ findings, skipped, line }) => {
    expect(summarizeCheck(findings, skipped)).toBe(line);
  });
});
