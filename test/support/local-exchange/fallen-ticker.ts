import type { Meddling, MeddlingProxy } from './meddling-proxy.js';

/** An answer of the ticker in which the last price of BTCUSDT has fallen by half, far below every stop. */
export async function fallenTicker({ url }: MeddlingProxy): Promise<Meddling> {
  const answer = await fetch(`${url}/sapi/v1/ticker?symbol=BTCUSDT`);
  const ticker = (await answer.json()) as Readonly<Record<string, unknown>>;
  return {
    status: 200,
    body: JSON.stringify({ ...ticker, last: String(Number(ticker['last']) / 2) }),
  };
}
