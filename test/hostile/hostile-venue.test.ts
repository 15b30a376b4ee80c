import { Writable } from 'node:stream';
import { inspect } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { describeError } from '../../src/cli/describe-error.js';
import { Secret, type VenueClient } from '../../src/client/index.js';
import { CallQueue } from '../../src/client/calls/call-queue.js';
import { limitRulesOf, RateLimitPolicy } from '../../src/venue/index.js';
import {
  ENDPOINT_LIST,
  FAMILY_ENDPOINT_LIST,
  type AnyEndpoint,
} from '../../src/venue/wire/index.js';
import { FaultServer, json } from '../support/fault-server.js';
import { hostileAnswers, type HostileAnswer } from '../support/hostile-answers.js';
import { aVenueClient } from '../support/venue-client.js';
import { VirtualTime } from '../support/virtual-time.js';

const KEY = 'k3y/of+the==tests&0123456789abcdef';
const SECRET = 's3cr3t/of+the==tests&0123456789abcdef';
const ENDPOINTS: readonly AnyEndpoint[] = [...ENDPOINT_LIST, ...FAMILY_ENDPOINT_LIST];
/** Limits without effect, so that calls wait only for answers. */
const UNLIMITED = limitRulesOf(ENDPOINT_LIST).map((rule) => ({ ...rule, limit: 1_000_000 }));
const POLLS = 3;
/** Parallel calls, as a bot makes them. */
const AT_ONCE = 4;
const LONGEST_MS = 21_000;
const MEMORY_MB = 300;
/** After this growth of the heap, the test collects the garbage of finished calls. */
const GARBAGE_BYTES = 64 * 1_048_576;
/** Real time that an answer on loopback may take. After it, the clock of the test advances. */
const PATIENCE_MS = 4;

let servers: FaultServer[] = [];
afterEach(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  servers = [];
});

async function serve(): Promise<FaultServer> {
  const server = await FaultServer.start(json('{}'));
  servers.push(server);
  return server;
}

/** Forms of the secret that must not appear. */
const FORMS = [KEY, SECRET].flatMap((text) => [
  text,
  encodeURIComponent(text),
  Buffer.from(text).toString('base64').slice(0, 40),
  Buffer.from(text).toString('hex'),
]);

/** The text of an error, or of an answer. */
function shownBy(seen: unknown): string {
  const inspected = inspect(seen, { depth: 20, showHidden: true });
  return seen instanceof Error
    ? `${inspected}\n${describeError(seen).lines.join('\n')}`
    : inspected;
}

/** Collects garbage, so that memory of earlier kinds of answers does not count for the next. */
function collect(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

/** Figures of three polls of every endpoint. */
class Tally {
  calls = 0;
  answered = 0;
  longestMs = 0;
  /** Bytes of memory of the process. */
  most = 0;
  shown = 0;
  raw = 0;
  readonly foreign: string[] = [];
}

/** Advances time until the promise settles. */
async function during<T>(time: VirtualTime, doing: Promise<T>, stepMs = 500): Promise<T> {
  const state = { isOver: false };
  const watched = doing.finally(() => (state.isOver = true));
  watched.catch(() => undefined);
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
    if (state.isOver) return watched;
    await time.advance(stepMs);
  }
}

