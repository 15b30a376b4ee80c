export { readAuthorities } from './authorities.js';
export { parseBaseUrl, type BaseUrl } from './base-url.js';
export type { CallQueue } from './call-queue.js';
export { ClockOffsetError } from './clock-offset-error.js';
export { createCallQueue } from './create-call-queue.js';
export {
  readCredentials,
  readSecret,
  type Credentials,
  type Environment,
  type SecretSource,
} from './credentials.js';
export { FileHost } from './file-host.js';
export type { HttpTimeouts, RawAnswer } from './http.js';
export type { RequestPreview } from './outgoing-request.js';
export type { Timers } from './ports.js';
export { redact, Secret } from './secret.js';
export { ServerClock, type ClockReading, type ServerClockOptions } from './server-clock.js';
export { createHmacSigner, type Signer } from './signing.js';
export { VenueClient, type Fetched } from './venue-client.js';
export {
  DEFAULT_PRINCIPAL,
  type HostName,
  type VenueClientOptions,
} from './venue-client-options.js';
export { RestAccount } from './rest-account.js';
export { RestExecution } from './rest-execution.js';
export { RestMarketData } from './rest-market-data.js';
