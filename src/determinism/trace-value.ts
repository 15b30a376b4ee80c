import { GLOBAL_NAMES, pathOfModule } from './ambient-names.js';
import {
  nodeChildOf,
  childrenOf,
  isCall,
  isMember,
  keysOf,
  nameOf,
  unwrap,
  type SyntaxBinding,
  type SyntaxNode,
  type SyntaxPath,
} from './syntax-tree.js';

/** Limits how far names are followed: nobody hides a value so deep by accident, and names can refer to each other without end. */
class Trail {
  readonly #depth: number;
  readonly #budget: { left: number };

  constructor(depth = 30, budget = { left: 300 }) {
    this.#depth = depth;
    this.#budget = budget;
  }

  /** The trail after one more step. */
  get next(): Trail {
    this.#budget.left -= 1;
    return new Trail(this.#depth - 1, this.#budget);
  }

  get isOver(): boolean {
    return this.#depth <= 0 || this.#budget.left <= 0;
  }
}

/**
 * Lists the outside values that an expression may be, as paths: `Date.now`, `node:fs.readFileSync`, `new Intl.DateTimeFormat`. Names are followed through
 * declarations, destructuring, assignments, conditions, `Reflect.get` and `globalThis`. A value that is not known to come from outside has no path.
 */
export function traceValue(path: SyntaxPath, trail = new Trail()): readonly string[] {
  if (trail.isOver) return [];
  const value = unwrap(path);
  const trace = (key: string): readonly string[] => traceChild(value, key, trail);
  switch (value.node.type) {
    case 'Identifier':
      return traceName(value, trail);
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return traceMember(value, trail);
    case 'CallExpression':
    case 'OptionalCallExpression':
      return traceCall(value, trail);
    case 'NewExpression':
      return trace('callee').map((made) => `new ${made}`);
    case 'ConditionalExpression':
      return [...trace('consequent'), ...trace('alternate')];
    case 'LogicalExpression':
      return [...trace('left'), ...trace('right')];
    case 'AssignmentExpression':
      return trace('right');
    case 'AwaitExpression':
      return trace('argument');
    case 'ClassExpression':
      return traceClass(value, trail);
    case 'SequenceExpression': {
      const last = childrenOf(value, 'expressions').at(-1);
      return last === undefined ? [] : traceValue(last, trail.next);
    }
    default:
      return [];
  }
}

/** Adds a member to a path. Members of the global object become globals. */
export function memberPath(base: string, key: string): string {
  if (base !== 'globalThis') return key === 'default' ? base : `${base}.${key}`;
  if (GLOBAL_NAMES.has(key)) return base;
  return key === '?' ? `${base}.?` : key;
}

function traceChild(path: SyntaxPath, key: string, trail: Trail): readonly string[] {
  const child = nodeChildOf(path, key);
  return child === undefined ? [] : traceValue(child, trail.next);
}

function traceName(path: SyntaxPath, trail: Trail): readonly string[] {
  const name = nameOf(path.node) ?? '';
  const binding = path.scope.getBinding(name);
  if (binding === undefined || isDeclaredOnly(binding))
    return [GLOBAL_NAMES.has(name) ? 'globalThis' : name];
  return traceBinding(binding, trail.next);
}

/** Whether a name is only declared as a type: `declare const Date: …` makes no value. */
export function isDeclaredOnly({ path }: SyntaxBinding): boolean {
  return path.node['declare'] === true || path.parentPath?.node['declare'] === true;
}

function traceBinding(binding: SyntaxBinding, trail: Trail): readonly string[] {
  const { path, identifier, constantViolations } = binding;
  return [
    ...traceDeclaration(path, identifier, trail),
    ...constantViolations.flatMap((write) => {
      const left = nodeChildOf(write, 'left');
      if (write.node.type !== 'AssignmentExpression' || left === undefined) return [];
      const name = nameOf(identifier) ?? '';
      const values = traceChild(write, 'right', trail);
      return selectFrom(left, { values, trail }, (node) => nameOf(node) === name);
    }),
  ];
}

function traceDeclaration(
  path: SyntaxPath,
  identifier: SyntaxNode,
  trail: Trail,
): readonly string[] {
  const { type } = path.node;
  if (type === 'VariableDeclarator') {
    const pattern = nodeChildOf(path, 'id');
    const init = traceChild(path, 'init', trail);
    return pattern === undefined
      ? []
      : selectFrom(pattern, { values: init, trail }, (node) => node === identifier);
  }
  if (type === 'ClassDeclaration') return traceClass(path, trail);
  // A parameter with a default: `(clock = Date) => …`, `({ clock = Date }) => …`.
  if (type === 'AssignmentPattern' || type === 'ObjectPattern')
    return selectFrom(path, { values: [], trail }, (node) => node === identifier);
  if (type === 'TSImportEqualsDeclaration') {
    const module = nodeChildOf(path, 'moduleReference');
    return module === undefined ? [] : moduleOf(nodeChildOf(module, 'expression'));
  }
  const source = (path.parentPath?.node['source'] as SyntaxNode | undefined)?.['value'];
  const base = typeof source === 'string' ? pathOfModule(source) : undefined;
  if (base === undefined) return [];
  if (type !== 'ImportSpecifier') return [base];
  return [memberPath(base, nameOf(path.node['imported']) ?? '?')];
}

/** A class that extends Date counts as Date. */
function traceClass(path: SyntaxPath, trail: Trail): readonly string[] {
  return traceChild(path, 'superClass', trail).filter((base) => base === 'Date');
}

/** The paths that one name of a pattern may receive from the values that the pattern destructures. */
function selectFrom(
  pattern: SyntaxPath,
  { values, trail }: { readonly values: readonly string[]; readonly trail: Trail },
  isWanted: (node: SyntaxNode) => boolean,
): readonly string[] {
  return takeApart(pattern, values, trail).flatMap(({ target, paths }) =>
    isWanted(target.node) ? paths : [],
  );
}

/** One target of a pattern, a name or a member, with the paths that it may receive. */
export interface PatternPart {
  readonly target: SyntaxPath;
  /** The property or element that contains the target. */
  readonly place: SyntaxPath;
  readonly paths: readonly string[];
}

export function takeApart(
  pattern: SyntaxPath,
  values: readonly string[],
  trail = new Trail(),
  place: SyntaxPath = pattern,
): readonly PatternPart[] {
  const { type } = pattern.node;
  if (type === 'AssignmentPattern') {
    const left = nodeChildOf(pattern, 'left');
    const fallback = traceChild(pattern, 'right', trail);
    return left === undefined ? [] : takeApart(left, [...values, ...fallback], trail, place);
  }
  if (type !== 'ObjectPattern') {
    const parts = type === 'ArrayPattern' ? childrenOf(pattern, 'elements') : [];
    if (type === 'ArrayPattern') return parts.flatMap((part) => takeApart(part, [], trail, part));
    return [{ target: pattern, place, paths: values }];
  }
  return childrenOf(pattern, 'properties').flatMap((property) => {
    const key = nodeChildOf(property, 'key');
    const value = nodeChildOf(property, 'value');
    if (key === undefined || value === undefined) {
      // `...rest` may contain every member that the pattern does not name.
      const rest = nodeChildOf(property, 'argument');
      return rest === undefined ? [] : takeApart(rest, values, trail, property);
    }
    const keys = keysOf(key, property.node['computed'] === true);
    const paths = values.flatMap((base) => keys.map((name) => memberPath(base, name)));
    return takeApart(value, paths, trail, property);
  });
}

function traceMember(path: SyntaxPath, trail: Trail): readonly string[] {
  const bases = traceChild(path, 'object', trail);
  const property = nodeChildOf(path, 'property');
  if (property === undefined) return [];
  const keys = keysOf(property, path.node['computed'] === true);
  if (bases.length === 0) return traceProperty(path, keys, trail);
  return bases.flatMap((base) => keys.map((key) => memberPath(base, key)));
}

/** Traces a member of an object literal of the file, or a field of the class around it. */
function traceProperty(path: SyntaxPath, keys: readonly string[], trail: Trail): readonly string[] {
  const object = nodeChildOf(path, 'object');
  if (object?.node.type === 'ThisExpression')
    return keys.flatMap((key) => traceField(path, key, trail.next));
  const named = object && path.scope.getBinding(nameOf(unwrap(object).node) ?? '');
  const init = named && nodeChildOf(named.path, 'init');
  const literal = init && unwrap(init);
  if (literal?.node.type !== 'ObjectExpression') return [];
  return keys.flatMap((key) => {
    const held = propertyOf(literal, key);
    return held === undefined ? [] : traceValue(held, trail.next);
  });
}

/** Traces the initial value of a field, which a parameter of the constructor may be: `constructor(private clock = Date)`. */
function traceField(path: SyntaxPath, key: string, trail: Trail): readonly string[] {
  let around: SyntaxPath | null = path;
  while (around !== null && around.node.type !== 'ClassBody') around = around.parentPath;
  const members = around === null ? [] : childrenOf(around, 'body');
  const parameters = members.flatMap((member) =>
    childrenOf(member, 'params').flatMap((given) => nodeChildOf(given, 'parameter') ?? []),
  );
  const field = members.find(
    ({ node }) => /Property$/.test(node.type) && nameOf(node['key'] ?? {}) === key,
  );
  return [
    ...(field === undefined ? [] : traceChild(field, 'value', trail)),
    ...parameters.flatMap((given) =>
      selectFrom(given, { values: [], trail }, (node) => nameOf(node) === key),
    ),
  ];
}

/** The value of a property in an object literal; undefined for a method, and if there is none. */
export function propertyOf(object: SyntaxPath, key: string): SyntaxPath | undefined {
  const property = childrenOf(object, 'properties').find(
    ({ node }) => node['computed'] !== true && nameOf(node['key'] ?? {}) === key,
  );
  return property && nodeChildOf(property, 'value');
}

function traceCall(path: SyntaxPath, trail: Trail): readonly string[] {
  const callee = nodeChildOf(path, 'callee');
  const [first, second] = childrenOf(path, 'arguments');
  if (callee === undefined) return [];
  if (callee.node.type === 'Import') return moduleOf(first);
  const called = traceValue(callee, trail.next);
  if (called.includes('require') || called.includes('process.getBuiltinModule'))
    return moduleOf(first);
  const readsMember = called.some(
    (name) => name === 'Reflect.get' || name === 'Object.getOwnPropertyDescriptor',
  );
  if (readsMember && first !== undefined && second !== undefined) {
    const keys = keysOf(second, true);
    return traceValue(first, trail.next).flatMap((base) =>
      keys.map((key) => memberPath(base, key)),
    );
  }
  // A bound function counts as the function itself.
  const bound = unwrap(callee);
  if (isMember(bound) && nameOf(bound.node['property']) === 'bind')
    return traceChild(bound, 'object', trail);
  return called.includes('Intl.DateTimeFormat') ? ['new Intl.DateTimeFormat'] : [];
}

function moduleOf(specifier: SyntaxPath | undefined): readonly string[] {
  const text = specifier?.evaluate().value;
  const found = typeof text === 'string' ? pathOfModule(text) : undefined;
  return found === undefined ? [] : [found];
}

/** Whether the called or constructed value may be at one of these paths. */
export function calls(path: SyntaxPath, ...names: readonly string[]): boolean {
  const callee = nodeChildOf(path, 'callee');
  if (callee === undefined || !(isCall(path) || path.node.type === 'NewExpression')) return false;
  return traceValue(callee).some((called) => names.includes(called));
}
