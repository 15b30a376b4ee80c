import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';

import { redact, Secret } from '../../../src/client/keys/secret.js';

describe('Secret', () => {
  it('shows a mask in text, templates, JSON and inspection, at any depth', () => {
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

  it('returns its value with reveal()', () => {
    expect(new Secret('s3cr3t-value').reveal()).toBe('s3cr3t-value');
  });
});

describe('redact', () => {
  const VALUE = 'p+4s/w0"r d\\6e';
  const inBase64 = (before: string, after: string): string =>
    Buffer.from(`${before}${VALUE}${after}`).toString('base64');

  it.each([
    ['as it is', VALUE],
    ['in a URL', encodeURIComponent(VALUE)],
    [
      'in a URL in lower case',
      encodeURIComponent(VALUE).replace(/%\w\w/g, (code) => code.toLowerCase()),
    ],
    ['in JSON', JSON.stringify(VALUE).slice(1, -1)],
    ['in hexadecimal', Buffer.from(VALUE).toString('hex')],
    ['in base64', inBase64('', '')],
    ['in base64 after one character', inBase64('x', '')],
    ['in base64 after two', inBase64('user:12', 'yz')],
    ['in base64 for URLs', Buffer.from(`k:${VALUE}`).toString('base64url')],
  ])('masks a secret %s', (_, text) => {
    const masked = redact(`<${text}>`, [new Secret(VALUE)]);

    expect(masked).toContain('[secret]');
    // Only the text around the secret is left.
    expect(masked.replace('[secret]', '').length).toBeLessThan(18);
  });

  it('masks every occurrence of every secret', () => {
    const text = redact('key k1 and k1, secret s2', [new Secret('k1'), new Secret('s2')]);

    expect(text).toBe('key [secret] and [secret], secret [secret]');
  });
});
