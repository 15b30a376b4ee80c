import { GLOBAL_NAMES, pathOfModule } from './ambient-names.js';
import {
  elementsOf,
  fieldParameterOf,
  givenTo,
  heldBy,
  localsOf,
  membersOf,
  patternOf,
  resultsOf,
  valuesOf,
} from './local-values.js';
import {
  nodeChildOf,
  childrenOf,
  isMember,
  keysOf,
  nameOf,
  unwrap,
  type SyntaxBinding,
  type SyntaxNode,
  type SyntaxPath,
} from './syntax-tree.js';
import { Trail } from './trail.js';

/**
 * Lists the outside values that an expression may be, as paths: `Date.now`, `node:fs.readFileSync`, `new Intl.DateTimeFormat`. Names are followed through
 * declarations, destructuring, assignments, conditions, `Reflect.get` and `globalThis`, and through objects, lists, getters, parameters and results of functions
 * as far as the text of the file has them. A value that is not known to come from outside has no path.
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
  if (isOutside(path)) return [GLOBAL_NAMES.has(name) ? 'globalThis' : name];
  const binding = path.scope.getBinding(name);
  if (binding !== undefined) return traceBinding(binding, trail.next);
  const parameter = fieldParameterOf(path, name);
  return parameter === undefined
    ? []
    : traceParameter(parameter, (node) => nameOf(node) === name, trail.next);
}

/** Whether a name stands for a global: the file does not declare it, or only as a type. */
export function isOutside(path: SyntaxPath): boolean {
  const name = nameOf(path.node) ?? '';
  const binding = path.scope.getBinding(name);
  return binding === undefined
    ? fieldParameterOf(path, name) === undefined
    : isDeclaredOnly(binding);
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
      const given = givenBy(nodeChildOf(write, 'right'), trail);
      return selectFrom(left, { given, trail }, (node) => nameOf(node) === name);
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
    const init = nodeChildOf(path, 'init');
    const given = init === undefined ? givenEach(path, trail) : givenBy(init, trail);
    return pattern === undefined
      ? []
      : selectFrom(pattern, { given, trail }, (node) => node === identifier);
  }
  if (type === 'ClassDeclaration') return traceClass(path, trail);
  // A parameter: `(clock) => …`, also with a default: `(clock = Date) => …`, `({ clock = Date }) => …`.
  if (path.listKey === 'params') return traceParameter(path, (node) => node === identifier, trail);
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

/** A value that a pattern destructures. */
export interface Given {
  /** The outside values that it may be. */
  readonly paths: readonly string[];
  /** Expressions that it may be: they may be objects or lists of the file. */
  readonly held: readonly SyntaxPath[];
}

const NOTHING: Given = { paths: [], held: [] };

function givenOf(held: readonly SyntaxPath[], trail: Trail): Given {
  return { paths: held.flatMap((one) => traceValue(one, trail.next)), held };
}

function givenBy(path: SyntaxPath | undefined, trail: Trail): Given {
  return path === undefined ? NOTHING : givenOf([path], trail);
}

/** What the variable of a `for (const x of …)` is given. */
function givenEach(declarator: SyntaxPath, trail: Trail): Given {
  const loop = declarator.parentPath?.parentPath;
  const list = loop?.node.type === 'ForOfStatement' ? nodeChildOf(loop, 'right') : undefined;
  return list === undefined ? NOTHING : givenOf(localsOf(list, trail).flatMap(elementsOf), trail);
}

/** The members with these keys. */
function membersGiven({ paths, held }: Given, keys: readonly string[], trail: Trail): Given {
  const locals = held.flatMap((one) => localsOf(one, trail.next));
  const members = givenOf(membersOf(locals, keys), trail);
  const outside = paths.flatMap((base) => keys.map((name) => memberPath(base, name)));
  return { paths: [...outside, ...members.paths], held: members.held };
}

/** The paths that one name of a pattern may receive from the value that the pattern destructures. */
function selectFrom(
  pattern: SyntaxPath,
  { given, trail }: { readonly given: Given; readonly trail: Trail },
  isWanted: (node: SyntaxNode) => boolean,
): readonly string[] {
  return takeApart(pattern, given, trail).flatMap(({ target, paths }) =>
    isWanted(target.node) ? paths : [],
  );
}

/** One target of a pattern, a name or a member, with the paths that it may receive. */
interface PatternPart {
  readonly target: SyntaxPath;
  /** The property or element that contains the target. */
  readonly place: SyntaxPath;
  readonly paths: readonly string[];
}

