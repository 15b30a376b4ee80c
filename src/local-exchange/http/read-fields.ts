import { parseJson } from '../../venue/wire/index.js';
import { refuse, type ExchangeRefusal } from '../refusal.js';
import { DEFAULT_WINDOW_MS, MAX_WINDOW_MS } from './authenticate.js';
import { splitTarget, type IncomingCall } from './incoming-call.js';

type Sent = { readonly kind: 'sent'; readonly fields: unknown } | ExchangeRefusal;

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Parameters of a call: the query of a GET, the JSON object of a POST. An empty body has no fields. */
export function readFields({ method, target, header, body }: IncomingCall): Sent {
  if (method === 'GET') {
    const sent = new URLSearchParams(splitTarget(target).query);
    const fields = Object.fromEntries(sent);
    const twice = [...sent.keys()].find((name) => sent.getAll(name).length > 1);
    return twice === undefined
      ? { kind: 'sent', fields }
      : refuse('-1101', `expected each parameter once, received ${twice.slice(0, 40)} more often`);
  }
  if (!/^application\/json\b/i.test(header('content-type') ?? '')) {
    return refuse('-1017', 'expected the header Content-Type: application/json');
  }
  if (body.length === 0) return { kind: 'sent', fields: {} };
  try {
    return { kind: 'sent', fields: parseJson(UTF8.decode(body)) };
  } catch {
    return refuse('-1102', 'expected a JSON object in UTF-8 as the body');
  }
}

/** Reads `recvWindow`, which may stand anywhere in a body of any endpoint. Some clients spell it in lower case. */
export function readWindow(fields: unknown): number | ExchangeRefusal {
  if (typeof fields !== 'object' || fields === null) return DEFAULT_WINDOW_MS;
  const written: unknown = Object.hasOwn(fields, 'recvWindow')
    ? Reflect.get(fields, 'recvWindow')
    : Object.hasOwn(fields, 'recvwindow')
      ? Reflect.get(fields, 'recvwindow')
      : undefined;
  if (written === undefined || written === null || written === '') return DEFAULT_WINDOW_MS;
  const windowMs =
    typeof written === 'string' && /^\d{1,9}$/.test(written) ? Number(written) : written;
  if (typeof windowMs !== 'number' || !Number.isSafeInteger(windowMs) || windowMs < 1) {
    return refuse('-1102', 'parameter recvWindow: expected whole milliseconds > 0');
  }
  if (windowMs > MAX_WINDOW_MS) {
    return refuse(
      '-1102',
      `parameter recvWindow: expected at most ${String(MAX_WINDOW_MS)} ms, received ${String(windowMs)}`,
    );
  }
  return windowMs;
}
