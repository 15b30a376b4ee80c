import { createHmac } from 'node:crypto';

/** An answer from the wire. */
export interface PlainAnswer {
  readonly status: number;
  readonly text: string;
  /** Parsed by JSON.parse: ids beyond 2^53 are not exact. */
  readonly json: unknown;
}

/** An independent client: it uses none of our code for requests, and JSON.parse for answers. */
export class PlainClient {
  readonly #url: string;
  readonly #keys: { readonly key: string; readonly secret: string };

  constructor(url: string, keys: { readonly key: string; readonly secret: string }) {
    this.#url = url;
    this.#keys = keys;
  }

  async send(method: 'GET' | 'POST', path: string, fields?: object): Promise<PlainAnswer> {
    const { key, secret } = this.#keys;
    const timestamp = String(Date.now());
    const body = method === 'POST' ? JSON.stringify(fields ?? {}) : '';
    const signature = createHmac('sha256', secret).update(timestamp + method + path + body);
    const answer = await fetch(this.#url + path, {
      method,
      ...(method === 'POST' ? { body } : {}),
      headers: {
        'content-type': 'application/json',
        'X-CH-APIKEY': key,
        'X-CH-TS': timestamp,
        'X-CH-SIGN': signature.digest('hex'),
      },
    });
    const text = await answer.text();
    return { status: answer.status, text, json: JSON.parse(text) as unknown };
  }
}
