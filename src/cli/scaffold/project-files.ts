import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';

/** A file to write, relative to the working folder. */
export interface NewFile {
  readonly name: string;
  readonly text: string;
}

interface ProjectFiles {
  /** Files that the project lacks. */
  readonly files: readonly NewFile[];
  /** Changes that the user should make, one line each. Existing files are never overwritten. */
  readonly advice: readonly string[];
}

const PACKAGE = { private: true, type: 'module' };

const TSCONFIG = {
  compilerOptions: {
    target: 'es2023',
    module: 'nodenext',
    types: [],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noImplicitOverride: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true,
    noEmit: true,
  },
  include: ['strategies'],
};

/** Lists the files that editors and the compiler need, so that they read strategies as they run: as modules, with strict types. */
export async function listProjectFiles(cwd: string): Promise<ProjectFiles> {
  const manifest = await findUpwards(cwd, 'package.json');
  const isModule = manifest === undefined || (await readsAsModule(manifest));
  const project = await findUpwards(cwd, 'tsconfig.json');
  return {
    files: [
      ...(manifest === undefined ? [{ name: 'package.json', text: format(PACKAGE) }] : []),
      ...(project === undefined ? [{ name: 'tsconfig.json', text: format(TSCONFIG) }] : []),
    ],
    advice: isModule
      ? []
      : [
          `${path.relative(cwd, manifest)} has no "type": "module": add it, or the compiler reads strategies as CommonJS`,
        ],
  };
}

/** Absolute path of a file in the folder or in the nearest one above it. */
async function findUpwards(folder: string, name: string): Promise<string | undefined> {
  const file = path.join(folder, name);
  if ((await stat(file).catch(() => undefined)) !== undefined) return file;
  const above = path.dirname(folder);
  return above === folder ? undefined : findUpwards(above, name);
}

async function readsAsModule(manifest: string): Promise<boolean> {
  try {
    const read: unknown = JSON.parse(await readFile(manifest, 'utf8'));
    return typeof read === 'object' && read !== null && 'type' in read && read.type === 'module';
  } catch {
    return false;
  }
}

function format(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
