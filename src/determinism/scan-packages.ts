import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { pathOfModule } from './ambient-names.js';
import type { PluginFinding } from './finding.js';
import type { ModuleScanner, ScannedModule } from './scan-module.js';

/** Limit of scanned package files: more than any library of formulas has. */
const MOST_FILES = 500;

interface PackageScan {
  /** The first finding of each code in each package. */
  readonly notes: readonly PluginFinding[];
  /** Absolute paths of the scanned files. */
  readonly files: readonly string[];
}

/**
 * Scans the packages that a plugin imports, and those that they import. Code in a package is no proof, because a plugin calls few of its functions. So the
 * first place of each code is only a note. State of the modules is not searched for: nearly all of it is caches.
 */
export async function scanPackages(
  scanner: ModuleScanner,
  modules: ReadonlyMap<string, ScannedModule>,
): Promise<PackageScan> {
  const notes = new Map<string, PluginFinding>();
  const files = new Set<string>();
  const waiting = [...modules].flatMap(([file, { imports }]) =>
    imports
      .filter((specifier) => !/^(?:\.{0,2}\/|\.{1,2}$)/.test(specifier))
      .map((specifier) => ({ specifier, file })),
  );
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { specifier, file: from } = next;
    if (pathOfModule(specifier) !== undefined || files.size >= MOST_FILES) continue;
    const file = resolve(scanner, specifier, from);
    if (file === undefined || files.has(file)) continue;
    files.add(file);
    const { findings, imports } = scanner.scan(file, await readFile(file, 'utf8'), {
      findsState: false,
      resolve: () => undefined,
    });
    for (const { code, line, column, what } of findings) {
      const name = nameInPackages(file);
      const key = `${packageOf(name)} ${code}`;
      if (!notes.has(key)) notes.set(key, { code, file: name, line, column, what });
    }
    waiting.push(...imports.map((imported) => ({ specifier: imported, file })));
  }
  return { notes: [...notes.values()], files: [...files] };
}

/** Returns undefined if the file is not found or is not source code. The loader reports that. */
function resolve(scanner: ModuleScanner, specifier: string, from: string): string | undefined {
  const found = scanner.resolvePackage(specifier, from);
  const file = found?.startsWith('file:') === true ? fileURLToPath(found) : found;
  return file !== undefined && path.isAbsolute(file) && /\.[cm]?[jt]sx?$/.test(file)
    ? file
    : undefined;
}

/** `NAME/path` of a file of a package. */
function nameInPackages(file: string): string {
  return file.split(path.sep).join('/').split('/node_modules/').at(-1) ?? file;
}

function packageOf(name: string): string {
  const [scope = '', rest = ''] = name.split('/');
  return scope.startsWith('@') ? `${scope}/${rest}` : scope;
}
