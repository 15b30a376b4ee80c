import { describe, expect, it } from 'vitest';

import {
  encodeRequest,
  ENDPOINT_LIST,
  isEndpointId,
  parseAnswer,
  parseJson,
} from '../../../../src/venue/wire/index.js';

const endpoints = ENDPOINT_LIST.map((endpoint) => [endpoint.id, endpoint] as const);

describe('the endpoint table', () => {
  it('holds the 37 endpoints of the interface', () => {
    const groups = ENDPOINT_LIST.map(({ area, access }) => `${area} ${access}`);
    const count = (group: string): number => groups.filter((name) => name === group).length;

    expect([...new Set(groups)].map((group) => [group, count(group)])).toEqual([
      ['spot public', 7],
      ['spot signed', 9],
      ['futures public', 7],
      ['futures signed', 9],
      ['margin signed', 5],
    ]);
  });

  it('has unique ids, and unique pairs of method and path', () => {
    const calls = ENDPOINT_LIST.map(({ method, path }) => `${method} ${path}`);

    expect(new Set(calls).size).toBe(37);
    expect(new Set(ENDPOINT_LIST.map(({ id }) => id)).size).toBe(37);
  });

  it.each(endpoints)(
    'has a method, path, limit, request example and description of %s',
    (_id, endpoint) => {
      const { count, windowMs } = endpoint.rateLimit;

      expect(endpoint.method).toMatch(/^(GET|POST)$/);
      expect(endpoint.path).toMatch(
        endpoint.area === 'futures' ? /^\/fapi\/v1\// : /^\/sapi\/v1\//,
      );
      expect(endpoint.path.startsWith('/sapi/v1/margin/')).toBe(endpoint.area === 'margin');
      expect(count).toBeGreaterThan(0);
      expect(windowMs).toBeGreaterThanOrEqual(1000);
      expect(endpoint.doc).toMatch(/^[A-Z].*\.$/);
      expect(() => encodeRequest(endpoint, endpoint.examples.request)).not.toThrow();
    },
  );

  it.each(endpoints)('has answer examples of %s that its parser reads', (_id, endpoint) => {
    const { answer, familyAnswer = answer } = endpoint.examples;

    expect(() => parseAnswer(endpoint, parseJson(answer))).not.toThrow();
    expect(() => parseAnswer(endpoint, parseJson(familyAnswer))).not.toThrow();
  });

  it('marks no call as idempotent that places or cancels orders', () => {
    const posts = ENDPOINT_LIST.filter(({ method }) => method === 'POST');

    expect(posts.filter(({ idempotent }) => idempotent).map(({ id }) => id)).toEqual([
      'spot.orderTest',
      'futures.orderHistorical',
      'futures.profitHistorical',
    ]);
    expect(ENDPOINT_LIST.every(({ method, idempotent }) => method === 'POST' || idempotent)).toBe(
      true,
    );
  });

  it('knows its own ids and no inherited names', () => {
    expect(isEndpointId('spot.klines')).toBe(true);
    expect(isEndpointId('constructor')).toBe(false);
  });
});
