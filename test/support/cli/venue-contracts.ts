import type { ExchangeProcess } from '../local-exchange/exchange-process.js';
import { PlainClient } from '../local-exchange/plain-client.js';

interface PlainAccount {
  readonly marginCoin: string;
  readonly totalEquity: number | string;
  readonly positionVos?:
    | readonly {
        readonly positions: readonly { readonly side: string; readonly volume: number | string }[];
      }[]
    | null;
}

/** What a stranger with the key sees of its account of contracts in USDT. */
export interface VenueContracts {
  /** Contracts by the side that opened them: `BUY` long, `SELL` short. */
  readonly held: Readonly<Record<string, number>>;
  /** What is there where nothing is held, in USDT. */
  readonly equity: number;
}

export async function venueContracts(exchange: ExchangeProcess): Promise<VenueContracts> {
  const { json, text } = await new PlainClient(exchange.url, exchange).send(
    'GET',
    '/fapi/v1/account',
  );
  const { account } = json as { readonly account?: PlainAccount | readonly PlainAccount[] };
  const own = [account ?? []].flat().find(({ marginCoin }) => marginCoin === 'USDT');
  if (own === undefined) throw new Error(`expected an account in USDT, received ${text}`);
  const sides = (own.positionVos ?? []).flatMap(({ positions }) => positions);
  return {
    held: Object.fromEntries(
      sides
        .filter(({ volume }) => Number(volume) > 0)
        .map(({ side, volume }) => [side, Number(volume)]),
    ),
    equity: Number(own.totalEquity),
  };
}
