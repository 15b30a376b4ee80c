export { parseAnswer } from './json/answer.js';
export { coerceRequest } from './requests/coerce-request.js';
export {
  type AnswerOf,
  type AnyEndpoint,
  type CheckedRequestOf,
  type RequestOf,
} from './endpoint.js';
export {
  ENDPOINT_LIST,
  ENDPOINTS,
  FAMILY_ENDPOINT_LIST,
  FAMILY_ENDPOINTS,
  isEndpointId,
  type EndpointId,
  type FamilyEndpointId,
} from './endpoint-table.js';
export {
  VENUE_ERRORS,
  venueErrorFact,
  type VenueErrorCode,
  type VenueErrorFact,
} from './error-codes.js';
export { decodeFuturesAccount, encodeFuturesAccount } from './futures/futures-account-codec.js';
export {
  decodeContracts,
  decodeFuturesTicker,
  decodeIndex,
  encodeContracts,
  encodeFuturesTicker,
  encodeIndex,
} from './futures/futures-market-codec.js';
export {
  decodeFuturesTrade,
  decodeHistoryOrder,
  decodeProfit,
  encodeFuturesTrade,
  encodeHistoryOrder,
  encodeProfit,
} from './futures/futures-history-codec.js';
export {
  decodeCondition,
  decodeFuturesCanceled,
  decodeFuturesCreated,
  decodeFuturesOrder,
  encodeCondition,
  encodeFuturesOpenOrders,
  encodeFuturesOrder,
  encodeFuturesOrderId,
} from './futures/futures-order-codec.js';
export { decodeTrigger, decodeTriggerCanceled, encodeTrigger } from './futures/futures-triggers.js';
export {
  decodeSpotInterval,
  encodeSpotInterval,
  FUTURES_INTERVALS,
  SPOT_INTERVALS,
} from './interval-names.js';
export {
  formatJson,
  JsonNumber,
  JsonText,
  parseJson,
  type JsonOutput,
  type JsonValue,
} from './json/json.js';
export {
  decodeDepth,
  decodeKlines,
  encodeDepth,
  encodeKlines,
  encodeServerTime,
} from './market-codec.js';
export { renderOpenApi } from './openapi.js';
export {
  decodeBatchEntry,
  decodeConditionRequest,
  decodeFuturesOrderRequest,
  decodeSpotOrderRequest,
  encodeBatchEntry,
  encodeConditionRequest,
  encodeFuturesOrderRequest,
  encodeSpotOrderRequest,
} from './requests/order-request-codec.js';
export { ANSWER_PROFILES, type AnswerProfile } from './profile.js';
export { describeMismatch } from './json/issues.js';
export { encodeRequest, parseRequest, type EncodedRequest } from './requests/request.js';
export {
  decodeSpotTicker,
  decodeSymbols,
  decodeTrades,
  encodeSpotTicker,
  encodeSymbols,
  encodeTrades,
} from './spot/spot-market-codec.js';
export { clientIdOrNone } from './json/encoding.js';
export {
  decodeBatchCanceled,
  decodeBatchIds,
  decodeCanceledOrder,
  decodeCreatedOrder,
  decodeSpotAccount,
  decodeSpotOrder,
  decodeSpotTrade,
  encodeBatchCanceled,
  encodeBatchIds,
  encodeCanceledOrder,
  encodeCreatedOrder,
  encodeList,
  encodeSpotAccount,
  encodeSpotOrder,
  encodeSpotTrade,
} from './spot/spot-order-codec.js';
export { encodeVenueError, httpStatusFact, readVenueError } from './venue-error.js';
