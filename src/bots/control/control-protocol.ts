import { z } from 'zod';
import {
  ORDER_CAUSES,
  ORDER_STATUSES,
  VENUE_INTERVALS,
  type ErrorCode,
} from '../../domain/index.js';
import { VENUE_STOP_STATES } from '../../engine/index.js';
import { BOT_STATES, GUARD_STANDBYS, RELOAD_STATES, type BotStatus } from '../../live/index.js';

/** Commands of an operator to a running bot. */
export const CONTROL_COMMANDS = [
  'status',
  'pause',
  'resume',
  'halt',
  'flatten',
  'restart-strategy',
  'reload',
  'clear-triggers',
] as const;
export type ControlCommand = (typeof CONTROL_COMMANDS)[number];
/** Command of a returning bot to the process that guards its positions. */
export const HAND_BACK = 'hand-back';

/** One line of JSON, as is its answer. A connection may carry many. */
export interface ControlRequest {
  readonly command: ControlCommand | typeof HAND_BACK;
  /** Reason for `halt`: one line. */
  readonly text?: string | undefined;
  /** Ids of triggers, for `clear-triggers`. @defaultValue triggers that have outlived their positions */
  readonly ids?: readonly string[] | undefined;
}

/** `status`: the bot's status right after the command was taken. */
export type ControlAnswer =
  | { readonly ok: true; readonly status: BotStatus }
  | { readonly ok: false; readonly code: ErrorCode; readonly message: string };

/** Longest request, in characters. */
export const MAX_REQUEST_LENGTH = 4_096;
/** Longest answer: a bot with thousands of orders. */
export const MAX_ANSWER_LENGTH = 16_777_216;

const requestSchema: z.ZodType<ControlRequest> = z.strictObject({
  command: z.enum([...CONTROL_COMMANDS, HAND_BACK]),
  text: z
    .string()
    .regex(/^[^\p{Cc}]{1,200}$/u)
    .optional(),
  ids: z
    .array(z.string().regex(/^[!-~]{1,64}$/))
    .max(40)
    .optional(),
});

/** Absent values are null on the wire: a key that always exists is easier for programs to read. */
const absent = <T>(type: z.ZodType<T>): z.ZodType<T | undefined> =>
  z.nullable(type).transform((value) => value ?? undefined);

const amount = z.object({ amount: z.string(), currency: z.string() });

