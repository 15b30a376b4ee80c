export { readAuthorities } from './keys/authorities.js';
export { parseBaseUrl, type BaseUrl } from './http/base-url.js';
export type { CallQueue } from './calls/call-queue.js';
export { ClockOffsetError } from './clock/clock-offset-error.js';
export { createCallQueue } from './calls/create-call-queue.js';
export {
  readCredentials,
  readSecret,
  type Credentials,
  type SecretSource,
} from './keys/credentials.js';
export { FileHost } from './file-host.js';
export type { HttpTimeouts, RawAnswer } from './http/http.js';
export type { RequestPreview } from './http/outgoing-request.js';
export type { Timers } from './ports.js';
export { redact, Secret } from './keys/secret.js';
export { ServerClock, type ClockReading, type ServerClockOptions } from './clock/server-clock.js';
export { createHmacSigner, type Signer } from './keys/signing.js';
export { VenueClient, type Fetched } from './venue-client.js';
export {
  DEFAULT_PRINCIPAL,
  type HostName,
  type VenueClientOptions,
} from './venue-client-options.js';
export { RestAccount } from './rest-account.js';
export { RestExecution } from './rest-execution.js';
export { RestMarketData } from './rest-market-data.js';
