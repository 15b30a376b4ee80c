import type { SyntaxNode, SyntaxPath } from './syntax-tree.js';

/** The properties of a value that decide whether an expression changes it. */
export interface ValueShape {
  /** Methods that change the value. */
  readonly mutators: ReadonlySet<string>;
  /** The shape of a member; undefined if not known. */
  member(key: string): ValueShape | undefined;
  /** Whether every use of the value changes it. */
  readonly isStateful?: boolean;
  /** The shape of an instance, if the value is a class. */
  readonly instance?: ValueShape;
  /** The source of the function, if the value is one: its result may keep state. */
  readonly code?: SyntaxPath;
}

/** The context in which shapes are read. */
export interface ShapeSource {
  /** The shape of another file's export by name; undefined if not known. */
  readonly resolve: (specifier: string, name: string) => ValueShape | undefined;
  /** Nodes whose shape is being read. They stop the endless recursion of a value that contains itself. */
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

/** Functions of evenkeel whose result has state that changes with every candle. */
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

/** The shape of an unknown value. Only methods that hardly anything except lists and iterators has count as changes. */
export const UNKNOWN = shapeWith([...LIST_ENDS, 'next']);
export const STATEFUL: ValueShape = { ...shapeWith([]), isStateful: true };

export function shapeWith(mutators: Iterable<string>): ValueShape {
  return { mutators: new Set(mutators), member: () => undefined };
}

/** A value whose members are known by name. */
export function shapeOfMembers(member: ValueShape['member']): ValueShape {
  return { ...UNKNOWN, member };
}
