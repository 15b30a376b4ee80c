import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { ANSWER_PROFILES } from '../../../src/venue/wire/index.js';
import {
  isRunning,
  killExchanges,
  residentBytes,
} from '../../support/local-exchange/exchange-process.js';
import { sendBroken, Senders, startUnlimited } from '../../support/local-exchange/fuzz-senders.js';
import {
  brokenBytes,
  malformedRequests,
  type Malformed,
} from '../../support/local-exchange/malformed-requests.js';
import { RawConnection } from '../../support/local-exchange/raw-connection.js';

const REQUESTS = process.env['EVENKEEL_LONG'] === '1' ? 50_000 : 5_000;
/** The number of requests that are bytes without a valid request. Each takes a connection. */
const BROKEN = REQUESTS / 20;
const BATCH = 100;
/** Connections on which a request begins and never ends. */
const HALF_OPEN = 50;
/** Memory that all requests together may leave behind: compiled code and buffers, but not their data. */
const MEMORY_BYTES = 96 * 1_024 * 1_024;

afterEach(killExchanges);

describe.each(ANSWER_PROFILES)('malformed requests over sockets, profile %s', (profile) => {
  it('get errors in the format of the interface, and neither end nor grow the process', async () => {
    const exchange = await startUnlimited(profile);
    const senders = new Senders({ exchange, profile, timestamp: Date.now });
    const sendAll = async (batch: readonly Malformed[]): Promise<void> => {
      expect(await senders.send(batch)).toEqual([]);
      expect(isRunning(exchange)).toBe(true);
    };
    const halfOpen = await Promise.all(
      Array.from({ length: HALF_OPEN }, async (_, index) => {
        const connection = await RawConnection.open(exchange.port);
        connection.write('POST /sapi/v1/order HTTP/1.1\r\ncontent-le'.slice(0, 1 + index));
        return connection;
      }),
    );
    const requests = malformedRequests;
    await sendAll(fc.sample(requests, { numRuns: 500, seed: 1 }));
    const before = await residentBytes(exchange);

    const count = (REQUESTS - BROKEN) / ANSWER_PROFILES.length / BATCH;
    await fc.assert(
      fc.asyncProperty(fc.array(requests, { minLength: BATCH, maxLength: BATCH }), sendAll),
      { numRuns: Math.ceil(count) },
    );
    await fc.assert(
      fc.asyncProperty(brokenBytes, fc.constantFrom('half', 'abrupt'), async (bytes, ending) => {
        expect(await sendBroken(exchange, bytes, { profile, ending })).toBeUndefined();
      }),
      { numRuns: BROKEN / ANSWER_PROFILES.length },
    );

    const after = await residentBytes(exchange);
    if (before !== undefined && after !== undefined) {
      console.log(
        `${profile}: ${String(REQUESTS / ANSWER_PROFILES.length)} requests, resident memory ${String(before)} before, ${String(after)} after`,
      );
      expect(after - before).toBeLessThan(MEMORY_BYTES);
    }
    for (const connection of halfOpen) connection.destroy();
    expect((await fetch(`${exchange.url}/sapi/v1/ping`)).status).toBe(200);
    expect(exchange.errors()).not.toMatch(/error|E_/i);
  });
});
