import fc from 'fast-check';
import { parse as parseLossless } from 'lossless-json';
import { describe, expect, it } from 'vitest';

import { parseFixed } from '../../../../src/domain/index.js';
import { formatJson, JsonNumber, parseJson } from '../../../../src/venue/wire/index.js';
import { propertyRuns } from '../../../support/runs.js';

/** A decimal text with up to 20 digits before and 18 after the point. */
const decimalText = fc
  .tuple(fc.bigInt(0n, 10n ** 20n), fc.integer({ min: 0, max: 18 }), fc.boolean())
  .map(([digits, decimals, isNegative]) => {
    const text = digits.toString().padStart(decimals + 1, '0');
    const whole = text.slice(0, text.length - decimals);
    const fraction = decimals === 0 ? '' : `.${text.slice(text.length - decimals)}`;
    return `${isNegative ? '-' : ''}${whole}${fraction}`;
  });

describe('parseJson', () => {
  it('keeps every digit of an integer of any length', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 63n - 1n), (id) => {
        const parsed = parseJson(`{"id":${id.toString()}}`) as { id: number | string };

        expect(String(parsed.id)).toBe(id.toString());
      }),
    );
  });

  it('keeps the exact value of every decimal', () => {
    fc.assert(
      fc.property(decimalText, (text) => {
        const [parsed] = parseJson(`[${text}]`) as [number | string];

        expect(parseFixed(String(parsed))).toBe(parseFixed(text));
      }),
    );
  });

  it('reads the same as JSON.parse if no number is long', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 2 }), (value, indent) => {
        const text = JSON.stringify(shortNumbers(value), undefined, indent);

        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('reads the same as lossless-json with the same rule for long numbers', () => {
    const number = fc.oneof(
      decimalText,
      fc.tuple(decimalText, fc.integer({ min: -400, max: 400 })).map(([text, exponent]) => {
        return `${text}e${String(exponent)}`;
      }),
    );
    const { text } = fc.letrec<{ text: string }>((tie) => ({
      text: fc.oneof(
        { maxDepth: 3 },
        number,
        fc.string().map((value) => JSON.stringify(value)),
        fc.array(tie('text'), { maxLength: 4 }).map((entries) => `[${entries.join(' , ')}]`),
        fc
          .uniqueArray(fc.tuple(fc.string(), tie('text')), {
            selector: ([key]) => key,
            maxLength: 4,
          })
          .map((members) => {
            const written = members.map(([key, value]) => `${JSON.stringify(key)}:${value}`);
            return `{${written.join(',')}}`;
          }),
      ),
    }));
    fc.assert(
      fc.property(text, (json) => {
        expect(parseJson(json)).toEqual(parseLossless(json, undefined, numberOrText));
      }),
      { numRuns: 5 * propertyRuns() },
    );
  });

  it('refuses exactly what JSON.parse refuses', () => {
    const pieces = fc.constantFrom(
      ...['{', '}', '[', ']', ',', ':', '"', '\\', ' ', '-', '.', 'e', '0', '12345678901234567890'],
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join('');

        expect(throws(() => parseJson(text))).toBe(throws(() => JSON.parse(text) as unknown));
      }),
      { numRuns: 20 * propertyRuns() },
    );
  });

  it('reads back the text of formatJson', () => {
    fc.assert(
      fc.property(fc.bigInt(10n ** 16n, 10n ** 19n), fc.string(), (id, name) => {
        const text = formatJson({ [name]: [new JsonNumber(id.toString()), name] });

        expect(parseJson(text)).toEqual({ [name]: [id.toString(), name] });
      }),
    );
  });
});

/** A number if it has at most 15 digits and an exponent from -100 to 100, otherwise its text. */
function numberOrText(text: string): number | string {
  const [mantissa = '', exponent = '0'] = text.split('e');
  const isExact = mantissa.replace(/[-.]/g, '').length <= 15 && Math.abs(Number(exponent)) <= 100;
  return isExact ? Number(text) : text;
}

function throws(action: () => unknown): boolean {
  try {
    action();
    return false;
  } catch {
    return true;
  }
}

/** Replaces numbers that the parser would keep as text by short ones. */
function shortNumbers(value: unknown): unknown {
  if (typeof value === 'number') return Math.round(value % 1e6) / 8;
  if (Array.isArray(value)) return value.map(shortNumbers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, shortNumbers(member)]),
  );
}
