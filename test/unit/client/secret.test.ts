import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';

import { redact, Secret } from '../../../src/client/secret.js';

describe('Secret', () => {
  it('shows a mask as text, in templates, JSON and inspection, however deep it lies', () => {
    const secret = new Secret('s3cr3t-value');
    const holder = { credentials: { list: [secret] } };

    const shown = [
      String(secret),
      `signed with ${String(secret)}`,
      JSON.stringify(holder),
      inspect(holder, { depth: 10, showHidden: true }),
      inspect(secret),
      JSON.stringify(Object.assign({}, secret)),
    ].join('\n');

    expect(shown).not.toContain('s3cr3t');
    expect(shown).toContain('[secret]');
  });

  it('gives its value to who asks for it by name', () => {
    expect(new Secret('s3cr3t-value').reveal()).toBe('s3cr3t-value');
  });
});

describe('redact', () => {
  it('masks every occurrence of every secret', () => {
    const text = redact('key k1 and k1, secret s2', [new Secret('k1'), new Secret('s2')]);

    expect(text).toBe('key [secret] and [secret], secret [secret]');
  });
});
