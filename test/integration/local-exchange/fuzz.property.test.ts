import fc from 'fast-check';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ANSWER_PROFILES, parseJson, type AnswerProfile } from '../../../src/venue/wire/index.js';
import {
  isRunning,
  killExchanges,
  residentBytes,
  startExchangeProcess,
  type ExchangeProcess,
} from '../../support/local-exchange/exchange-process.js';
import {
  brokenBytes,
  bytesOf,
  malformedRequests,
  type Malformed,
} from '../../support/local-exchange/malformed-requests.js';
import { RawConnection, type RawAnswer } from '../../support/local-exchange/raw-connection.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const REQUESTS = process.env['EVENKEEL_LONG'] === '1' ? 50_000 : 5_000;
/** Of them so many are bytes that are no requests; each takes a connection. */
const BROKEN = REQUESTS / 20;
const BATCH = 100;
/** Connections that stay open for request after request. */
const CONNECTIONS = 8;
/** Connections on which a request begins and never ends. */
const HALF_OPEN = 50;
/** What requests may leave behind, however many there were: compiled code and buffers, not what they sent. */
const MEMORY_BYTES = 96 * 1_024 * 1_024;

afterEach(killExchanges);

async function start(profile: AnswerProfile): Promise<ExchangeProcess> {
  const folder = await temporaryFolder();
  await writeFile(path.join(folder, 'exchange.yaml'), 'limits: false\n');
  return startExchangeProcess(
    ['exchange.yaml', '--clock', 'lockstep', '--profile', profile],
    folder,
  );
}

/** What is wrong with an answer, or nothing. */
function flawOf({ status, body }: RawAnswer, profile: AnswerProfile): string | undefined {
  if (status >= 500) return `status ${String(status)}`;
  if (/\bat .+:\d+:\d+|node:internal|\/src\/|\/dist\//.test(body)) return 'it shows a stack';
  let json: unknown;
  try {
    json = parseJson(body);
  } catch {
    return 'it is no JSON';
  }
  const isError = typeof json === 'object' && json !== null && 'code' in json && 'msg' in json;
  const isControl = typeof json === 'object' && json !== null && 'error' in json;
  return status === 200 || profile === 'family' || isError || isControl
    ? undefined
    : 'it has not the shape of an error';
}

async function breath(): Promise<void> {
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** One sender: keeps its connection as long as the exchange does. */
class Sender {
  readonly #exchange: ExchangeProcess;
  readonly #profile: AnswerProfile;
  #connection: RawConnection | undefined;

  constructor(exchange: ExchangeProcess, profile: AnswerProfile) {
    this.#exchange = exchange;
    this.#profile = profile;
  }

  /** Sends a request and says what is wrong with what comes back. */
  async send(request: Malformed): Promise<string | undefined> {
    if (this.#connection === undefined || this.#connection.isClosed)
      this.#connection = await RawConnection.open(this.#exchange.port);
    const connection = this.#connection;
    const bytes = bytesOf(request, { ...this.#exchange, timestamp: Date.now() });
    const size = Math.ceil(bytes.length / request.pieces);
    for (let from = 0; from < bytes.length; from += size) {
      connection.write(bytes.subarray(from, from + size));
      if (request.pieces > 1) await breath();
    }
    const answer = await connection.answer(request.method !== 'HEAD');
    if (answer === undefined) return `no answer to ${sketch(request)}`;
    if (/^connection: close$/im.test(answer.head)) {
      connection.destroy();
      this.#connection = undefined;
    }
    if (request.method === 'HEAD') return undefined;
    const flaw = flawOf(answer, this.#profile);
    return flaw && `${flaw}: ${sketch(request)} → ${String(answer.status)} ${answer.body}`;
  }
}

function sketch({ method, target, headers, body, framing }: Malformed): string {
  const text = Buffer.from(body ?? [])
    .toString('latin1')
    .slice(0, 200);
  return `${method} ${target} ${JSON.stringify(headers)} ${framing} ${text}`;
}

/** Sends bytes that are no request, sometimes hangs up on them, and says what is wrong with an answer to them. */
async function sendBroken(
  { port }: ExchangeProcess,
  bytes: Uint8Array,
  { profile, ending }: { readonly profile: AnswerProfile; readonly ending: 'half' | 'abrupt' },
): Promise<string | undefined> {
  const connection = await RawConnection.open(port);
  connection.write(bytes);
  if (ending === 'abrupt') {
    await breath();
    connection.destroy();
    return undefined;
  }
  connection.finishWriting();
  const answer = await connection.answer();
  connection.destroy();
  const flaw = answer && flawOf(answer, profile);
  return flaw && `${flaw}: ${Buffer.from(bytes).toString('latin1').slice(0, 200)}`;
}

describe.each(ANSWER_PROFILES)('garbage over sockets, profile %s', (profile) => {
  it('gets errors in the shape of the interface, ends nothing, and leaves nothing behind', async () => {
    const exchange = await start(profile);
    const senders = Array.from({ length: CONNECTIONS }, () => new Sender(exchange, profile));
    const sendAll = async (batch: readonly Malformed[]): Promise<void> => {
      const flaws = await Promise.all(
        senders.map(async (sender, place) => {
          for (let index = place; index < batch.length; index += CONNECTIONS) {
            const request = batch[index];
            const flaw = request && (await sender.send(request));
            if (flaw !== undefined) return flaw;
          }
          return undefined;
        }),
      );
      expect(flaws.filter((flaw) => flaw !== undefined)).toEqual([]);
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
