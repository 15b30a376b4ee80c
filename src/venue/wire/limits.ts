import type { EndpointRateLimit } from './endpoint.js';

const SECOND = 1_000;

/** A limit the interface states for one spot endpoint: `count` per 2 s, counted per key. Source: interface, section Limits. */
export function spotLimit(bucket: string, count: number): EndpointRateLimit {
  return { count, windowMs: 2 * SECOND, scope: 'key', bucket, source: 'interface' };
}

/**
 * Spot public endpoints and test orders: not stated. Assumption: 20 per 2 s each, the number the interface gives for reads.
 * Source: public material, safe defaults.
 */
export function unstatedSpotLimit(bucket: string, scope: 'key' | 'address'): EndpointRateLimit {
  return { count: 20, windowMs: 2 * SECOND, scope, bucket, source: 'default' };
}

/** 10 per 1 s: stated for margin order creation, assumed for the other margin endpoints. */
export function marginLimit(bucket: string, source: 'interface' | 'default'): EndpointRateLimit {
  return { count: 10, windowMs: SECOND, scope: 'key', bucket, source };
}

/**
 * 2 per 1 s for "every endpoint under /fapi/v1 (public and signed)". Whether each endpoint has its own 2 or all share them is not
 * said; one shared bucket is the reading that can never exceed either.
 */
export function futuresLimit(scope: 'key' | 'address'): EndpointRateLimit {
  return { count: 2, windowMs: SECOND, scope, bucket: 'futures', source: 'interface' };
}
