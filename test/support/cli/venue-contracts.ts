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

/** The venue's view of an account of contracts in USDT, read by an independent client with its key. */
export interface VenueContracts {
  /** Contracts by the side that opened them: `BUY` long, `SELL` short. */
  readonly held: Readonly<Record<string, number>>;
  /** Total equity in USDT. Without positions it is the balance. */
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
