import type { EpochMs } from '../../domain/index.js';
import type {
  AnswerProfile,
  CheckedRequestOf,
  EndpointId,
  ENDPOINTS,
  JsonOutput,
} from '../../venue/wire/index.js';
import type { CommandEffects, ExchangeAccount } from '../exchange-account.js';
import type { ExchangeMarket } from '../exchange-market.js';
import type { Refusal } from '../refusal.js';

/** What a call without a key is answered from. */
export interface PublicCall {
  readonly market: ExchangeMarket;
  /** Market time: of everything that is told. */
  readonly time: EpochMs;
  /** What the exchange's clock shows: market time, unless a fault sets it wrong. */
  readonly serverTime: EpochMs;
  readonly profile: AnswerProfile;
}

/** What a signed call is answered from. */
export interface SignedCall extends PublicCall {
  readonly account: ExchangeAccount;
  readonly effects: CommandEffects;
}

/** Answers one endpoint of the table. Total: what cannot be done is a refusal. */
export type Handler<Id extends EndpointId, Call extends PublicCall> = (
  request: CheckedRequestOf<(typeof ENDPOINTS)[Id]>,
  call: Call,
) => JsonOutput | Refusal;

export type Handlers<Ids extends EndpointId, Call extends PublicCall> = {
  readonly [Id in Ids]: Handler<Id, Call>;
};

/** Ids of one area, for tables of handlers. */
export type IdsOf<Prefix extends string> = Extract<EndpointId, `${Prefix}.${string}`>;
