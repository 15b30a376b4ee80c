import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as TypeScript from 'typescript';

/** One message of the compiler about a plugin. */
interface TypeFinding {
  /** Absolute path. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  /** For example `TS2322: Type 'string' is not assignable to type 'number'.` */
  readonly text: string;
}

export type TypeCheck =
  | { readonly status: 'checked'; readonly findings: readonly TypeFinding[] }
  /** JavaScript has no types. */
  | { readonly status: 'none' }
  /** Why the types could not be checked, and the remedy. */
  | { readonly status: 'skipped'; readonly reason: string };

/** The versions that `check` can use, and the command that installs one. */
const SUPPORTED = 'check uses version 5 or 6: npm install --save-dev typescript@6';

/**
 * Checks the types of a plugin and of the files it imports, with the TypeScript of its project, or with our own if it has none.
 *
 * The nearest tsconfig.json decides how strict the check is; without one it is strict. `origins`: files from which to look for TypeScript.
 */
export function checkPluginTypes(
  plugin: string,
  origins: readonly string[] = [plugin, import.meta.url],
): TypeCheck {
  if (!/\.m?ts$/.test(plugin)) return { status: 'none' };
  const { ts, unusable } = findTypeScript(origins);
  if (ts === undefined) {
    const found =
      unusable === undefined
        ? 'TypeScript is not installed'
        : `TypeScript ${unusable} is installed, which check cannot use`;
    return { status: 'skipped', reason: `${found}; ${SUPPORTED}` };
  }
  const { options, problems } = readProject(ts, path.dirname(plugin));
  const program = ts.createProgram([plugin], compilerOptions(ts, plugin, options));
  const own = program
    .getSourceFiles()
    .filter(({ fileName, isDeclarationFile }) => !isDeclarationFile && isPluginFile(fileName));
  const found = own.flatMap((source) => ts.getPreEmitDiagnostics(program, source));
  const findings = [...problems, ...found].map((diagnostic) =>
    describeDiagnostic(ts, diagnostic, plugin),
  );
  return { status: 'checked', findings };
}

const packageFolder = fileURLToPath(new URL('../../', import.meta.url));

/** Whether a file belongs to the plugin: neither a dependency nor this package's own source. */
function isPluginFile(file: string): boolean {
  const normal = path.normalize(file);
  return !normal.startsWith(packageFolder) && !/[\\/]node_modules[\\/]/.test(normal);
}

interface FoundTypeScript {
  readonly ts?: typeof TypeScript;
  /** Version of a TypeScript that is installed but cannot be used. */
  readonly unusable?: string;
}

function findTypeScript(origins: readonly string[]): FoundTypeScript {
  let unusable: string | undefined;
  for (const origin of origins) {
    try {
      const found: unknown = createRequire(origin)('typescript');
      if (isTypeScript(found)) return { ts: found };
      unusable ??= versionOf(found);
    } catch {
      // Not installed there.
    }
  }
  return unusable === undefined ? {} : { unusable };
}

/** Whether a module is a usable TypeScript. Version 7 and later have no `createProgram`. */
function isTypeScript(found: unknown): found is typeof TypeScript {
  return typeof found === 'object' && found !== null && 'createProgram' in found;
}

function versionOf(found: unknown): string {
  const { version } = (found ?? {}) as { readonly version?: unknown };
  return typeof version === 'string' ? version : 'of unknown version';
}

interface Project {
  readonly options: TypeScript.CompilerOptions;
  readonly problems: readonly TypeScript.Diagnostic[];
}

/** Reads the nearest tsconfig.json. If it cannot be read, that is a finding. */
function readProject(ts: typeof TypeScript, folder: string): Project {
  const project = ts.findConfigFile(folder, (file) => ts.sys.fileExists(file));
  if (project === undefined) return { options: { strict: true }, problems: [] };
  const read = ts.readConfigFile(project, (file) => ts.sys.readFile(file));
  if (read.error !== undefined) return { options: { strict: true }, problems: [read.error] };
  const { options, errors } = ts.parseJsonConfigFileContent(
    read.config,
    ts.sys,
    path.dirname(project),
  );
  // A config without files is no problem here: `plugin` is the file.
  return { options, problems: errors.filter(({ code }) => code !== NO_INPUTS) };
}

/** "No inputs were found in config file." */
const NO_INPUTS = 18003;

function compilerOptions(
  ts: typeof TypeScript,
  plugin: string,
  written: TypeScript.CompilerOptions,
): TypeScript.CompilerOptions {
  const folder = path.dirname(plugin);
  const rxjs = path.dirname(createRequire(import.meta.url).resolve('rxjs/package.json'));
  return {
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
    types: [],
    ...written,
    // Our declarations are outside of the project.
    rootDir: path.parse(folder).root,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    noEmit: true,
    composite: false,
    incremental: false,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    // The same copies that the plugin gets when it runs.
    paths: { evenkeel: [publicDoor()], rxjs: [rxjs], 'rxjs/*': [`${rxjs}/*`] },
  };
}

function publicDoor(): string {
  const declarations = path.join(packageFolder, 'index.d.ts');
  return existsSync(declarations) ? declarations : path.join(packageFolder, 'index.ts');
}

function describeDiagnostic(
  ts: typeof TypeScript,
  { file, start, code, messageText }: TypeScript.Diagnostic,
  plugin: string,
): TypeFinding {
  const text = ts.flattenDiagnosticMessageText(messageText, ' ').replace(/\s+/g, ' ');
  const position = file?.getLineAndCharacterOfPosition(start ?? 0);
  return {
    file: file === undefined ? plugin : path.normalize(file.fileName),
    line: (position?.line ?? 0) + 1,
    column: (position?.character ?? 0) + 1,
    text: `TS${String(code)}: ${text}`,
  };
}
