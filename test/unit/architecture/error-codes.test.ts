import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const source = path.join(root, 'src');
const CODE = /\bE_[A-Z0-9]+(?:_[A-Z0-9]+)*\b/g;

function codesInSource(): readonly string[] {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
  const texts = files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(path.join(source, file), 'utf8'));
  return [...new Set(texts.flatMap((text) => text.match(CODE) ?? []))].sort();
}

function documentedCodes(): readonly string[] {
  const text = readFileSync(path.join(root, 'docs', 'errors.md'), 'utf8');
  return [...text.matchAll(/^- `(E_[A-Z0-9_]+)`: \S.{10,}[.;]$|^- `(E_[A-Z0-9_]+)`/gm)].map(
    (match) => match[1] ?? `${match[2] ?? ''} without a sentence`,
  );
}

describe('docs/errors.md', () => {
  it('explains every error code of the source once, and no other', () => {
    const [documented, used] = [documentedCodes(), codesInSource()];

    expect(used.length).toBeGreaterThan(100);
    expect([...documented].sort()).toEqual(used);
  });
});