const statusSchema = z.object({
  name: z.string(),
  mode: z.enum(['paper', 'live']),
  state: z.enum(BOT_STATES),
  since: z.number(),
  reasons: z.array(z.string()),
  time: z.number(),
  equity: absent(amount),
  profit: absent(amount),
  warmUp: z.array(
    z.object({
      instrumentId: z.string(),
      interval: z.enum(VENUE_INTERVALS),
      missing: z.number(),
      candles: z.number(),
      indicators: z.array(z.object({ name: z.string(), weight: z.number() })),
    }),
  ),
  streams: z.array(z.object({ name: z.string(), state: z.string(), lastData: absent(z.number()) })),
  positions: z.array(
    z.object({
      instrumentId: z.string(),
      direction: z.enum(['long', 'short']),
      quantity: z.string(),
      isDust: z.boolean(),
    }),
  ),
  orders: z.array(
    z.object({
      clientOrderId: z.string(),
      instrumentId: z.string(),
      side: z.enum(['buy', 'sell']),
      quantity: z.string(),
      filled: z.string(),
      limitPrice: absent(z.string()),
      status: z.enum(ORDER_STATUSES),
      cause: z.enum(ORDER_CAUSES),
      label: absent(z.string()),
    }),
  ),
  guardedBy: z.object({
    process: z.enum(['bot', 'guard']),
    // Absent in an older version, which may guard a bot that is started again.
    since: absent(z.number()).optional(),
    standby: z.enum(GUARD_STANDBYS),
  }),
  sampled: z.array(
    z.object({
      instrumentId: z.string(),
      by: z.enum(['last', 'mark']),
      at: absent(z.number()),
      everyMs: z.number(),
      latelyMs: absent(z.number()),
    }),
  ),
  guards: z.array(
    z.object({
      instrumentId: z.string(),
      direction: z.enum(['long', 'short']),
      quantity: z.string(),
      stop: absent(z.string()),
      takeProfit: absent(z.string()),
      trailingStop: absent(z.string()),
      intentId: absent(z.number()),
      label: absent(z.string()),
    }),
  ),
  triggers: z.array(
    z.object({
      clientOrderId: z.string(),
      triggerId: absent(z.string()),
      instrumentId: z.string(),
      direction: z.enum(['long', 'short']),
      trigger: z.enum(['stop-loss', 'take-profit']),
      state: z.enum(VENUE_STOP_STATES),
      since: z.number(),
      isOrphan: z.boolean(),
      quantity: z.string(),
      level: z.string(),
      uncovered: absent(z.string()),
    }),
  ),
  worked: z.array(
    z.object({
      intentId: z.number(),
      instrumentId: z.string(),
      side: z.enum(['buy', 'sell']),
      label: absent(z.string()),
      arrival: z.string(),
      quantity: z.string(),
      unit: z.enum(['base', 'quote', 'contracts']),
      filled: z.string(),
      averagePrice: absent(z.string()),
      shortfallBps: absent(z.number()),
    }),
  ),
  waiting: z.array(
    z.object({
      intentId: z.number(),
      kind: z.enum(['enter', 'exit', 'target']),
      instrumentId: z.string(),
      direction: z.enum(['long', 'short']),
      label: absent(z.string()),
      since: z.number(),
    }),
  ),
  cancels: z.array(z.object({ instrumentId: z.string(), count: z.number() })),
  margins: z.array(
    z.object({
      instrumentId: z.string(),
      direction: z.enum(['long', 'short']),
      markPrice: absent(z.string()),
      liquidationPrice: absent(z.string()),
      distance: absent(z.string()),
      marginRate: absent(z.string()),
      maintenanceRate: absent(z.string()),
      pendingClose: absent(z.string()),
      frozen: z.enum(['no', 'liquidation', 'delivery']),
    }),
  ),
  debts: z.array(
    z.object({ asset: z.string(), principal: z.string(), estimatedInterest: z.string() }),
  ),
  marginLevel: absent(z.string()),
  budgets: z.array(
    z.object({
      name: z.string(),
      used: z.number(),
      limit: z.number(),
      windowMs: z.number(),
      restsUntil: absent(z.number()),
    }),
  ),
  events: z.number(),
  commands: z.number(),
  isFlattening: z.boolean(),
  reload: absent(z.object({ state: z.enum(RELOAD_STATES), since: z.number(), text: z.string() })),
  lastDecision: absent(z.object({ time: z.number(), text: z.string() })),
});

const answerSchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), status: statusSchema }),
  z.object({
    ok: z.literal(false),
    code: z.templateLiteral(['E_', z.string()]),
    message: z.string(),
  }),
]);

/** Parses a request; undefined if invalid. */
export function parseControlRequest(line: string): ControlRequest | undefined {
  return requestSchema.safeParse(parseJson(line)).data;
}

/** Parses an answer; undefined if invalid. */
export function parseControlAnswer(line: string): ControlAnswer | undefined {
  // The sender's types had instrument ids and order ids where the schema has strings.
  return answerSchema.safeParse(parseJson(line)).data as ControlAnswer | undefined;
}

export function formatRequest(request: ControlRequest): string {
  return `${JSON.stringify(request)}\n`;
}

export function formatAnswer(answer: ControlAnswer): string {
  return `${JSON.stringify(answer, nullForAbsent)}\n`;
}

/** The status as a document. */
export function formatStatusJson(status: BotStatus): string {
  return `${JSON.stringify(status, nullForAbsent, 2)}\n`;
}

function nullForAbsent(_key: string, value: unknown): unknown {
  return value === undefined ? null : value;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}
