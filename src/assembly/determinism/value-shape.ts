import { isDeclaredOnly, traceValue } from './trace-value.js';
import {
  childOf,
  childrenOf,
  isCall,
  isMember,
  nameOf,
  unwrap,
  wrapped,
  type SyntaxNode,
  type SyntaxPath,
} from './syntax-tree.js';

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
const LIST = [...LIST_ENDS, 'sort', 'reverse', 'fill', 'copyWithin'];
const TYPED = ['set', 'sort', 'reverse', 'fill', 'copyWithin'];
const DATE = ['Date', 'FullYear', 'Hours', 'Milliseconds', 'Minutes', 'Month', 'Seconds', 'Time'];

const MUTATORS: Readonly<Record<string, readonly string[]>> = {
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
const UNKNOWN = shapeWith([...LIST_ENDS, 'next']);
const STATEFUL: ValueShape = { ...shapeWith([]), isStateful: true };

export function shapeWith(mutators: Iterable<string>): ValueShape {
  return { mutators: new Set(mutators), member: () => undefined };
}

/** A value whose members are known by name. */
export function shapeOfMembers(member: ValueShape['member']): ValueShape {
  return { ...UNKNOWN, member };
}

/** What an expression gives. */
export function shapeOf(path: SyntaxPath, from: ShapeSource): ValueShape {
  const value = unwrap(path);
  if (from.open.has(value.node)) return UNKNOWN;
  from.open.add(value.node);
  try {
    return readShape(value, from);
  } finally {
    from.open.delete(value.node);
  }
}

function readShape(value: SyntaxPath, from: ShapeSource): ValueShape {
  switch (value.node.type) {
    case 'ArrayExpression':
      return shapeWith(LIST);
    case 'ObjectExpression':
      return shapeOfMembers((key) => {
        const property = childrenOf(value, 'properties').find(
          ({ node }) => node['computed'] !== true && nameOf(node['key'] ?? {}) === key,
        );
        const held = property && childOf(property, 'value');
        return held && shapeOf(held, from);
      });
    case 'ClassExpression':
      return shapeOfClass(value, from);
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      return { ...UNKNOWN, code: value };
    case 'Identifier':
      return shapeOfName(value, from);
    case 'NewExpression':
      return shapeOfNew(value, from);
    default:
      return isCall(value) ? shapeOfCall(value, from) : UNKNOWN;
  }
}

function shapeOfName(path: SyntaxPath, from: ShapeSource): ValueShape {
  const binding = path.scope.getBinding(nameOf(path.node) ?? '');
  return binding === undefined || isDeclaredOnly(binding)
    ? UNKNOWN
    : shapeOfDeclaration(binding.path, from);
}

/** What a declared name stands for at first. */
export function shapeOfDeclaration(path: SyntaxPath, from: ShapeSource): ValueShape {
  const { type } = path.node;
  if (/^Class/.test(type)) return shapeOfClass(path, from);
  if (type === 'FunctionDeclaration') return { ...UNKNOWN, code: path };
  if (type === 'VariableDeclarator') {
    const init = childOf(path, 'init');
    const isWhole = childOf(path, 'id')?.node.type === 'Identifier';
    return init === undefined || !isWhole ? UNKNOWN : shapeOf(init, from);
  }
  const source = (path.parentPath?.node['source'] as SyntaxNode | null | undefined)?.['value'];
  if (typeof source !== 'string') return UNKNOWN;
  if (type === 'ImportNamespaceSpecifier')
    return shapeOfMembers((key) => from.resolve(source, key));
  const name = type === 'ImportSpecifier' ? nameOf(path.node['imported']) : 'default';
  return from.resolve(source, name ?? '') ?? UNKNOWN;
}

function shapeOfNew(path: SyntaxPath, from: ShapeSource): ValueShape {
  const callee = childOf(path, 'callee');
  if (callee === undefined) return UNKNOWN;
  const known = traceValue(callee).find((name) => name in MUTATORS);
  if (known !== undefined) return shapeWith(MUTATORS[known] ?? []);
  return shapeOf(callee, from).instance ?? UNKNOWN;
}

function shapeOfCall(path: SyntaxPath, from: ShapeSource): ValueShape {
  const callee = childOf(path, 'callee');
  const [first] = childrenOf(path, 'arguments');
  if (callee === undefined) return UNKNOWN;
  const called = traceValue(callee);
  if (called.some((name) => INDICATORS.has(name))) return STATEFUL;
  // What is frozen cannot be written to; a map in it can.
  if (called.includes('Object.freeze') && first !== undefined) return shapeOf(first, from);
  const makesList = called.some((name) => /^Array(\.from|\.of)?$/.test(name));
  const method = unwrap(callee);
  const name = isMember(method) ? (nameOf(method.node['property']) ?? '') : '';
  if (makesList || /^(concat|filter|flat|flatMap|map|slice|split|to(Sorted|Reversed))$/.test(name))
    return shapeWith(LIST);
  return UNKNOWN;
}

/** A class: what is static of it, and what changes its instances. */
function shapeOfClass(path: SyntaxPath, from: ShapeSource): ValueShape {
  const body = childOf(path, 'body');
  const members = body === undefined ? [] : childrenOf(body, 'body');
  const fieldOf =
    (isStatic: boolean) =>
    (key: string): ValueShape | undefined => {
      const field = members.find(
        ({ node }) =>
          (node['static'] === true) === isStatic &&
          /Property$/.test(node.type) &&
          nameOf(node['key']) === key,
      );
      const value = field && childOf(field, 'value');
      return value && shapeOf(value, from);
    };
  const base = childOf(path, 'superClass');
  const builtIn = base && traceValue(base).find((name) => name in MUTATORS);
  const inherited =
    builtIn === undefined
      ? base && shapeOf(base, from).instance?.mutators
      : new Set(MUTATORS[builtIn]);
  const mutators = new Set(inherited);
  addWriters(members, fieldOf(false), mutators);
  return {
    ...shapeOfMembers(fieldOf(true)),
    instance: { mutators, member: fieldOf(false) },
  };
}

/** Names of methods that write to their instance, themselves or through another of its methods. */
function addWriters(
  members: readonly SyntaxPath[],
  fieldOf: ValueShape['member'],
  writers: Set<string>,
): void {
  for (let before = -1; before !== writers.size;) {
    before = writers.size;
    for (const member of members) {
      const name = nameOf(member.node['key'] ?? {});
      const isMethod = member.node['static'] !== true && member.node['kind'] !== 'constructor';
      if (name === undefined || !isMethod || writers.has(name)) continue;
      const writes: SyntaxPath[] = [];
      member.traverse({
        ThisExpression: (path) => {
          const write = writeAround(path, { mutators: writers, member: fieldOf });
          if (write !== undefined) writes.push(write);
        },
      });
      if (writes.length > 0) writers.add(name);
    }
  }
}

const WRITING_CALLS: ReadonlySet<string> = new Set([
  'Object.assign',
  'Object.defineProperties',
  'Object.defineProperty',
  'Object.setPrototypeOf',
  'Reflect.defineProperty',
  'Reflect.deleteProperty',
  'Reflect.set',
]);

/** The expression that changes a value, where `path` is the value in it. */
export function writeAround(path: SyntaxPath, shape: ValueShape): SyntaxPath | undefined {
  let at = path;
  let held: ValueShape | undefined = shape;
  for (let depth = 0; ; depth += 1) {
    const outer = wrapped(at);
    const parent = outer.parentPath;
    if (parent === null) return undefined;
    if (!isMember(parent) || outer.key !== 'object')
      return depth > 0 && isWritten(outer) ? parent : changingCall(outer, parent);
    const computed = parent.node['computed'] === true;
    const property = nameOf(parent.node['property']);
    const call = wrapped(parent);
    const isMethod = call.parentPath !== null && isCall(call.parentPath) && call.key === 'callee';
    if (isMethod && property !== undefined && !computed)
      return (held ?? UNKNOWN).mutators.has(property) ? parent : undefined;
    held = property === undefined || computed ? undefined : held?.member(property);
    at = parent;
  }
}

/** Whether an expression stands where a value is put. */
function isWritten({ key, listKey, parentPath }: SyntaxPath): boolean {
  if (parentPath === null) return false;
  const parent = parentPath.node;
  switch (parent.type) {
    case 'AssignmentExpression':
    case 'ForOfStatement':
    case 'ForInStatement':
    case 'AssignmentPattern':
      return key === 'left';
    case 'UpdateExpression':
    case 'RestElement':
      return true;
    case 'UnaryExpression':
      return parent['operator'] === 'delete';
    case 'ArrayPattern':
      return listKey === 'elements';
    case 'ObjectProperty':
      return key === 'value' && parentPath.parentPath?.node.type === 'ObjectPattern';
    default:
      return false;
  }
}

function changingCall(value: SyntaxPath, parent: SyntaxPath): SyntaxPath | undefined {
  if (!isCall(parent) || value.listKey !== 'arguments' || value.key !== 0) return undefined;
  const callee = childOf(parent, 'callee');
  return callee !== undefined && traceValue(callee).some((name) => WRITING_CALLS.has(name))
    ? parent
    : undefined;
}
