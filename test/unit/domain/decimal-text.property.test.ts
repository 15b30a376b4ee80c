import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';

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
