import { z } from 'zod';
import { createInstrumentId, formatFixed, splitInstrumentId } from '../../../domain/index.js';
import type { CancelOutcome, TriggerKind, VenueTrigger } from '../../orders.js';
import { defineEndpoint, type AnswerOf } from '../endpoint.js';
import { encodeId } from '../json/encoding.js';
import { described, familyField, familyRequired } from '../json/fields.js';
import type { JsonOutput } from '../json/json.js';
import { futuresLimit } from '../limits.js';
import { contractName, ID_TEXT, needed } from '../requests/request-fields.js';
import { AMOUNT, ID, INSTANT, SYMBOL } from '../json/scalars.js';
import { ACTION, SIDE, TRIGGER } from '../json/word-scalars.js';

/**
 * One conditional order that waits. Assumption: the fields are those it was sent with, under the names of the family's histories; no document
 * shows an answer (confidence low). A list that has other names is refused as unreadable, never guessed.
 */
const WAITING_TRIGGER = z
  .object({
    triggerId: familyField(ID, 'long', 'Id given by the venue'),
    id: familyField(ID, 'long', 'The same where it is not called triggerId'),
    orderId: familyField(ID, 'long', 'The same where it is called neither'),
    contractName: familyRequired(SYMBOL, 'string', 'Contract name'),
    side: familyRequired(SIDE, 'string', 'BUY or SELL'),
    open: familyField(ACTION, 'string', 'OPEN or CLOSE'),
    openOrClose: familyField(ACTION, 'string', 'The same under its name in histories'),
    volume: familyRequired(AMOUNT, 'float', 'Contracts; money for a MARKET order that opens'),
    triggerType: familyField(TRIGGER, 'string', '1 stop-loss, 2 take-profit, 3 and 4 chases'),
    triggerPrice: familyRequired(AMOUNT, 'float', 'Level of the last traded price'),
    ctimeMs: familyField(INSTANT, 'long', 'Creation time, UTC milliseconds'),
  })
  .transform((answer, context) => {
    const triggerId = answer.triggerId ?? answer.id ?? answer.orderId;
    const action = answer.open ?? answer.openOrClose;
    if (triggerId !== undefined && action !== undefined) return { ...answer, triggerId, action };
    const [path, message] =
      triggerId === undefined ? ['triggerId', ID.expected] : ['open', ACTION.expected];
    context.issues.push({ code: 'custom', message, path: [path], input: undefined });
    return z.NEVER;
  });

/**
 * Calls that the interface does not have and other deployments of its family do: triggers that wait can be listed and canceled. Source: documents
 * and a client of the family name the two paths (high confidence); method, request and answer of the list are assumed.
 */
export const FUTURES_TRIGGERS = {
  'futures.triggers': defineEndpoint({
    id: 'futures.triggers',
    method: 'GET',
    path: '/fapi/v1/trigger_order_list',
    area: 'futures',
    access: 'signed',
    rateLimit: futuresLimit('key'),
    request: z.strictObject({ contractName }),
    answer: described(z.array(WAITING_TRIGGER), 'list', 'Conditional orders that wait'),
    listName: 'list',
    examples: {
      request: { contractName: 'E-BTC-USDT' },
      answer:
        '[{"triggerId":"2566092292056842999","contractName":"E-BTC-USDT","side":"SELL","open":"CLOSE","volume":"10","triggerType":"1","triggerPrice":"63000","ctimeMs":1760000000123}]',
    },
    doc: 'Reads the conditional orders of a contract that wait. Not of the interface: some deployments have it.',
  }),
  'futures.cancelTrigger': defineEndpoint({
    id: 'futures.cancelTrigger',
    method: 'POST',
    path: '/fapi/v1/cancel_trigger_order',
    area: 'futures',
    access: 'signed',
    rateLimit: futuresLimit('key'),
    request: z.strictObject({
      contractName,
      orderId: needed(ID_TEXT, 'string', 'Id of the trigger'),
    }),
    answer: z.unknown(),
    examples: {
      request: { contractName: 'E-BTC-USDT', orderId: '2566092292056842999' },
      answer: '{"orderId":"2566092292056842999"}',
    },
    doc: 'Asks for the end of a conditional order that waits. Not of the interface: some deployments have it.',
  }),
} as const;

/** Makes a trigger of a row of the list. */
export function decodeTrigger(
  row: AnswerOf<(typeof FUTURES_TRIGGERS)['futures.triggers']>[number],
): VenueTrigger {
  return {
    instrumentId: createInstrumentId('futures', row.contractName),
    triggerId: row.triggerId,
    side: row.side,
    action: row.action,
    trigger: row.triggerType,
    triggerPrice: row.triggerPrice,
    quantity: row.volume,
    createdTime: row.ctimeMs,
  };
}

const NUMBERS: Readonly<Record<TriggerKind, string>> = {
  'stop-loss': '1',
  'take-profit': '2',
  'chase-up': '3',
  'chase-down': '4',
};

/** Writes a row of the list, in the family's form: the interface has none. */
export function encodeTrigger(trigger: VenueTrigger): JsonOutput {
  const { symbol } = splitInstrumentId(trigger.instrumentId);
  return {
    triggerId: encodeId(trigger.triggerId, 'family'),
    contractName: symbol,
    side: trigger.side.toUpperCase(),
    open: trigger.action.toUpperCase(),
    volume: formatFixed(trigger.quantity),
    ...(trigger.trigger && { triggerType: NUMBERS[trigger.trigger] }),
    triggerPrice: formatFixed(trigger.triggerPrice),
    ...(trigger.createdTime !== undefined && { ctimeMs: trigger.createdTime }),
  };
}

/** Outcome of the cancel of a trigger. Some deployments answer only true or false. */
export function decodeTriggerCanceled(answer: unknown): CancelOutcome {
  return answer === false
    ? { kind: 'refused', reason: { code: '-1141', text: 'the venue has canceled no such trigger' } }
    : { kind: 'requested', status: 'canceling' };
}
