import { describe, expect, it } from 'vitest';

import { WireFormatError } from '../../../../src/domain/index.js';
import { formatJson, JsonNumber, JsonText, parseJson } from '../../../../src/venue/wire/index.js';

describe('parseJson', () => {
  it('keeps an id above 2^53 as text', () => {
    // 3221406049627539350 as float64 is 3221406049627539500.
    expect(parseJson('{"orderId":3221406049627539350}')).toEqual({
      orderId: '3221406049627539350',
    });
  });

  it('keeps a decimal of more than 15 digits as text', () => {
    expect(parseJson('[0.12345678901234567, 1234567890123456.5]')).toEqual([
      '0.12345678901234567',
      '1234567890123456.5',
    ]);
  });

  it('keeps numbers of at most 15 digits as numbers', () => {
    expect(parseJson('[0, -1.5, 999999999999999, 0.00000000000001, 1e3]')).toEqual([
      0, -1.5, 999999999999999, 0.00000000000001, 1000,
    ]);
  });

  it('keeps a number beyond the range of float64 as text', () => {
    expect(parseJson('[1e999, -1E-400]')).toEqual(['1e999', '-1E-400']);
  });

  it('does not change digits inside texts and keys', () => {
    const text = '{"12345678901234567890":"id 12345678901234567890, \\"99999999999999999999\\""}';

    expect(parseJson(text)).toEqual({
      '12345678901234567890': 'id 12345678901234567890, "99999999999999999999"',
    });
  });

  it('reads a __proto__ key as an ordinary key', () => {
    const parsed = parseJson('{"__proto__":{"admin":true},"id":12345678901234567890}');

    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
    expect(Object.keys(parsed as object)).toEqual(['__proto__', 'id']);
  });

  it.each([
    ['', 'nothing'],
    ['<html>\n<body>504</body>', '"<html> <body>504</body>"'],
    ['{"a":1', '"{"a":1"'],
    ['01234567890123456789', '"01234567890123456789"'],
    ['{12345678901234567890:1}', '"{12345678901234567890:1}"'],
    ['[12345678901234567890 12345678901234567890]', '"[12345678901234567890 123456789012345678…"'],
    ['+12345678901234567890', '"+12345678901234567890"'],
    ['12345678901234567890.', '"12345678901234567890."'],
    ['NaN', '"NaN"'],
    ['"\\12345678901234567890', '""\\12345678901234567890"'],
  ])('refuses %j, which is not JSON', (text, shown) => {
    expect(() => parseJson(text)).toThrow(WireFormatError);
    expect(() => parseJson(text)).toThrow(`expected JSON, received ${shown}`);
  });

  it('reads deep nesting without a stack overflow', () => {
    const depth = 100_000;

    expect(() => parseJson('['.repeat(depth) + ']'.repeat(depth))).not.toThrow();
  });
});

describe('formatJson', () => {
  it('writes long numbers with all digits and without quotes', () => {
    const value = { id: new JsonNumber('3221406049627539350'), price: new JsonNumber('0.10') };

    expect(formatJson(value)).toBe('{"id":3221406049627539350,"price":0.10}');
  });

  it('omits undefined members, and keeps the order of keys', () => {
    expect(formatJson({ z: 1, a: undefined, m: [null, true, 'x"y'] })).toBe(
      '{"z":1,"m":[null,true,"x\\"y"]}',
    );
  });

  it('indents on request', () => {
    expect(formatJson({ a: [1, { b: [] }], c: {} }, 2)).toBe(
      '{\n  "a": [\n    1,\n    {\n      "b": []\n    }\n  ],\n  "c": {}\n}',
    );
  });

  it('writes a prepared JSON text unchanged', () => {
    expect(formatJson({ raw: new JsonText('{"x": 12345678901234567890}') })).toBe(
      '{"raw":{"x": 12345678901234567890}}',
    );
  });

  it.each(['', '1.', '01', '0x1', '1e', ' 1', 'NaN', '1,2'])(
    'refuses a number that is not valid JSON: %j',
    (text) => {
      expect(() => new JsonNumber(text)).toThrow(WireFormatError);
    },
  );
});
