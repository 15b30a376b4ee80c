import { createHmac, createSecretKey } from 'node:crypto';

import type { EpochMs } from '../../domain/index.js';
import type { Credentials } from './credentials.js';

/** The signed parts of one request, byte for byte as they are sent. */
interface SigningInput {
  /** UTC milliseconds on the server's clock. */
  readonly timestamp: EpochMs;
  readonly method: 'GET' | 'POST';
  /** From `/sapi` or `/fapi` on, with the query if there is one, without a gateway's prefix. */
  readonly path: string;
  /** Empty for GET. */
  readonly body: string;
}

/** Makes the headers that authenticate a request. */
export interface Signer {
  sign(input: SigningInput): Readonly<Record<string, string>>;
}

/**
 * Signs with HMAC-SHA256 over `timestamp + METHOD + path + ("?" + query) + body`, written as lower-case hex.
 *
 * Source: not shown by the interface; documents and clients of other deployments of the family agree, confidence high.
 * @example see test/unit/client/signing.test.ts "gives the published signature"
 */
export function createHmacSigner(credentials: Credentials): Signer {
  const key = createSecretKey(credentials.secret.reveal(), 'utf8');
  return {
    sign({ timestamp, method, path, body }) {
      const stamp = String(timestamp);
      const payload = stamp + method + path + body;
      return {
        'X-CH-APIKEY': credentials.key.reveal(),
        'X-CH-TS': stamp,
        'X-CH-SIGN': createHmac('sha256', key).update(payload).digest('hex'),
      };
    },
  };
}
