/** What hides a secret in a text. */
interface Masking {
  mask(text: string): string;
}

/**
 * Hides secrets in everything that this process writes to a stream, whoever writes it: our own text, `console`, a strategy, a package. What was
 * split between two writes is not recognized.
 */
export class OutputMask {
  readonly #secrets: Masking[] = [];

  /** From now on. */
  hide(secrets: readonly Masking[]): void {
    this.#secrets.push(...secrets);
  }

  /** To be called once, before anything is written. */
  guard(stream: Pick<NodeJS.WriteStream, 'write'>): void {
    const write = stream.write.bind(stream) as (chunk: unknown, ...rest: unknown[]) => boolean;
    stream.write = (chunk: unknown, ...rest: unknown[]) => write(this.#masked(chunk), ...rest);
  }

  #masked(chunk: unknown): unknown {
    if (this.#secrets.length === 0) return chunk;
    if (typeof chunk === 'string') return this.#mask(chunk);
    // Byte for byte: a secret is sent in a header, and consists of ASCII.
    return chunk instanceof Uint8Array
      ? Buffer.from(this.#mask(Buffer.from(chunk).toString('latin1')), 'latin1')
      : chunk;
  }

  #mask(text: string): string {
    return this.#secrets.reduce((masked, secret) => secret.mask(masked), text);
  }
}
