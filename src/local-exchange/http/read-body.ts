import type { Context } from 'hono';
import { TradingError } from '../../domain/index.js';
import type { AppEnvironment } from './app-environment.js';

/** Largest body that is read: a full batch is a twentieth of it. */
export const MAX_BODY_BYTES = 64 * 1_024;

/** A body above {@link MAX_BODY_BYTES}; the sender is told so and its connection is not used again. */
export class BodyTooLarge extends TradingError {
  readonly retryable = false;

  constructor() {
    super('E_BODY_SIZE', `expected a body of at most ${String(MAX_BODY_BYTES)} bytes`);
  }
}

/** Reads the body of a request as bytes, and no more of it than is allowed. @throws {BodyTooLarge} `E_BODY_SIZE`. */
export async function readBody({ req }: Context<AppEnvironment>): Promise<Uint8Array> {
  const announced = Number(req.header('content-length') ?? 0);
  if (announced > MAX_BODY_BYTES) throw new BodyTooLarge();
  const isChunked = req.header('transfer-encoding') !== undefined;
  // A stated length is kept to by the HTTP parser, so only bodies without one have to be counted.
  if (!isChunked) return new Uint8Array(await req.arrayBuffer());
  const pieces: Uint8Array[] = [];
  let length = 0;
  const body: ReadableStream<Uint8Array> | null = req.raw.body;
  const reader = body?.getReader();
  for (;;) {
    const piece = await reader?.read();
    if (piece === undefined || piece.done) return Buffer.concat(pieces);
    length += piece.value.byteLength;
    if (length > MAX_BODY_BYTES) {
      await reader?.cancel();
      throw new BodyTooLarge();
    }
    pieces.push(piece.value);
  }
}
