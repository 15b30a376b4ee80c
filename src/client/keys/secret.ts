import { inspect } from 'node:util';

const MASK = '[secret]';

/**
 * A key or a secret that cannot be printed by accident: text, JSON and inspection show a mask. Only {@link Secret.reveal} returns the value; it is
 * called only for sending or signing.
 */
export class Secret {
  readonly #value: string;
  #forms: RegExp | undefined;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  /** Masks the value in a text, in any of its forms. */
  mask(text: string): string {
    return this.#value === '' ? text : text.replace((this.#forms ??= formsOf(this.#value)), MASK);
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

/** Encoded forms shorter than this are not masked: they would also match other text. */
const MIN_ENCODED = 8;

/**
 * Matches a value in plain text, JSON, a URL, hexadecimal, and both variants of base64. For base64 it matches the part that does not depend on the
 * bytes before and after the value.
 */
function formsOf(value: string): RegExp {
  const inUrl = encodeURIComponent(value);
  const bytes = Buffer.from(value);
  const base64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
  const encoded = [
    inUrl,
    inUrl.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase()),
    JSON.stringify(value).slice(1, -1),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ];
  const forms = [value, ...encoded.filter(({ length }) => length >= MIN_ENCODED)];
  // The longest first: a form inside a longer one would leave the ends of the longer one. One pattern for all forms, because it runs on each answer
  // of a venue.
  const longestFirst = [...new Set(forms)].sort((one, other) => other.length - one.length);
  return new RegExp(longestFirst.map(escapePattern).join('|'), 'g');
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** Replaces every occurrence of the secrets in a text, in any form. For text from a venue, a library or a strategy. */
export function redact(text: string, secrets: readonly Secret[]): string {
  return secrets.reduce((clean, secret) => secret.mask(clean), text);
}
