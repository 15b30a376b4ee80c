import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { FINDING_CODES, type FindingCode, type PluginScan } from './finding.js';

/** Version of the search and of its stored form. Results of an older version no longer count. */
const VERSION = 4;

const finding = z.object({
  code: z.enum(FINDING_CODES as readonly [FindingCode, ...FindingCode[]]),
  file: z.string(),
  line: z.int(),
  column: z.int(),
  what: z.string(),
});

const kept = z.object({
  findings: z.array(finding),
  notes: z.array(finding),
  /** Files of packages by path relative to the plugin's folder, each with its size and time of change. */
  packages: z.record(z.string(), z.string()),
});

/** Stores the findings of a plugin by the hash of its sources, beside the compiled plugins. */
export class FindingCache {
  readonly #file: string | undefined;
  readonly #folder: string;

  constructor(
    cacheFolder: string | undefined,
    { folder, sourceHash }: { readonly folder: string; readonly sourceHash: string },
  ) {
    const key = createHash('sha256')
      .update(`${String(VERSION)} ${sourceHash}`)
      .digest('hex');
    this.#file = cacheFolder && path.join(cacheFolder, 'findings', `${key}.json`);
    this.#folder = folder;
  }

  /** Returns the stored findings; undefined if there are none, or if a package has changed since. */
  async read(): Promise<PluginScan | undefined> {
    if (this.#file === undefined) return undefined;
    try {
      const { findings, notes, packages } = kept.parse(
        JSON.parse(await readFile(this.#file, 'utf8')),
      );
      for (const [name, state] of Object.entries(packages))
        if ((await stateOf(path.resolve(this.#folder, name))) !== state) return undefined;
      return { findings, notes };
    } catch {
      // Missing, cut off or in another format: the caller scans again.
      return undefined;
    }
  }

  /** Stores a scan. `files` are the scanned files of packages. If the folder is not writable, nothing is stored. */
  async write({ findings, notes }: PluginScan, files: readonly string[]): Promise<void> {
    if (this.#file === undefined) return;
    try {
      const packages: Record<string, string> = {};
      for (const file of files) packages[path.relative(this.#folder, file)] = await stateOf(file);
      await mkdir(path.dirname(this.#file), { recursive: true, mode: 0o700 });
      // A rename, so that a reader never sees a half-written file.
      const draft = `${this.#file}.${String(process.pid)}`;
      await writeFile(draft, JSON.stringify({ findings, notes, packages }), { mode: 0o600 });
      await rename(draft, this.#file);
    } catch {
      // The next start scans again.
    }
  }
}

async function stateOf(file: string): Promise<string> {
  const { size, mtimeMs } = await stat(file);
  return `${String(size)} ${String(mtimeMs)}`;
}
