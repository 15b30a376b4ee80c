import path from 'node:path';
import { findImported, hashPluginSources, readPluginSources } from './plugin-sources.js';
import type { FileFinding } from './find-ambient.js';
import type { PluginFinding, PluginScan } from './finding.js';
import { FindingCache } from './finding-cache.js';
import { ModuleScanner, type ScannedModule } from './scan-module.js';
import { scanPackages } from './scan-packages.js';

interface ScanPluginOptions {
  /** Absolute folder that keeps the findings for the next start; only its owner may be able to write to it. @defaultValue none */
  readonly cacheFolder?: string | undefined;
}

/** Scans a plugin and all its imports except `evenkeel` and `rxjs`. With a cache folder the same sources are scanned only once. */
export async function scanPlugin(
  plugin: string,
  { cacheFolder }: ScanPluginOptions = {},
): Promise<PluginScan> {
  const sources = await readPluginSources(plugin);
  const folder = path.dirname(plugin);
  const sourceHash = hashPluginSources(plugin, sources);
  const cache = new FindingCache(cacheFolder, { folder, sourceHash });
  const known = await cache.read();
  if (known !== undefined) return known;
  const scanner = new ModuleScanner();
  const modules = scanFiles(scanner, sources);
  const findings = [...modules].flatMap(([file, { findings: found }]) =>
    found.map((finding) => named(finding, path.relative(folder, file).split(path.sep).join('/'))),
  );
  const { notes, files } = await scanPackages(scanner, modules);
  const scan = { findings: inOrder(findings), notes };
  await cache.write(scan, files);
  return scan;
}

/** Scans each file after its imports, because it needs to know their exports. */
function scanFiles(
  scanner: ModuleScanner,
  sources: ReadonlyMap<string, string>,
): ReadonlyMap<string, ScannedModule> {
  const scanned = new Map<string, ScannedModule>();
  const begun = new Set<string>();
  const scan = (file: string): ScannedModule | undefined => {
    const text = sources.get(file);
    // In a circle of imports, one file is scanned before the exports of another are known.
    if (text === undefined || begun.has(file) || file.endsWith('.json')) return scanned.get(file);
    begun.add(file);
    const seen = scanner.scan(file, text, {
      findsState: true,
      resolve: (specifier, name) => {
        const imported = findImported(sources, file, specifier);
        return imported === undefined ? undefined : scan(imported)?.exported(name);
      },
    });
    scanned.set(file, seen);
    return seen;
  };
  for (const file of sources.keys()) scan(file);
  return scanned;
}

function named({ code, line, column, what }: FileFinding, file: string): PluginFinding {
  return { code, file, line, column, what };
}

function inOrder(findings: readonly PluginFinding[]): readonly PluginFinding[] {
  const byFile = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
  return findings.toSorted(
    (a, b) => byFile(a.file, b.file) || a.line - b.line || a.column - b.column,
  );
}
