import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseJson, type AnswerProfile } from '../../../src/venue/wire/index.js';
import { temporaryFolder } from '../temporary-folder.js';
import { startExchangeProcess, type ExchangeProcess } from './exchange-process.js';
import { bytesOf, type Malformed } from './malformed-requests.js';
import { RawConnection, type RawAnswer } from './raw-connection.js';

/** Longest wait for an answer. */
const PATIENCE_MS = 20_000;
/** The venue's codes of errors are negative; some deployments send them with status 200. */
const ERROR_CODE = /"code":"?-/;
/** Number of connections. Each stays open for many requests. */
const CONNECTIONS = 8;

/** Starts an exchange without limits in its own process. Its clock stands still. */
export async function startUnlimited(profile: AnswerProfile): Promise<ExchangeProcess> {
  const folder = await temporaryFolder();
  await writeFile(path.join(folder, 'exchange.yaml'), 'limits: false\n');
  return startExchangeProcess(
    ['exchange.yaml', '--clock', 'lockstep', '--profile', profile],
    folder,
  );
}

/** The flaw of an answer, or undefined. */
function flawOf({ status, body }: RawAnswer, profile: AnswerProfile): string | undefined {
  if (status >= 500) return `status ${String(status)}`;
  if (/\bat .+:\d+:\d+|node:internal|\/src\/|\/dist(?:-modules)?\//.test(body))
    return 'it shows a stack';
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

/** Counts over the requests of all senders. */
export interface Tally {
  /** Answers that are no error, of either profile. */
  served: number;
  /** Longest time until an answer, in ms. */
  slowestMs: number;
}

interface SenderOptions {
  readonly exchange: ExchangeProcess;
  readonly profile: AnswerProfile;
  /** Timestamp for the signature of the next request, UTC ms. */
  readonly timestamp: () => number;
  readonly tally: Tally;
}

/** Several connections to one exchange, each used for many requests. */
export class Senders {
  readonly tally: Tally = { served: 0, slowestMs: 0 };
  readonly #all: readonly Sender[];

  constructor(options: Omit<SenderOptions, 'tally'>) {
    const one = { ...options, tally: this.tally };
    this.#all = Array.from({ length: CONNECTIONS }, () => new Sender(one));
  }

  /** Sends requests and checks the answers. Returns the first flaw of each connection. */
  async send(batch: readonly Malformed[]): Promise<readonly string[]> {
    const flaws = await Promise.all(
      this.#all.map(async (sender, place) => {
        for (let index = place; index < batch.length; index += CONNECTIONS) {
          const request = batch[index];
          const flaw = request && (await sender.send(request));
          if (flaw !== undefined) return flaw;
        }
        return undefined;
      }),
    );
    return flaws.filter((flaw) => flaw !== undefined);
  }
}

/** A sender that keeps its connection as long as the exchange keeps it open. */
class Sender {
  readonly #options: SenderOptions;
  #connection: RawConnection | undefined;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Sends a request and returns the flaw of its answer, or undefined. */
  async send(request: Malformed): Promise<string | undefined> {
    const { exchange, profile, timestamp, tally } = this.#options;
    if (this.#connection === undefined || this.#connection.isClosed)
      this.#connection = await RawConnection.open(exchange.port);
    const connection = this.#connection;
    const bytes = bytesOf(request, { ...exchange, timestamp: timestamp() });
    const size = Math.ceil(bytes.length / request.pieces);
    for (let from = 0; from < bytes.length; from += size) {
      connection.write(bytes.subarray(from, from + size));
      if (request.pieces > 1) await breath();
    }
    const sentAt = performance.now();
    const answer = await Promise.race([
      connection.answer(request.method !== 'HEAD'),
      delay(PATIENCE_MS, 'late' as const, { ref: false }),
    ]);
    tally.slowestMs = Math.max(tally.slowestMs, performance.now() - sentAt);
    if (answer === 'late') return `no answer for ${String(PATIENCE_MS)} ms to ${sketch(request)}`;
    if (answer === undefined) return `no answer to ${sketch(request)}`;
    if (/^connection: close$/im.test(answer.head)) {
      connection.destroy();
      this.#connection = undefined;
    }
    if (answer.status === 200 && !ERROR_CODE.test(answer.body)) tally.served += 1;
    if (request.method === 'HEAD') return undefined;
    const flaw = flawOf(answer, profile);
    return flaw && `${flaw}: ${sketch(request)} → ${String(answer.status)} ${answer.body}`;
  }
}

function sketch({ method, target, headers, body, framing }: Malformed): string {
  const text = Buffer.from(body ?? [])
    .toString('latin1')
    .slice(0, 200);
  return `${method} ${target} ${JSON.stringify(headers)} ${framing} ${text}`;
}

/** Sends bytes that are no request. With ending `abrupt` it then destroys the connection; otherwise it returns the flaw of an answer. */
export async function sendBroken(
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
