import { inspect } from 'node:util';

const MASK = '[secret]';

/**
 * A key or a secret that cannot be printed by accident: text, JSON and inspection show a mask. {@link Secret.reveal} is the only way
 * to the value, and is called where it is sent or signed with.
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

  /** Masks the value in a text, in whatever form it stands there. */
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

/** Below this a form of a secret is as likely to be something else. */
const MIN_ENCODED = 8;

/**
 * Matches a value as it is, within JSON, within a URL, in hexadecimal, and in both spellings of base64: of the latter what is the same
 * whatever stands before and after it.
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
  // The longest first: a form within another one would leave its ends. One pattern for all, since each answer of a venue is looked through.
  const longestFirst = [...new Set(forms)].sort((one, other) => other.length - one.length);
  return new RegExp(longestFirst.map(escapePattern).join('|'), 'g');
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** Replaces every occurrence of the secrets in a text, in whatever form, for what a venue, a library or a strategy may echo. */
export function redact(text: string, secrets: readonly Secret[]): string {
  return secrets.reduce((clean, secret) => secret.mask(clean), text);
}
