import type { OrderIntent } from '../../../domain/index.js';

type KeyOf<T> = T extends string | number | boolean | undefined
  ? never
  : T extends readonly (infer Element)[]
    ? KeyOf<Element>
    : T extends object
      ? 'toFixed' extends keyof T
        ? never
        : { [Key in keyof T & string]: Key | KeyOf<T[Key]> }[keyof T & string]
      : never;

/** All keys that an intent may have, at any depth. A missing key does not compile. */
const KEYS: Readonly<Record<KeyOf<OrderIntent>, true>> = {
  add: true,
  bracket: true,
  cancelEntries: true,
  chase: true,
  direction: true,
  distance: true,
  equity: true,
  every: true,
  expireAfter: true,
  goodForMs: true,
  instrument: true,
  intentId: true,
  kind: true,
  label: true,
  limitFor: true,
  limitPrice: true,
  maxBps: true,
  minimumTrade: true,
  notional: true,
  oco: true,
  over: true,
  price: true,
  priceRounding: true,
  protection: true,
  quantity: true,
  ratio: true,
  risk: true,
  share: true,
  size: true,
  slices: true,
  stopLoss: true,
  takeProfit: true,
  target: true,
  targets: true,
  then: true,
  timeInForce: true,
  to: true,
  tolerance: true,
  trailingStop: true,
  twap: true,
  weight: true,
  work: true,
};

/** Matches the index of a list member. */
const INDEX = /^\d+$/;

/** The same intent with plain text for its amounts, and without unknown keys: plugins may be JavaScript, and may add any key. */
export function plainIntent<Intent extends OrderIntent>(intent: Intent): Intent {
  return JSON.parse(JSON.stringify(intent, keepKnown)) as Intent;
}

function keepKnown(key: string, value: unknown): unknown {
  if (key !== '' && !Object.hasOwn(KEYS, key) && !INDEX.test(key)) return undefined;
  if (typeof value === 'bigint') return String(value);
  return typeof value === 'number' && !Number.isFinite(value) ? undefined : value;
}
