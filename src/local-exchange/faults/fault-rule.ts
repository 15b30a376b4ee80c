import { z } from 'zod';
import { ENDPOINT_LIST, FAMILY_ENDPOINT_LIST, type AnyEndpoint } from '../../venue/wire/index.js';

const ms = z.int().min(0).max(86_400_000);
const INSTRUMENT = 'an instrument such as spot:BTCUSDT';
const symbol = z
  .string({ error: INSTRUMENT })
  .regex(/^(?:spot|futures):[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, { error: INSTRUMENT });
const ENDPOINT = 'the id of an endpoint such as spot.order, or an area such as futures.* or *';

/** Members that every fault has. */
const when = {
  /** Ids of the table, or an area with a star: `spot.order`, `futures.*`, `*`. */
  endpoints: z
    .array(
      z
        .string({ error: ENDPOINT })
        .regex(/^(?:\*|[a-z]+\.\*|[a-z]+\.[A-Za-z]+)$/, { error: ENDPOINT }),
    )
    .min(1)
    .optional(),
  probability: z.number().gt(0).max(1).default(1),
  /** The largest number of times that it happens. */
  count: z.int().min(1).optional(),
  /** How long it may happen, in transport milliseconds. */
  durationMs: ms.optional(),
} as const;

function fault<const Kind extends string, T extends z.ZodRawShape>(
  kind: Kind,
  parameters: T,
): z.ZodObject<{ fault: z.ZodLiteral<Kind> } & typeof when & T, z.core.$strict> {
  return z.strictObject({ fault: z.literal(kind), ...when, ...parameters });
}

/** All faults that can be injected. docs/exchange.md explains each of them. */
export const faultRuleSchema = z.discriminatedUnion('fault', [
  fault('latency', {
    delayMs: ms.default(0),
    jitterMs: ms.default(0),
    spikeMs: ms.default(0),
    spikeProbability: z.number().min(0).max(1).default(0),
  }),
  fault('connection-refused', {}),
  fault('reset-before', {}),
  fault('reset-after', {}),
  fault('answer-lost', {}),
  fault('server-error', { status: z.literal([500, 502, 503]).default(500) }),
  fault('timeout-after', {}),
  fault('rate-limited', {}),
  fault('banned', {}),
  fault('truncated-json', {}),
  fault('malformed-json', {}),
  fault('html', { status: z.literal([200, 502, 503]).default(502) }),
  fault('frozen-ticker', {}),
  fault('repeated-kline', {}),
  fault('missing-kline', {}),
  fault('duplicate-kline', {}),
  fault('unordered-klines', {}),
  fault('clock-skew', { offsetMs: z.int().min(-86_400_000).max(86_400_000) }),
  fault('clock-drift', { ppm: z.number().min(-1_000_000).max(1_000_000) }),
  fault('many-fills', { pieces: z.int().min(2).max(100).default(5) }),
  fault('hidden-order', { hiddenMs: ms.min(1) }),
  fault('cancel-fills', {}),
  fault('maintenance', {}),
  fault('untradable', { instrument: symbol }),
  fault('precision', {
    instrument: symbol,
    pricePrecision: z.int().min(0).max(18).optional(),
    quantityPrecision: z.int().min(0).max(18).optional(),
  }),
]);

export type FaultRule = z.output<typeof faultRuleSchema>;
/** As a person writes it: members with a default may be left out. */
export type FaultRuleInput = z.input<typeof faultRuleSchema>;
export type FaultKind = FaultRule['fault'];

/** Endpoints to which a fault applies. A fault without an entry applies to all endpoints. */
const OWN_ENDPOINTS: Partial<Readonly<Record<FaultKind, (endpoint: AnyEndpoint) => boolean>>> = {
  'frozen-ticker': ({ id }) => id.endsWith('.ticker'),
  'repeated-kline': ({ id }) => id.endsWith('.klines'),
  'missing-kline': ({ id }) => id.endsWith('.klines'),
  'duplicate-kline': ({ id }) => id.endsWith('.klines'),
  'unordered-klines': ({ id }) => id.endsWith('.klines'),
  'many-fills': isPlacement,
  'hidden-order': isPlacement,
  'cancel-fills': ({ idempotent, id }) => !idempotent && id.toLowerCase().includes('cancel'),
};

/** Faults that are not drawn for each call: they change the clock, the market or the listener while they are in force. */
const LASTING: ReadonlySet<FaultKind> = new Set([
  'connection-refused',
  'clock-skew',
  'clock-drift',
  'untradable',
  'precision',
]);

function isPlacement({ id, idempotent }: AnyEndpoint): boolean {
  return !idempotent && /order/i.test(id) && !/cancel/i.test(id);
}

/** Ids of the endpoints on which a rule is drawn. */
export function endpointsOf(rule: FaultRule): ReadonlySet<string> {
  if (LASTING.has(rule.fault)) return new Set();
  const patterns = rule.endpoints ?? ['*'];
  const isOwn = OWN_ENDPOINTS[rule.fault] ?? (() => true);
  return new Set(
    [...ENDPOINT_LIST, ...FAMILY_ENDPOINT_LIST]
      .filter(
        (endpoint) => isOwn(endpoint) && patterns.some((pattern) => matches(pattern, endpoint)),
      )
      .map(({ id }) => id),
  );
}

function matches(pattern: string, { id, area }: AnyEndpoint): boolean {
  return pattern === '*' || pattern === id || pattern === `${area}.*`;
}
