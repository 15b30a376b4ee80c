import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';

import {
  decimal,
  fixedFromDecimal,
  fixedFromInput,
  readShortDecimal,
} from '../../../src/domain/index.js';

const digits = fc.stringMatching(/^\d{0,12}$/);
const decimalText = fc
  .tuple(fc.constantFrom('', '-'), digits, fc.constantFrom('', '.'), digits)
  .map(([sign, whole, dot, fraction]) => sign + whole + dot + fraction);

/** The amount by decimal.js, or `no decimal` if the text is none. */
const byDecimal = (text: string): bigint | 'no decimal' => {
  try {
    return fixedFromDecimal(decimal(text));
  } catch {
    return 'no decimal';
  }
};

describe('readShortDecimal', () => {
  test.prop([decimalText])('reads a text as decimal.js does, or returns undefined', (text) => {
    const short = readShortDecimal(text);

    if (short !== undefined) expect(short).toBe(byDecimal(text));
  });

  test.prop([fc.string()])('returns undefined for a text that is not a decimal', (text) => {
    if (byDecimal(text) === 'no decimal') expect(readShortDecimal(text)).toBeUndefined();
  });
});

describe('fixedFromInput', () => {
  it('refuses an exponent whose zeros would fill the memory, and rounds its opposite to 0', () => {
    expect(() => fixedFromInput('1e600000000')).toThrow(
      expect.objectContaining({ code: 'E_DECIMAL' }),
    );
    expect(fixedFromInput('1e999')).toBe(10n ** 1017n);
    expect(() => fixedFromInput('-1e1000')).toThrow(expect.objectContaining({ code: 'E_DECIMAL' }));
    expect(fixedFromInput('-1e-600000000')).toBe(0n);
    expect(['5.1e-19', '5e-19', '9e-20'].map(fixedFromInput)).toEqual([1n, 0n, 0n]);
  });

  test.prop([fc.oneof(decimalText, fc.string(), fc.double().map(String))])(
    'returns the amount that decimal.js reads, or throws if the text is not a decimal',
    (text) => {
      const expected = byDecimal(text);

      if (expected === 'no decimal') expect(() => fixedFromInput(text)).toThrow();
      else expect(fixedFromInput(text)).toBe(expected);
    },
  );

  test.prop([decimalText.filter((text) => byDecimal(text) !== 'no decimal')])(
    'reads a Decimal like its text',
    (text) => {
      expect(fixedFromInput(decimal(text))).toBe(fixedFromInput(text));
    },
  );
});
