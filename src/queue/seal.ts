import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a seal is for: that of one kind of message fits no other. */
export type SealedKind = 'search' | 'chunk' | 'result';

/** Signs messages with a secret that coordinator and workers share, and says whether a message has such a signature (HMAC-SHA-256). */
export class Seal {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** `parts`: what is signed, in order; texts of any length. */
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
