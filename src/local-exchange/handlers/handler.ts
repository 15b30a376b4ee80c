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

/** The data for the answer to a call without a key. */
export interface PublicCall {
  readonly market: ExchangeMarket;
  /** Market time of everything in the answer. */
  readonly time: EpochMs;
  /** Time of the clock that the exchange shows: market time or transport time, possibly shifted by a fault. */
  readonly serverTime: EpochMs;
  readonly profile: AnswerProfile;
  /** Volume that the caller's orders may still take of the open candle; undefined without limit. */
  readonly volumeLeft: (instrumentId: InstrumentId) => Fixed | undefined;
}

/** The data for the answer to a signed call. */
export interface SignedCall extends PublicCall {
  readonly account: ExchangeAccount;
  readonly effects: CommandEffects;
}

/** An answer that is JSON already. */
interface WrittenAnswer {
  readonly kind: 'written';
  readonly json: string;
}

export type Answer = JsonOutput | WrittenAnswer | ExchangeRefusal;

/** Whether an answer is text already. Other answers have no such kind. */
export function isWritten(answer: Answer): answer is WrittenAnswer {
  return (
    typeof answer === 'object' && answer !== null && 'kind' in answer && answer.kind === 'written'
  );
}

/** All served endpoints: those of the interface, and the additional ones of profile `family`. */
export type ServedId = EndpointId | FamilyEndpointId;

/** Answers one endpoint of the table. Total: it answers an impossible request with a refusal. */
export type Handler<Id extends ServedId, Call extends PublicCall> = (
  request: CheckedRequestOf<(typeof ENDPOINTS & typeof FAMILY_ENDPOINTS)[Id]>,
  call: Call,
) => Answer;

export type Handlers<Ids extends ServedId, Call extends PublicCall> = {
  readonly [Id in Ids]: Handler<Id, Call>;
};

/** Ids of one area, for tables of handlers. */
export type IdsOf<Prefix extends string> = Extract<EndpointId, `${Prefix}.${string}`>;