async function poll(server: FaultServer, kind: HostileAnswer, tally: Tally): Promise<void> {
  const time = new VirtualTime(Date.now());
  let logged = '';
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      logged += chunk.toString();
      done();
    },
  });
  const client: VenueClient = aVenueClient(server, {
    credentials: { key: new Secret(KEY), secret: new Secret(SECRET) },
    clock: time,
    timers: time,
    queue: new CallQueue({
      policy: new RateLimitPolicy({ rules: UNLIMITED }),
      clock: time,
      timers: time,
    }),
    // One call makes one request. Other tests cover retries and the breaker.
    retry: { retries: 0 },
    breaker: { failures: 1_000_000 },
    log: pino({ level: 'trace' }, stream),
  });
  const { signal } = new AbortController();
  const { isRest = false } = kind;
  server.answerWith(({ response }) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(`{"serverTime":${String(time.now())}}`);
  });
  for (const host of ['spot', 'futures'] as const) await client.serverTime(host, signal);
  server.answerWith(kind.reply);
  const heapFrom = process.memoryUsage().heapUsed;
  const call = async (endpoint: AnyEndpoint): Promise<void> => {
    const from = time.now();
    // A call that waits for a limit gives up in time, as in a bot.
    const wait = new AbortController();
    if (isRest) time.after(20_000, () => wait.abort());
    const seen: unknown = await client
      .ask(endpoint, endpoint.examples.request as never, { signal, waitSignals: [wait.signal] })
      .catch((error: unknown) => error);
    tally.calls += 1;
    tally.longestMs = Math.max(tally.longestMs, time.now() - from);
    if (!(seen instanceof Error)) tally.answered += 1;
    else if (
      seen !== wait.signal.reason &&
      (!('code' in seen) || !String(seen.code).startsWith('E_'))
    )
      tally.foreign.push(shownBy(seen));
    const text = `${shownBy(seen)}\n${logged}`;
    logged = '';
    tally.shown += FORMS.filter((form) => text.includes(form)).length;
    // Lines for people must contain no control characters.
    if (
      seen instanceof Error &&
      /[\u0000-\u0008\u000b-\u001f\u007f\u202e]/.test(describeError(seen).lines.join('\n'))
    )
      tally.raw += 1;
  };
  for (let first = 0; first < ENDPOINTS.length; first += AT_ONCE) {
    await during(
      time,
      Promise.all(ENDPOINTS.slice(first, first + AT_ONCE).map(call)),
      isRest ? 1_000 : undefined,
    );
    tally.most = Math.max(tally.most, process.memoryUsage().rss);
    // The client does not decide when the garbage of finished calls is collected.
    if (process.memoryUsage().heapUsed - heapFrom > GARBAGE_BYTES) collect();
  }
  await during(time, client.close());
}

describe('a venue with hostile answers', () => {
  it('is polled within bounds of time and memory, without redirects, leaked secrets or raw control characters', async () => {
    const [server, elsewhere] = [await serve(), await serve()];
    const kinds = hostileAnswers({ key: KEY, secret: SECRET, elsewhere: elsewhere.url });
    collect();
    const before = process.memoryUsage().rss;
    let most = 0;
    const total = new Tally();
    const wrong: string[] = [];
    for (const [name, kind] of Object.entries(kinds)) {
      collect();
      const tally = new Tally();
      const from = performance.now();
      for (let round = 0; round < POLLS; round += 1) {
        await poll(server, kind, tally);
        server.seen.splice(0);
        most = Math.max(most, tally.most - before);
      }
      if (process.env['EVENKEEL_VERBOSE'] === '1')
        console.log(
          `${name}: ${String(tally.answered)} of ${String(tally.calls)} answered, ${String(tally.longestMs)} ms, really ${(performance.now() - from).toFixed(0)} ms, ${(most / 1_048_576).toFixed(0)} MB`,
        );
      if (tally.longestMs > LONGEST_MS) wrong.push(`${name}: ${String(tally.longestMs)} ms`);
      if (tally.shown > 0) wrong.push(`${name}: shown ${String(tally.shown)} times`);
      if (tally.raw > 0) wrong.push(`${name}: raw text ${String(tally.raw)} times`);
      if (tally.foreign.length > 0) wrong.push(`${name}: ${tally.foreign[0] ?? ''}`);
      total.calls += tally.calls;
      total.answered += tally.answered;
      total.longestMs = Math.max(total.longestMs, tally.longestMs);
    }

    console.log(
      `${String(Object.keys(kinds).length)} kinds of answers, ${String(ENDPOINTS.length)} endpoints, ${String(total.calls)} calls: ${String(total.answered)} with an answer or a refusal, longest ${String(total.longestMs)} ms, ${(most / 1_048_576).toFixed(0)} MB more at most`,
    );
    expect(wrong).toEqual([]);
    expect(Object.keys(kinds).length).toBeGreaterThanOrEqual(62);
    expect(elsewhere.seen).toEqual([]);
    expect(elsewhere.connections).toBe(0);
    expect(most / 1_048_576).toBeLessThan(MEMORY_MB);
    expect(Object.keys({})).toEqual([]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  }, 600_000);
});
