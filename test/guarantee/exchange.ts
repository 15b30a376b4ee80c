import { spawn, type ChildProcess } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
export const KEY = { TEST_KEY: 'a-key-of-tests', TEST_SECRET: 'a-secret-of-tests' };
const TOKEN = 'guaranteed-token';

/** A volatility of 600 % a year moves the price by some hundredths of a percent per second, so it soon reaches a near stop. */
const yamlOf = (seed: number): string => `state: exchange.state
market:
  synthetic:
    seed: ${String(seed)}
    pairs:
      BTCUSDT: { price: '60000', volatility: '6', dailyVolume: '200000' }
accounts:
  - name: guaranteed
    keyEnv: TEST_KEY
    secretEnv: TEST_SECRET
    balances: { spot: { USDT: '100000' } }
`;

/** An exchange in a process of its own. It may be killed at any time, and starts again from its state file. */
export class Exchange {
  readonly #folder: string;
  #child: ChildProcess | undefined;
  #port = 0;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async open(folder: string, seed: number): Promise<Exchange> {
    await writeFile(path.join(folder, 'exchange.yaml'), yamlOf(seed));
    const exchange = new Exchange(folder);
    await exchange.start();
    return exchange;
  }

  get url(): string {
    return `http://127.0.0.1:${String(this.#port)}`;
  }

  /** Resolves when the exchange listens. */
  async start(): Promise<void> {
    const args = [MAIN, 'exchange', 'exchange.yaml', '--port', String(this.#port), '--json'];
    const child = spawn(process.execPath, args, {
      cwd: this.#folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...KEY, EVENKEEL_CONTROL_TOKEN: TOKEN },
    });
    this.#child = child;
    const line = await new Promise<string>((resolve, reject) => {
      let [said, errors] = ['', ''];
      child.stdout.on('data', (text: Buffer) => {
        said += text.toString();
        if (said.includes('\n')) resolve(said);
      });
      child.stderr.on(
        'data',
        (text: Buffer) => (errors = `${errors}${text.toString()}`.slice(-2_000)),
      );
      child.once('exit', () => reject(new Error(`the exchange ended: ${errors}`)));
    });
    this.#port = (JSON.parse(line) as { readonly port: number }).port;
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  /** Puts a fault in force. The returned function removes it. */
  async fault(rule: object): Promise<() => Promise<void>> {
    const added = (await this.#control('POST', rule)) as { readonly id?: number | string };
    return async () => {
      await this.#control('DELETE', undefined, added.id);
    };
  }

  async #control(method: 'POST' | 'DELETE', body?: object, id?: number | string): Promise<unknown> {
    const place = `${this.url}/control/faults${id === undefined ? '' : `/${String(id)}`}`;
    const response = await fetch(place, {
      method,
      headers: { authorization: `Bearer ${TOKEN}` },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${place}: ${await response.text()}`);
    return response.json();
  }

  /** The last price, or undefined if the exchange does not answer. */
  async last(): Promise<number | undefined> {
    try {
      const response = await fetch(`${this.url}/sapi/v1/ticker?symbol=BTCUSDT`);
      const { last } = (await response.json()) as { readonly last?: string | number };
      return last === undefined ? undefined : Number(last);
    } catch {
      return undefined;
    }
  }
}
