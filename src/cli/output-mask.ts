/** Masks a secret in a text. */
interface Masking {
  mask(text: string): string;
}

/**
 * Masks secrets in everything that this process writes to a stream, from any code: our own text, `console`, a strategy, a package. A secret
 * that is split between two writes is not recognized.
 */
export class OutputMask {
  readonly #secrets: Masking[] = [];

  /** Masks these secrets from now on. */
  hide(secrets: readonly Masking[]): void {
    this.#secrets.push(...secrets);
  }

  /** Call it once for each stream, before anything is written. */
  guard(stream: Pick<NodeJS.WriteStream, 'write'>): void {
    const write = stream.write.bind(stream) as (chunk: unknown, ...rest: unknown[]) => boolean;
    stream.write = (chunk: unknown, ...rest: unknown[]) => write(this.#masked(chunk), ...rest);
  }

  #masked(chunk: unknown): unknown {
    if (this.#secrets.length === 0) return chunk;
    if (typeof chunk === 'string') return this.#mask(chunk);
    // Latin-1 keeps every byte, and a secret consists of ASCII because it is sent in a header.
    return chunk instanceof Uint8Array
      ? Buffer.from(this.#mask(Buffer.from(chunk).toString('latin1')), 'latin1')
      : chunk;
  }

  #mask(text: string): string {
    return this.#secrets.reduce((masked, secret) => secret.mask(masked), text);
  }
}
