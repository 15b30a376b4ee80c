import { formatFixed, InvariantError, parseFixed, type Fixed } from '../domain/index.js';
import type { EngineCheckpoint, Command, EngineEvent } from '../engine/index.js';

/** Key of an intent, which is stored as JSON text within the JSON. Its amounts are those of the strategy, under keys that hold exact amounts elsewhere. */
const INTENT = 'intent';

type FixedKeyOf<T> = T extends string | number | boolean | bigint | undefined
  ? never
  : T extends readonly (infer Element)[]
    ? FixedKeyOf<Element>
    : {
        [Key in keyof T]-?: Key extends typeof INTENT
          ? never
          : NonNullable<T[Key]> extends Fixed
            ? Key
            : FixedKeyOf<T[Key]>;
      }[keyof T];

/** All types that are written as JSON. */
type Written = EngineEvent | Command | EngineCheckpoint;

/** Keys whose value is an exact amount wherever they occur. A new amount whose key is missing here does not compile. */
const FIXED_KEYS: Readonly<Record<Extract<FixedKeyOf<Written>, string>, true>> = {
  amount: true,
  arrivalPrice: true,
  best: true,
  costs: true,
  dayEquity: true,
  entryNotional: true,
  entryQuantity: true,
  entryValue: true,
  equity: true,
  fee: true,
  filledNotional: true,
  filledQuantity: true,
  funding: true,
  initialEquity: true,
  insurance: true,
  interest: true,
  kept: true,
  last: true,
  level: true,
  limitPrice: true,
  liquidationPrice: true,
  maintenanceRate: true,
  margin: true,
  marginRate: true,
  markPrice: true,
  maxLimitQuantity: true,
  maxMarketMoney: true,
  maxMarketQuantity: true,
  minOrderMoney: true,
  minOrderQuantity: true,
  offered: true,
  parentFilled: true,
  pendingClose: true,
  price: true,
  principal: true,
  profit: true,
  quantity: true,
  rate: true,
  referencePrice: true,
  reserved: true,
  stop: true,
  takeProfit: true,
  takeProfitTried: true,
  total: true,
  triggerPrice: true,
  worth: true,
};

const isFixedKey = (key: string): boolean => Object.hasOwn(FIXED_KEYS, key);

/**
 * Writes a value as JSON, exact amounts as decimal text. Undefined members are left out.
 *
 * @throws {InvariantError} `E_JOURNAL_FIELD` for an amount under a key that is not in `FIXED_KEYS`, a text under a key that is, or a number
 * that is not finite. The reader would read each of them as something else.
 */
export function writeExact(value: unknown): string {
  return JSON.stringify(value, (key, member: unknown) => {
    if (key === INTENT && typeof member === 'object') return JSON.stringify(member);
    const isAmount = typeof member === 'bigint';
    const isMisplaced = isAmount !== isFixedKey(key) && (isAmount || typeof member === 'string');
    if (isMisplaced || (typeof member === 'number' && !Number.isFinite(member))) {
      throw new InvariantError(
        'E_JOURNAL_FIELD',
        `expected ${isFixedKey(key) ? 'an exact amount' : 'a text or a finite number'} at "${key}", received ${String(member)}`,
      );
    }
    return isAmount ? formatFixed(member) : member;
  });
}

/** Reads the text of {@link writeExact}. @throws {SyntaxError} or {DomainError} `E_DECIMAL` when the text is damaged. */
export function readExact(text: string): unknown {
  return JSON.parse(text, (key, member: unknown) => {
    if (typeof member !== 'string') return member;
    if (key === INTENT) return JSON.parse(member) as unknown;
    return isFixedKey(key) ? parseFixed(member) : member;
  });
}
