import type { SyntaxNode, SyntaxPath } from './syntax-tree.js';

/** What a value is, as far as it matters to what changes it. */
export interface ValueShape {
  /** Methods that change it. */
  readonly mutators: ReadonlySet<string>;
  /** What its members are, where they are known. */
  member(key: string): ValueShape | undefined;
  /** Whether to use it at all is to change it. */
  readonly isStateful?: boolean;
  /** What `new` makes of it, where it is a class. */
  readonly instance?: ValueShape;
  /** Where it is written, if it is a function: what it makes may keep something. */
  readonly code?: SyntaxPath;
}

/** Where shapes are read. */
export interface ShapeSource {
  /** What another file exports by a name; undefined where that is not known. */
  readonly resolve: (specifier: string, name: string) => ValueShape | undefined;
  /** What is being read: what is made of itself has no end. */
  readonly open: Set<SyntaxNode>;
}

const MAP = ['set', 'delete', 'clear'];
const SET = ['add', 'delete', 'clear'];
const STREAM = ['next', 'error', 'complete'];
const LIST_ENDS = ['push', 'pop', 'shift', 'unshift', 'splice'];
export const LIST = [...LIST_ENDS, 'sort', 'reverse', 'fill', 'copyWithin'];
const TYPED = ['set', 'sort', 'reverse', 'fill', 'copyWithin'];
const DATE = ['Date', 'FullYear', 'Hours', 'Milliseconds', 'Minutes', 'Month', 'Seconds', 'Time'];

export const MUTATORS: Readonly<Record<string, readonly string[]>> = {
  Array: LIST,
  Map: MAP,
  Set: SET,
  WeakMap: MAP,
  WeakSet: SET,
  Date: DATE.flatMap((part) => [`set${part}`, `setUTC${part}`]),
  Float32Array: TYPED,
  Float64Array: TYPED,
  Int8Array: TYPED,
  Int16Array: TYPED,
  Int32Array: TYPED,
  BigInt64Array: TYPED,
  Uint8Array: TYPED,
  Uint8ClampedArray: TYPED,
  Uint16Array: TYPED,
  Uint32Array: TYPED,
  'rxjs.Subject': STREAM,
  'rxjs.BehaviorSubject': STREAM,
  'rxjs.ReplaySubject': STREAM,
  'rxjs.AsyncSubject': STREAM,
};

/** Functions of evenkeel that make what moves on with every candle. */
export const INDICATORS: ReadonlySet<string> = new Set(
  [
    'adx',
    'atr',
    'bollinger',
    'cci',
    'donchian',
    'ema',
    'highest',
    'kama',
    'lowest',
    'macd',
    'mfi',
    'obv',
    'roc',
    'rsi',
    'sma',
    'standardDeviation',
    'stochastic',
    'supertrend',
    'trueRange',
    'vwap',
    'wma',
  ].map((name) => `evenkeel.${name}`),
);

/** A value of which nothing is known: only what nearly nothing but lists and iterators has changes it. */
export const UNKNOWN = shapeWith([...LIST_ENDS, 'next']);
export const STATEFUL: ValueShape = { ...shapeWith([]), isStateful: true };

export function shapeWith(mutators: Iterable<string>): ValueShape {
  return { mutators: new Set(mutators), member: () => undefined };
}

/** A value whose members are known by name. */
export function shapeOfMembers(member: ValueShape['member']): ValueShape {
  return { ...UNKNOWN, member };
}
