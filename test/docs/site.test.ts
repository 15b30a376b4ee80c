import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';

const DOCS = path.resolve(import.meta.dirname, '../../docs');
const SITE = path.join(DOCS, 'site');
const run = promisify(execFile);

const { SHELVES } = (await import(path.join(SITE, 'shelves.mjs'))) as {
  readonly SHELVES: readonly { readonly text: string; readonly pages: readonly string[] }[];
};
const pages = readdirSync(DOCS).filter((name) => name.endsWith('.md'));
const shelved = SHELVES.flatMap(({ pages }) => pages);

/** Plain sentences of running text, without markup that changes in a page. */
function sentencesOf(markdown: string): readonly string[] {
  return markdown
    .replaceAll(/^```[^]*?^```$/gm, '')
    .split(/\n{2,}|(?<=\.)\s/)
    .filter((sentence) => /^[A-Z][A-Za-z\d ,.\n-]+\.$/.test(sentence));
}

const wordsOf = (text: string): string => text.match(/\w+/g)?.join(' ') ?? '';

describe('the site of the docs', { timeout: 300_000 }, () => {
  beforeAll(async () => {
    if (!existsSync(path.join(SITE, 'node_modules'))) await run('npm', ['ci'], { cwd: SITE });
    await run('npm', ['run', 'build'], { cwd: SITE, maxBuffer: 64_000_000 });
  }, 300_000);

  it('lists each page in exactly one section', () => {
    expect(shelved.toSorted()).toEqual(pages.map((name) => name.slice(0, -3)).toSorted());
  });

  it('contains a built page with the title and the text of each document', () => {
    for (const name of shelved) {
      const markdown = readFileSync(path.join(DOCS, `${name}.md`), 'utf8');
      const title = /^# (.+)$/m.exec(markdown)?.[1];
      const html = readFileSync(path.join(SITE, 'dist', `${name}.html`), 'utf8');
      expect(html).toContain('<main');
      expect(html).toContain(title?.replaceAll('&', '&amp;').replaceAll('"', '&quot;'));
      const shown = wordsOf(html.replaceAll(/<(script|style)[^]*?<\/\1>|<[^>]+>/g, ' '));
      const written = sentencesOf(markdown).map(wordsOf);
      expect(written.length).toBeGreaterThan(0);
      expect(written.filter((words) => !shown.includes(words))).toEqual([]);
    }
  });

  it('contains the reference of every entry point', () => {
    const reference = readdirSync(path.join(SITE, 'dist', 'api'), { recursive: true }).map(String);

    for (const name of ['CandleStrategy', 'runBacktest', 'startStrategy', 'indicatorContract'])
      expect(reference.some((file) => file.endsWith(`${name}.html`))).toBe(true);
    const list = readFileSync(path.join(SITE, 'dist', 'api', 'index.html'), 'utf8');
    for (const name of ['evenkeel', 'evenkeel/run', 'evenkeel/testing'])
      expect(list).toContain(`<code>${name}</code>`);
  });

  it('lists every page and its Markdown file in llms.txt', () => {
    const text = readFileSync(path.join(SITE, 'dist', 'llms.txt'), 'utf8');

    const listed = [...text.matchAll(/^- \[.+\]\((\S+)\.md\): \S/gm)].map(([, name]) => name);
    expect(listed).toEqual(shelved);
    for (const name of shelved)
      expect(existsSync(path.join(SITE, 'dist', `${name}.md`))).toBe(true);
  });
});
