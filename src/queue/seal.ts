import { createHmac, timingSafeEqual } from 'node:crypto';

/** The kind of a signed message. A signature of one kind is not valid for another kind. */
type SealedKind = 'search' | 'chunk' | 'result';

/** Signs messages with the secret that coordinator and workers share, and checks such signatures (HMAC-SHA-256). */
export class Seal {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** `parts`: the texts to sign, in order; of any length. */
  sign(kind: SealedKind, ...parts: readonly string[]): string {
    const mac = createHmac('sha256', this.#secret).update(kind);
    for (const part of parts) mac.update(`\0${String(Buffer.byteLength(part))}\0`).update(part);
    return mac.digest('hex');
  }

  verifies(signature: string | undefined, kind: SealedKind, ...parts: readonly string[]): boolean {
    const [given, expected] = [signature ?? '', this.sign(kind, ...parts)].map((hex) =>
      Buffer.from(hex, 'hex'),
    );
    return (
      given !== undefined &&
      expected !== undefined &&
      given.length === expected.length &&
      timingSafeEqual(given, expected)
    );
  }
}
