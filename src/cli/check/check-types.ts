import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as TypeScript from 'typescript';

/** One thing the compiler says about a plugin. */
export interface TypeFinding {
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
  /** Why nothing could be checked. */
  | { readonly status: 'skipped'; readonly reason: string };

/**
 * Checks the types of a plugin and of the files it imports, with the TypeScript that its project has, else with our own.
 *
 * The nearest tsconfig.json decides how strict; without one everything is strict.
 */
export function checkPluginTypes(plugin: string): TypeCheck {
  if (!/\.m?ts$/.test(plugin)) return { status: 'skipped', reason: 'JavaScript has no types' };
  const ts = findTypeScript(plugin);
  if (ts === undefined) return { status: 'skipped', reason: 'typescript is not installed' };
  const program = ts.createProgram([plugin], compilerOptions(ts, plugin));
  const own = program
    .getSourceFiles()
    .filter(({ fileName, isDeclarationFile }) => !isDeclarationFile && isPluginFile(fileName));
  const findings = own
    .flatMap((source) => ts.getPreEmitDiagnostics(program, source))
    .map((diagnostic) => describeDiagnostic(ts, diagnostic, plugin));
  return { status: 'checked', findings };
}

const packageFolder = fileURLToPath(new URL('../../', import.meta.url));

/** Whether a file belongs to the plugin: neither a dependency nor this package's own source. */
function isPluginFile(file: string): boolean {
  const normal = path.normalize(file);
  return !normal.startsWith(packageFolder) && !/[\\/]node_modules[\\/]/.test(normal);
}

function findTypeScript(plugin: string): typeof TypeScript | undefined {
  for (const origin of [plugin, import.meta.url]) {
    try {
      const found: unknown = createRequire(origin)('typescript');
      if (isTypeScript(found)) return found;
    } catch {
      // Not installed there.
    }
  }
  return undefined;
}

/** Later versions may offer another interface: then nothing is checked. */
function isTypeScript(found: unknown): found is typeof TypeScript {
  return typeof found === 'object' && found !== null && 'createProgram' in found;
}

function compilerOptions(ts: typeof TypeScript, plugin: string): TypeScript.CompilerOptions {
  const folder = path.dirname(plugin);
  const project = ts.findConfigFile(folder, (file) => ts.sys.fileExists(file));
  const written =
    project === undefined
      ? { strict: true }
      : ts.parseJsonConfigFileContent(
          ts.readConfigFile(project, (file) => ts.sys.readFile(file)).config,
          ts.sys,
          path.dirname(project),
        ).options;
  const rxjs = path.dirname(createRequire(import.meta.url).resolve('rxjs/package.json'));
  return {
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
    types: [],
    ...written,
    // Our declarations lie outside of the project.
    rootDir: path.parse(folder).root,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    noEmit: true,
    composite: false,
    incremental: false,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    // The copies that the plugin gets when it runs.
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
