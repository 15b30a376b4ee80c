import type { Context } from 'hono';
import type { Readable } from 'node:stream';
import { TradingError } from '../../domain/index.js';
import type { AppEnvironment } from './app-environment.js';

/** Largest body that is read; a full batch needs a twentieth of it. */
const MAX_BODY_BYTES = 64 * 1_024;

/** A body above {@link MAX_BODY_BYTES}. The sender gets this error as the answer. */
export class BodyTooLarge extends TradingError {
  readonly retryable = false;

  constructor() {
    super('E_BODY_SIZE', `the body is longer than ${String(MAX_BODY_BYTES)} bytes`);
  }
}

/** The sender hung up before the whole request had arrived, so no answer can be sent. */
export class SenderGone extends Error {}

/**
 * Reads the body of a request as bytes, up to the allowed size.
 *
 * @throws {BodyTooLarge} `E_BODY_SIZE`. @throws {SenderGone} when the connection ends before the body does.
 */
export async function readBody({ req, env }: Context<AppEnvironment>): Promise<Uint8Array> {
  const announced = Number(req.header('content-length') ?? 0);
  if (announced > MAX_BODY_BYTES) throw new BodyTooLarge();
  if (env.incoming !== undefined) return collect(env.incoming);
  const body = new Uint8Array(await req.arrayBuffer());
  if (body.byteLength > MAX_BODY_BYTES) throw new BodyTooLarge();
  return body;
}

function collect(incoming: Readable): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let length = 0;
    incoming.on('data', (piece: Buffer) => {
      length += piece.length;
      // The HTTP parser enforces an announced length. A body in chunks must be counted here.
      if (length > MAX_BODY_BYTES) reject(new BodyTooLarge());
      else pieces.push(piece);
    });
    incoming.once('end', () => {
      resolve(pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces));
    });
    const giveUp = (): void => {
      reject(new SenderGone('the connection ended before the body did'));
    };
    incoming.once('error', giveUp);
    incoming.once('close', giveUp);
  });
}
