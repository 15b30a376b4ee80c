import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The docs that come with the package. */
const DOCS = fileURLToPath(new URL('../../../docs/', import.meta.url));

/** A page of the docs for an assistant. */
export interface DocsPage {
  readonly name: string;
  /** Its first heading. */
  readonly title: string;
  readonly uri: string;
  readonly text: string;
}

/** Pages of the docs, by name. */
export async function listPages(): Promise<readonly DocsPage[]> {
  const files = (await readdir(DOCS)).filter((file) => file.endsWith('.md')).sort();
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(path.join(DOCS, file), 'utf8');
      const name = file.slice(0, -'.md'.length);
      const title = /^# (.+)$/m.exec(text)?.[1] ?? name;
      return { name, title, uri: `evenkeel://docs/${name}`, text };
    }),
  );
}

/** Meanings of the error codes, from the page of errors. */
export function errorCodes(pages: readonly DocsPage[]): ReadonlyMap<string, string> {
  const text = pages.find(({ name }) => name === 'errors')?.text ?? '';
  return new Map(
    [...text.matchAll(/^- `(E_[A-Z0-9_]+)`: (.+)$/gm)].map(([, code = '', meaning = '']) => [
      code,
      meaning,
    ]),
  );
}
