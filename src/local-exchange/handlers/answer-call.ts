import type { AnyEndpoint } from '../../venue/wire/index.js';
import { FUTURES_HANDLERS } from './futures-handlers.js';
import type { Answer, PublicCall, ServedId, SignedCall } from './handler.js';
import { PUBLIC_HANDLERS, type PublicId } from './public-handlers.js';
import { MARGIN_HANDLERS, SPOT_HANDLERS } from './spot-handlers.js';

type SignedId = Exclude<ServedId, PublicId>;
type AnyHandler<Call> = (request: unknown, call: Call) => Answer;

/** The types of the tables guarantee one handler for each endpoint. */
const PUBLIC: Readonly<Record<PublicId, unknown>> = PUBLIC_HANDLERS;
const SIGNED: Readonly<Record<SignedId, unknown>> = {
  ...SPOT_HANDLERS,
  ...FUTURES_HANDLERS,
  ...MARGIN_HANDLERS,
};

/** Answers a call that needs no key. `request` is the result of this endpoint's request check. */
export function answerPublic({ id }: AnyEndpoint, request: unknown, call: PublicCall): Answer {
  return (PUBLIC[id as PublicId] as AnyHandler<PublicCall>)(request, call);
}

/** Answers a call with a known sender. `request` is the result of this endpoint's request check. */
export function answerSigned(
  { id }: Pick<AnyEndpoint, 'id'>,
  request: unknown,
  call: SignedCall,
): Answer {
  return (SIGNED[id as SignedId] as AnyHandler<SignedCall>)(request, call);
}