export function takeApart(
  pattern: SyntaxPath,
  given: Given,
  trail = new Trail(),
  place: SyntaxPath = pattern,
): readonly PatternPart[] {
  switch (pattern.node.type) {
    case 'AssignmentPattern': {
      const left = nodeChildOf(pattern, 'left');
      const fallback = givenBy(nodeChildOf(pattern, 'right'), trail);
      const either = {
        paths: [...given.paths, ...fallback.paths],
        held: [...given.held, ...fallback.held],
      };
      return left === undefined ? [] : takeApart(left, either, trail, place);
    }
    case 'ArrayPattern':
      return childrenOf(pattern, 'elements').flatMap((part) => {
        const element = membersGiven({ ...given, paths: [] }, [String(part.key)], trail);
        return takeApart(part, element, trail, part);
      });
    case 'ObjectPattern':
      return childrenOf(pattern, 'properties').flatMap((property) => {
        const key = nodeChildOf(property, 'key');
        const value = nodeChildOf(property, 'value');
        if (key === undefined || value === undefined) {
          // `...rest` may contain every member that the pattern does not name.
          const rest = nodeChildOf(property, 'argument');
          return rest === undefined ? [] : takeApart(rest, given, trail, property);
        }
        const keys = keysOf(key, property.node['computed'] === true);
        return takeApart(value, membersGiven(given, keys, trail), trail, property);
      });
    default:
      return [{ target: pattern, place, paths: given.paths }];
  }
}

function traceMember(path: SyntaxPath, trail: Trail): readonly string[] {
  const bases = traceChild(path, 'object', trail);
  const property = nodeChildOf(path, 'property');
  if (property === undefined) return [];
  const keys = keysOf(property, path.node['computed'] === true);
  if (bases.length === 0) return traceProperty(path, keys, trail);
  return bases.flatMap((base) => keys.map((key) => memberPath(base, key)));
}

/** Traces a member of an object, a list or a class of the file, or a field of the class around it. */
function traceProperty(path: SyntaxPath, keys: readonly string[], trail: Trail): readonly string[] {
  if (nodeChildOf(path, 'object')?.node.type === 'ThisExpression')
    return keys.flatMap((key) => traceField(path, key, trail.next));
  return givenOf(heldBy(path, trail.next), trail).paths;
}

/** Traces a name that a parameter declares, by its defaults and by the calls of its function. */
function traceParameter(
  parameter: SyntaxPath,
  isWanted: (node: SyntaxNode) => boolean,
  trail: Trail,
): readonly string[] {
  const given = givenOf(givenTo(parameter), trail);
  return selectFrom(patternOf(parameter), { given, trail }, isWanted);
}

/** Traces a getter, or the initial value of a field, which a parameter of the constructor may be: `constructor(private clock = Date)`. */
function traceField(path: SyntaxPath, key: string, trail: Trail): readonly string[] {
  let around: SyntaxPath | null = path;
  while (around !== null && around.node.type !== 'ClassBody') around = around.parentPath;
  const members = around === null ? [] : childrenOf(around, 'body');
  const parameters = members
    .flatMap((member) => childrenOf(member, 'params'))
    .filter(({ node }) => node.type === 'TSParameterProperty');
  const field = members.find(
    ({ node }) =>
      (/Property$/.test(node.type) || node['kind'] === 'get') && nameOf(node['key'] ?? {}) === key,
  );
  return [
    ...(field === undefined ? [] : givenOf(valuesOf(field), trail).paths),
    ...parameters.flatMap((parameter) =>
      traceParameter(parameter, (node) => nameOf(node) === key, trail),
    ),
  ];
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
    return membersGiven(givenBy(first, trail), keysOf(second, true), trail).paths;
  }
  // A bound function counts as the function itself.
  const bound = unwrap(callee);
  if (isMember(bound) && nameOf(bound.node['property']) === 'bind')
    return traceChild(bound, 'object', trail);
  if (called.includes('Intl.DateTimeFormat')) return ['new Intl.DateTimeFormat'];
  return givenOf(resultsOf(path, trail.next), trail).paths;
}

function moduleOf(specifier: SyntaxPath | undefined): readonly string[] {
  const text = specifier?.evaluate().value;
  const found = typeof text === 'string' ? pathOfModule(text) : undefined;
  return found === undefined ? [] : [found];
}
