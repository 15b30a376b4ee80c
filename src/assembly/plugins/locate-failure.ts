import { createRequire, SourceMap } from 'node:module';
import path from 'node:path';
import type * as Jiti from 'jiti';
import type { PluginSources } from '../../determinism/index.js';

/** A place in a plugin, or in another file of its own. */
interface PluginPlace {
  /** Absolute path. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1; undefined if not known. */
  readonly column: number | undefined;
}

/** The innermost place of an error's stack in one of these files. No work is done for it before an error occurs. */
export function locateFailure(error: unknown, sources: PluginSources): PluginPlace | undefined {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  for (const frame of stack.split('\n')) {
    for (const [file, text] of sources) {
      const start = frame.indexOf(`${file}:`);
      const place = start < 0 ? null : /^:(\d+):(\d+)/.exec(frame.slice(start + file.length));
      if (place === null) continue;
      const line = Number(place[1]);
      return { file, line, column: columnOf({ file, text, line, column: Number(place[2]) }) };
    }
  }
  return undefined;
}

/** Compiling keeps lines. For the column, the file is compiled once more with a source map. */
function columnOf({
  file,
  text,
  line,
  column,
}: {
  readonly file: string;
  readonly text: string;
  readonly line: number;
  readonly column: number;
}): number | undefined {
  // The loader puts text before the first line, which shifts its columns.
  if (line === 1) return undefined;
  const { createJiti } = createRequire(import.meta.url)('jiti') as typeof Jiti;
  const compiled = createJiti(import.meta.url, {
    fsCache: false,
    interopDefault: false,
    sourceMaps: true,
  }).transform({
    source: text,
    filename: file,
    ts: /^\.[cm]?tsx?$/.test(path.extname(file)),
    async: true,
  });
  const map = /sourceMappingURL=data:[^,]*base64,([\w+/=]+)\s*$/.exec(compiled)?.[1];
  if (map === undefined) return undefined;
  const payload = JSON.parse(Buffer.from(map, 'base64').toString()) as SourceMap['payload'];
  const entry = new SourceMap(payload).findEntry(line - 1, column - 1);
  return 'originalColumn' in entry && entry.originalLine === line - 1
    ? entry.originalColumn + 1
    : undefined;
}
