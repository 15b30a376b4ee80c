import { fc, test as law } from '@fast-check/vitest';
import { expect, it } from 'vitest';

import { visibleText } from '../../../src/domain/index.js';

it.each([
  ['a title of the window', '\u001b]0;owned\u0007', '\\u001b]0;owned\\u0007'],
  ['a cleared screen', '\u001b[2J', '\\u001b[2J'],
  ['a sequence in one character', '\u009b31m', '\\u009b31m'],
  ['a line of its own', 'ok\r\nstate: running', 'ok\\u000d\\u000astate: running'],
  ['a separator of lines', 'a\u2028b', 'a\\u2028b'],
  ['text the other way round', 'a\u202eb', 'a\\u202eb'],
  ['a mark that cannot be seen', 'a\u200bb', 'a\\u200bb'],
])('visibleText escapes %s', (_what, text, shown) => {
  expect(visibleText(text)).toBe(shown);
});

law.prop([fc.string({ unit: 'binary' })])(
  'visibleText leaves no control, format or separator character',
  (text) => {
    expect(visibleText(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  },
);

law.prop([fc.string({ unit: fc.constantFrom('a', 'Z', '9', ' ', '.', ':', 'ä', 'ß', '漢', '€') })])(
  'visibleText leaves plain text unchanged',
  (text) => {
    expect(visibleText(text)).toBe(text);
  },
);
