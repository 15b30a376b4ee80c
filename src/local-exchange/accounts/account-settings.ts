import type { MarginMode } from '../../domain/index.js';

/**
 * One account of the exchange, as JSON can carry it: amounts are decimal texts.
 *
 * @example `{ "name": "alice", "key": "k…", "secret": "s…", "userId": "10001", "balances": { "spot": { "USDT": "10000" }, "margin": {}, "futures": { "USDT": "1000" } }, "fees": { "spot": { "maker": "0.001", "taker": "0.001" }, "futures": { "maker": "0.0002", "taker": "0.0006" } }, "leverage": "5", "marginMode": "isolated" }`
 */
export interface AccountSettings {
  readonly name: string;
  readonly userId: string;
  readonly key: string;
  readonly secret: string;
  /** Starting balances, by wallet and asset. */
  readonly balances: Readonly<Record<Wallet, Readonly<Record<string, string>>>>;
  /** Fee rates as ratios of the notional. */
  readonly fees: Readonly<Record<'spot' | 'futures', FeeTier>>;
  /** Leverage of positions and of margin accounts. */
  readonly leverage: string;
  /** Margin mode of all contracts. Undefined: an order chooses the mode of its contract, as long as the contract is flat. */
  readonly marginMode?: MarginMode | undefined;
}

export interface FeeTier {
  readonly maker: string;
  readonly taker: string;
}

/** Each wallet holds its own money: money in one wallet cannot pay in another. */
export type Wallet = 'spot' | 'margin' | 'futures';
