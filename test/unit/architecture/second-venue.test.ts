import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const FOLDER = 'test/contract/second-venue';

function filesOf(folder: string): readonly string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.m?[jt]s$/.test(name))
    .map((name) => path.posix.join(folder, name.replaceAll(path.sep, '/')));
}

function textOf(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}

/** First words of the lines of the second venue, from the code of its server. */
function wireWords(): readonly string[] {
  return [...textOf(`${FOLDER}/line-server.ts`).matchAll(/case '([A-Z]+)'/g)].map(
    ([, word = '']) => word,
  );
}

const others = [...filesOf('src'), ...filesOf('test')].filter(
  (file) => !file.startsWith(`${FOLDER}/`),
);

describe('the second venue', () => {
  it('has nine wire words, and the check covers the rest of the code', () => {
    expect(wireWords()).toHaveLength(9);
    expect(others.length).toBeGreaterThan(1_000);
  });

  it('has wire words that only its own folder uses', () => {
    // A text that begins with such a word, like a line of the wire.
    const line = new RegExp(`['"\`](?:${wireWords().join('|')})['"\` ]`);

    expect(others.filter((file) => line.test(textOf(file)))).toEqual([]);
  });

  it('is not named in src', () => {
    const named = /second-venue|LineServer|LineLink|lineVenue/;

    expect(others.filter((file) => file.startsWith('src/') && named.test(textOf(file)))).toEqual(
      [],
    );
  });
});
