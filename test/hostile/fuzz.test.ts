import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { ANSWER_PROFILES, ENDPOINTS } from '../../src/venue/wire/index.js';
import {
  isRunning,
  killExchanges,
  residentBytes,
} from '../support/local-exchange/exchange-process.js';
import { sendBroken, Senders, startUnlimited } from '../support/local-exchange/fuzz-senders.js';
import {
  brokenBytes,
  malformedRequests,
  type Malformed,
} from '../support/local-exchange/malformed-requests.js';
import { signedRequests } from '../support/local-exchange/signed-requests.js';

/** Number of requests with valid signatures, and as many broken ones, for both profiles together. `EVENKEEL_FUZZ=10000` for fewer. */
const REQUESTS = Number(process.env['EVENKEEL_FUZZ'] ?? 100_000);
/** fast-check draws by xorshift128+, whose period is 2^128 − 1. */
const SEED = Number(process.env['EVENKEEL_SEED'] ?? 34);
const BATCH = 500;
/** One of this many broken requests is bytes without a request. Each takes a connection. */
const NO_REQUESTS = 20;
const LONGEST_MS = 1_000;
/** Requests leave compiled code, buffers, and accepted orders in memory. */
const MEMORY_BYTES = 96 * 1_024 * 1_024;

afterEach(killExchanges);

/** Batches of drawn values, made one after the other: one list of all would count as memory of the test. */
function* batches<T>(arbitrary: fc.Arbitrary<T>, count: number): Generator<readonly T[]> {
  for (let at = 0; at < count; at += BATCH)
    yield fc.sample(arbitrary, { numRuns: Math.min(BATCH, count - at), seed: SEED + at });
}

describe.each(ANSWER_PROFILES)('random requests, profile %s', (profile) => {
  it(`${String(REQUESTS / ANSWER_PROFILES.length)} signed and as many malformed ones: no 5xx, no answer over 1 s, flat memory`, async () => {
    const exchange = await startUnlimited(profile);
    const time = await fetch(`${exchange.url}${ENDPOINTS['spot.time'].path}`);
    const { serverTime } = (await time.json()) as { readonly serverTime: number };
    const signed = new Senders({ exchange, profile, timestamp: () => serverTime });
    const broken = new Senders({ exchange, profile, timestamp: () => serverTime });
    const count = REQUESTS / ANSWER_PROFILES.length;
    const sendAll = async (senders: Senders, requests: readonly Malformed[]): Promise<void> => {
      expect(await senders.send(requests)).toEqual([]);
      expect(isRunning(exchange)).toBe(true);
    };

    await sendAll(broken, fc.sample(malformedRequests, { numRuns: BATCH, seed: 1 }));
    await sendAll(signed, fc.sample(signedRequests(profile), { numRuns: BATCH, seed: 1 }));
    const before = (await residentBytes(exchange)) ?? 0;
    for (const batch of batches(signedRequests(profile), count)) await sendAll(signed, batch);
    for (const batch of batches(malformedRequests, count - count / NO_REQUESTS))
      await sendAll(broken, batch);
    for (const batch of batches(brokenBytes, count / NO_REQUESTS))
      for (const [place, bytes] of batch.entries()) {
        const ending = place % 2 === 0 ? 'half' : 'abrupt';
        expect(await sendBroken(exchange, bytes, { profile, ending })).toBeUndefined();
      }
    const after = (await residentBytes(exchange)) ?? 0;

    const { served } = signed.tally;
    const slowestMs = Math.max(signed.tally.slowestMs, broken.tally.slowestMs);
    console.log(
      `${profile}: ${String(count)} signed requests, ${String(served)} of them served; ${String(count)} broken ones; slowest ${slowestMs.toFixed(0)} ms; resident memory ${String(before >> 20)} MB before, ${String(after >> 20)} after`,
    );
    // If all requests were refused, the test would show nothing.
    expect(served).toBeGreaterThan(count / 5);
    expect(slowestMs).toBeLessThan(LONGEST_MS);
    expect(after - before).toBeLessThan(MEMORY_BYTES);
    expect(exchange.errors()).not.toMatch(/error|E_/i);
  }, 1_200_000);
});
