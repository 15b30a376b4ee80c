import { propertyOf } from './local-values.js';
import {
  INDICATORS,
  LIST,
  MUTATORS,
  shapeOfMembers,
  shapeWith,
  STATEFUL,
  UNKNOWN,
  type ShapeSource,
  type ValueShape,
} from './mutators.js';
import {
  nodeChildOf,
  childrenOf,
  isCall,
  isMember,
  nameOf,
  unwrap,
  type SyntaxNode,
  type SyntaxPath,
} from './syntax-tree.js';
import { isDeclaredOnly, traceValue } from './trace-value.js';
import { writeAround } from './write-around.js';

/** The shape of an expression's value. */
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
      return shapeOfObject(value, from);
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

/** The shape of an object literal: its properties, and its own methods that write to it. */
function shapeOfObject(object: SyntaxPath, from: ShapeSource): ValueShape {
  const properties = childrenOf(object, 'properties');
  const member = (key: string): ValueShape | undefined => {
    const held = propertyOf(object, key);
    return held && shapeOf(held, from);
  };
  const mutators = new Set(UNKNOWN.mutators);
  addWriters(properties, member, mutators);
  return { mutators, member };
}

function shapeOfName(path: SyntaxPath, from: ShapeSource): ValueShape {
  const binding = path.scope.getBinding(nameOf(path.node) ?? '');
  return binding === undefined || isDeclaredOnly(binding)
    ? UNKNOWN
    : shapeOfDeclaration(binding.path, from);
}

/** The shape of a declared name's first value. */
export function shapeOfDeclaration(path: SyntaxPath, from: ShapeSource): ValueShape {
  const { type } = path.node;
  if (/^Class/.test(type)) return shapeOfClass(path, from);
  if (type === 'FunctionDeclaration') return { ...UNKNOWN, code: path };
  if (type === 'VariableDeclarator') {
    const init = nodeChildOf(path, 'init');
    const isWhole = nodeChildOf(path, 'id')?.node.type === 'Identifier';
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
  const callee = nodeChildOf(path, 'callee');
  if (callee === undefined) return UNKNOWN;
  const known = traceValue(callee).find((name) => name in MUTATORS);
  if (known !== undefined) return shapeWith(MUTATORS[known] ?? []);
  return shapeOf(callee, from).instance ?? UNKNOWN;
}

function shapeOfCall(path: SyntaxPath, from: ShapeSource): ValueShape {
  const callee = nodeChildOf(path, 'callee');
  const [first] = childrenOf(path, 'arguments');
  if (callee === undefined) return UNKNOWN;
  const called = traceValue(callee);
  if (called.some((name) => INDICATORS.has(name))) return STATEFUL;
  // A frozen object cannot be written to, but a map inside it can.
  if (called.includes('Object.freeze') && first !== undefined) return shapeOf(first, from);
  const makesList = called.some((name) => /^Array(\.from|\.of)?$/.test(name));
  const method = unwrap(callee);
  const name = isMember(method) ? (nameOf(method.node['property']) ?? '') : '';
  if (makesList || /^(concat|filter|flat|flatMap|map|slice|split|to(Sorted|Reversed))$/.test(name))
    return shapeWith(LIST);
  return UNKNOWN;
}

/** The shape of a class: its static members, and the methods that change its instances. */
function shapeOfClass(path: SyntaxPath, from: ShapeSource): ValueShape {
  const body = nodeChildOf(path, 'body');
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
      const value = field && nodeChildOf(field, 'value');
      return value && shapeOf(value, from);
    };
  const base = nodeChildOf(path, 'superClass');
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

/** Adds the names of methods that write to their instance, directly or through another of its methods. */
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
