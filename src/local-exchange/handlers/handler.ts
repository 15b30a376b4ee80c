import type { EpochMs, Fixed, InstrumentId } from '../../domain/index.js';
import type {
  AnswerProfile,
  CheckedRequestOf,
  EndpointId,
  ENDPOINTS,
  FAMILY_ENDPOINTS,
  FamilyEndpointId,
  JsonOutput,
} from '../../venue/wire/index.js';
import type { CommandEffects, ExchangeAccount } from '../exchange-account.js';
import type { ExchangeMarket } from '../exchange-market.js';
import type { ExchangeRefusal } from '../refusal.js';

/** What a call without a key is answered from. */
export interface PublicCall {
  readonly market: ExchangeMarket;
  /** Market time: of everything that is told. */
  readonly time: EpochMs;
  /** What the exchange's clock shows: market time, unless a fault sets it wrong. */
  readonly serverTime: EpochMs;
  readonly profile: AnswerProfile;
  /** What orders of the caller may still take of the open candle; undefined without limit. */
  readonly volumeLeft: (instrumentId: InstrumentId) => Fixed | undefined;
}

/** What a signed call is answered from. */
export interface SignedCall extends PublicCall {
  readonly account: ExchangeAccount;
  readonly effects: CommandEffects;
}

/** An answer that is JSON already. */
export interface WrittenAnswer {
  readonly kind: 'written';
  readonly json: string;
}

export type Answer = JsonOutput | WrittenAnswer | ExchangeRefusal;

/** Whether an answer is text already. Answers that are not carry no such kind. */
export function isWritten(answer: Answer): answer is WrittenAnswer {
  return (
    typeof answer === 'object' && answer !== null && 'kind' in answer && answer.kind === 'written'
  );
}

/** Everything that is served: the interface, and what profile `family` has beyond it. */
export type ServedId = EndpointId | FamilyEndpointId;

/** Answers one endpoint of the table. Total: what cannot be done is a refusal. */
export type Handler<Id extends ServedId, Call extends PublicCall> = (
  request: CheckedRequestOf<(typeof ENDPOINTS & typeof FAMILY_ENDPOINTS)[Id]>,
  call: Call,
) => Answer;

export type Handlers<Ids extends ServedId, Call extends PublicCall> = {
  readonly [Id in Ids]: Handler<Id, Call>;
};

/** Ids of one area, for tables of handlers. */
export type IdsOf<Prefix extends string> = Extract<EndpointId, `${Prefix}.${string}`>;
