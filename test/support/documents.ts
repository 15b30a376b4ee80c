import { readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Joins the TypeScript blocks of a page into one program. */
export function programOf(page: string): string {
  const text = readFileSync(path.join(ROOT, page), 'utf8');
  return [...text.matchAll(/^```ts\n([^]*?)^```/gm)].map(([, block = '']) => block).join('\n');
}

/** The blocks of a page that belong into files, by file name. */
export function filesOf(page: string): ReadonlyMap<string, string> {
  const text = readFileSync(path.join(ROOT, page), 'utf8');
  const blocks = text.matchAll(/^```\w+ (\S+)\n([^]*?)^```/gm);
  return new Map([...blocks].map(([, file = '', block = '']) => [file, block]));
}
