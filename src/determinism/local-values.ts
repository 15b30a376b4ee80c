import { bindingOf } from './module-life.js';
import {
  childrenOf,
  isCall,
  isFunction,
  isMember,
  keysOf,
  nameOf,
  nodeChildOf,
  unwrap,
  wrapped,
  type SyntaxNode,
  type SyntaxPath,
} from './syntax-tree.js';
import type { Trail } from './trail.js';

/** The objects, lists, classes and functions of the file itself that an expression may be. */
export function localsOf(path: SyntaxPath, trail: Trail): readonly SyntaxPath[] {
  if (trail.isOver) return [];
  const value = unwrap(path);
  const follow = (found: readonly (SyntaxPath | undefined)[]): readonly SyntaxPath[] =>
    found.flatMap((one) => (one === undefined ? [] : localsOf(one, trail.next)));
  const { type } = value.node;
  if (/^(Object|Array|Class)Expression$|^ClassDeclaration$/.test(type) || isFunction(value))
    return [value];
  if (type === 'ConditionalExpression')
    return follow(['consequent', 'alternate'].map((side) => nodeChildOf(value, side)));
  if (isMember(value)) return follow(heldBy(value, trail.next));
  if (isCall(value)) return follow(resultsOf(value, trail.next));
  const declared = value.scope.getBinding(nameOf(value.node) ?? '')?.path;
  if (type !== 'Identifier' || declared === undefined) return [];
  if (declared.node.type !== 'VariableDeclarator')
    return /^(Class|Function)Declaration$/.test(declared.node.type) ? [declared] : [];
  const isWhole = nodeChildOf(declared, 'id')?.node.type === 'Identifier';
  return isWhole ? follow([nodeChildOf(declared, 'init')]) : [];
}

/** The expressions that a member of a local value may be. */
export function heldBy(member: SyntaxPath, trail: Trail): readonly SyntaxPath[] {
  const [object, property] = [nodeChildOf(member, 'object'), nodeChildOf(member, 'property')];
  if (object === undefined || property === undefined) return [];
  const keys = keysOf(property, member.node['computed'] === true);
  return membersOf(localsOf(object, trail), keys);
}

/** The expressions behind keys of local values: of an object or a list by its text, of a class its static members. */
export function membersOf(
  locals: readonly SyntaxPath[],
  keys: readonly string[],
): readonly SyntaxPath[] {
  return locals.flatMap((local) => {
    if (local.node.type === 'ArrayExpression')
      return elementsOf(local).filter(({ key }) => keys.includes(String(key)));
    const body = nodeChildOf(local, 'body');
    const members =
      local.node.type === 'ObjectExpression'
        ? childrenOf(local, 'properties')
        : body?.node.type === 'ClassBody'
          ? childrenOf(body, 'body').filter(({ node }) => node['static'] === true)
          : [];
    return members.flatMap((one) => (isNamed(one, keys) ? valuesOf(one) : []));
  });
}

function isNamed({ node }: SyntaxPath, keys: readonly string[]): boolean {
  return node['computed'] !== true && keys.includes(nameOf(node['key'] ?? {}) ?? '');
}

/** The expressions that a property, a field or a method may be; for a getter, its results. */
export function valuesOf(member: SyntaxPath): readonly SyntaxPath[] {
  if (member.node['kind'] === 'get') return returnsOf(member);
  if (isFunction(member)) return [member];
  const value = nodeChildOf(member, 'value');
  return value === undefined ? [] : [value];
}

/** Elements of a list by its text. The `key` of each is its place. */
export function elementsOf(list: SyntaxPath): readonly SyntaxPath[] {
  return list.node.type === 'ArrayExpression' ? childrenOf(list, 'elements') : [];
}

/** The expressions that a call of a function of the file may return. */
export function resultsOf(call: SyntaxPath, trail: Trail): readonly SyntaxPath[] {
  const callee = nodeChildOf(call, 'callee');
  return callee === undefined ? [] : localsOf(callee, trail).filter(isFunction).flatMap(returnsOf);
}

const RETURNS = new WeakMap<SyntaxNode, readonly SyntaxPath[]>();

/** Kept per function, because each of its calls asks. */
function returnsOf(made: SyntaxPath): readonly SyntaxPath[] {
  const known = RETURNS.get(made.node);
  if (known !== undefined) return known;
  const body = nodeChildOf(made, 'body');
  const found: SyntaxPath[] = [];
  if (made.node['async'] !== true && made.node['generator'] !== true && body !== undefined) {
    if (body.node.type !== 'BlockStatement') found.push(body);
    body.traverse({
      Function: (path) => {
        path.skip();
      },
      ReturnStatement: (path) => {
        const returned = nodeChildOf(path, 'argument');
        if (returned !== undefined) found.push(returned);
      },
    });
  }
  RETURNS.set(made.node, found);
  return found;
}

/** The expressions that calls by name give to a parameter of a function or of a constructor of the file. */
export function givenTo(parameter: SyntaxPath): readonly SyntaxPath[] {
  const made = parameter.parentPath;
  if (made === null || parameter.listKey !== 'params') return [];
  const isConstructor = made.node['kind'] === 'constructor';
  const named = isConstructor ? made.parentPath?.parentPath : made;
  const references = named ? (bindingOf(named)?.referencePaths ?? []) : [];
  return references.flatMap((reference) => {
    const outer = wrapped(reference);
    const call = outer.parentPath;
    if (call === null || outer.key !== 'callee') return [];
    if (isConstructor ? call.node.type !== 'NewExpression' : !isCall(call)) return [];
    return childrenOf(call, 'arguments')[Number(parameter.key)] ?? [];
  });
}

/** The pattern of a parameter, without the modifiers of `constructor(private clock)`. */
export function patternOf(parameter: SyntaxPath): SyntaxPath {
  return nodeChildOf(parameter, 'parameter') ?? parameter;
}

/** The parameter `private NAME` of the constructor around a name, which declares a field too: the scopes do not contain it. */
export function fieldParameterOf(path: SyntaxPath, name: string): SyntaxPath | undefined {
  for (let at = path.parentPath; at !== null; at = at.parentPath) {
    if (at.node['kind'] !== 'constructor') continue;
    const found = childrenOf(at, 'params').find((parameter) => {
      const pattern = patternOf(parameter);
      const declared = nodeChildOf(pattern, 'left') ?? pattern;
      return parameter !== pattern && nameOf(declared.node) === name;
    });
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The value of a property in an object literal; undefined for a method, and if there is none. */
export function propertyOf(object: SyntaxPath, key: string): SyntaxPath | undefined {
  const property = childrenOf(object, 'properties').find(
    ({ node }) => node['computed'] !== true && nameOf(node['key'] ?? {}) === key,
  );
  return property && nodeChildOf(property, 'value');
}
