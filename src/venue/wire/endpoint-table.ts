import { FUTURES_PUBLIC } from './futures/futures-public.js';
import { FUTURES_SIGNED } from './futures/futures-signed.js';
import { FUTURES_TRIGGERS } from './futures/futures-triggers.js';
import { MARGIN } from './margin.js';
import { SPOT_PUBLIC } from './spot/spot-public.js';
import { SPOT_SIGNED } from './spot/spot-signed.js';
import type { AnyEndpoint } from './endpoint.js';

/**
 * The whole interface: 37 endpoints by id, in the order of the specification. Client, local exchange, rate limiter and the OpenAPI
 * document all read this one table.
 */
export const ENDPOINTS = {
  ...SPOT_PUBLIC,
  ...SPOT_SIGNED,
  ...FUTURES_PUBLIC,
  ...FUTURES_SIGNED,
  ...MARGIN,
} as const;

export type EndpointId = keyof typeof ENDPOINTS;

/** The table as a list, for readers that do not care about one endpoint's types. */
export const ENDPOINT_LIST: readonly AnyEndpoint[] = Object.values(ENDPOINTS);

/** Endpoints that some deployments have beyond the interface. The local exchange serves them in profile `family`. Nothing calls them unasked. */
export const FAMILY_ENDPOINTS = { ...FUTURES_TRIGGERS } as const;

export type FamilyEndpointId = keyof typeof FAMILY_ENDPOINTS;

export const FAMILY_ENDPOINT_LIST: readonly AnyEndpoint[] = Object.values(FAMILY_ENDPOINTS);

/** Whether a text names an endpoint. */
export function isEndpointId(text: string): text is EndpointId {
  return Object.hasOwn(ENDPOINTS, text);
}
