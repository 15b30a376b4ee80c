import { describe, expect, it } from 'vitest';

import {
  encodeVenueError,
  formatJson,
  parseJson,
  readVenueError,
  VENUE_ERRORS,
  venueErrorFact,
} from '../../../../src/venue/wire/index.js';

describe('readVenueError', () => {
  it.each([
    ['a number as code', '{"code":-1121,"msg":"Invalid symbol."}', '-1121', 'Invalid symbol.'],
    [
      'a text as code, in an envelope',
      '{"code":"-1121","msg":"交易对错误","data":null,"succ":false}',
      '-1121',
      '交易对错误',
    ],
    ['no message', '{"code":"1","msg":null}', '1', ''],
    ['a body encoded twice', '"{\\"code\\":-2015,\\"msg\\":\\"no\\"}"', '-2015', 'no'],
    [
      "a gateway's page",
      '{"timestamp":1760000000000,"status":404,"error":"Not Found","message":"","path":"/x"}',
      'HTTP 404',
      '',
    ],
  ])('finds an error with %s', (_what, json, code, message) => {
    expect(readVenueError(parseJson(json))).toMatchObject({ code, message });
  });

  it.each(['{"code":"0","data":{}}', '{"code":0,"msg":"success"}', '{}', '[]', '"x"', 'null', '7'])(
    'finds no error in %s',
    (json) => {
      expect(readVenueError(parseJson(json))).toBeUndefined();
    },
  );

  it('shortens the message of the venue', () => {
    const error = readVenueError({ code: 1, msg: 'x'.repeat(1_000) });

    expect(error?.message).toHaveLength(200);
  });
});

describe('encodeVenueError', () => {
  it('writes the code as a number in the profile interface and as a text in the profile family', () => {
    const error = { code: '-1003', message: 'too many requests' } as const;

    expect(formatJson(encodeVenueError(error, 'interface'))).toBe(
      '{"code":-1003,"msg":"too many requests"}',
    );
    expect(formatJson(encodeVenueError(error, 'family'))).toBe(
      '{"code":"-1003","msg":"too many requests","data":null,"succ":false}',
    );
  });
});

describe('venueErrorFact', () => {
  it.each([
    ['-1021', 'clock', 'caller'],
    ['-1022', 'auth', 'owner'],
    ['-1003', 'rate-limit', 'caller'],
    ['-1006', 'unknown-outcome', 'venue'],
    ['-1007', 'unknown-outcome', 'venue'],
    ['-2013', 'not-found', 'caller'],
    ['-2017', 'rejected', 'owner'],
    ['-1121', 'invalid-request', 'caller'],
    ['-1112', 'empty', 'venue'],
    ['-1016', 'unavailable', 'venue'],
    ['110049', 'rejected', 'owner'],
  ])('classifies %s as %s, to be handled by the %s', (code, kind, actor) => {
    expect(venueErrorFact(code)).toMatchObject({ kind, actor });
  });

  it.each(['99999', '__proto__', 'constructor', ''])(
    'treats the undocumented code %j as an unknown outcome',
    (code) => {
      expect(venueErrorFact(code).kind).toBe('unknown-outcome');
    },
  );

  it('contains every code of the public lists', () => {
    expect(Object.keys(VENUE_ERRORS)).toHaveLength(76);
  });
});
