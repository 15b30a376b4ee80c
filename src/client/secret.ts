import { inspect } from 'node:util';

const MASK = '[secret]';

/**
 * A key or a secret that cannot be printed by accident: text, JSON and inspection show a mask. {@link Secret.reveal} is the only way
 * to the value, and is called where it is sent or signed with.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return MASK;
  }

  toJSON(): string {
    return MASK;
  }

  [inspect.custom](): string {
    return MASK;
  }
}

/** Replaces every occurrence of the secrets in a text, for what a venue or a library may echo. */
export function redact(text: string, secrets: readonly Secret[]): string {
  return secrets.reduce((clean, secret) => {
    const value = secret.reveal();
    return value === '' ? clean : clean.replaceAll(value, MASK);
  }, text);
}
