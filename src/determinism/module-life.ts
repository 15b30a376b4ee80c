import {
  nodeChildOf,
  isCall,
  isFunction,
  isMember,
  nameOf,
  unwrap,
  wrapped,
  type SyntaxBinding,
  type SyntaxPath,
  type SyntaxScope,
} from './syntax-tree.js';

/** Methods that call their function argument before they return. */
const CALL_AT_ONCE: ReadonlySet<string> = new Set([
  'every',
  'filter',
  'find',
  'findIndex',
  'findLast',
  'findLastIndex',
  'flatMap',
  'forEach',
  'from',
  'map',
  'reduce',
  'reduceRight',
  'replace',
  'replaceAll',
  'some',
  'sort',
  'toSorted',
]);

/** Whether a call of the function runs its whole body at once: it is neither async nor a generator. */
function runsAtOnce({ node }: SyntaxPath): boolean {
  return node['generator'] !== true && node['async'] !== true;
}

/** Whether a function is called at the place of its definition: `(() => …)()`. */
function isCalledInPlace(path: SyntaxPath): boolean {
  const outer = wrapped(path);
  return outer.parentPath !== null && isCall(outer.parentPath) && outer.key === 'callee';
}

/** Whether a function has ended when the expression around it ends: it is called in place, or for each element of a list. */
function isInline(path: SyntaxPath): boolean {
  if (!runsAtOnce(path)) return false;
  if (isCalledInPlace(path)) return true;
  const outer = wrapped(path);
  const call = outer.parentPath;
  return call !== null && isCall(call) && isGivenToList(outer, call);
}

/** Whether the argument is a function that the call runs for each element of a list. */
function isGivenToList(argument: SyntaxPath, call: SyntaxPath): boolean {
  const callee = nodeChildOf(call, 'callee');
  if (callee === undefined || argument.listKey !== 'arguments') return false;
  const method = unwrap(callee);
  return isMember(method) && CALL_AT_ONCE.has(nameOf(method.node['property']) ?? '');
}

/**
 * The function during which code runs: the nearest function around it that is not called in place. Undefined for code that runs when the module is loaded.
 * The initial value of a class field runs with each instance, as the constructor does.
 */
export function functionAround(path: SyntaxPath): SyntaxPath | undefined {
  let at = path;
  for (let parent = at.parentPath; parent !== null; parent = at.parentPath) {
    const { type } = parent.node;
    if (isFunction(parent) && !isInline(parent) && at.key !== 'decorators') return parent;
    const isField = type === 'ClassProperty' || type === 'ClassPrivateProperty';
    if (isField && at.key === 'value' && parent.node['static'] !== true) return parent;
    at = parent;
  }
  return undefined;
}

/** The binding of the name that a function is called by, or a class constructed by; undefined if it has no name. */
export function bindingOf(path: SyntaxPath): SyntaxBinding | undefined {
  const declarator = wrapped(path).parentPath;
  const named =
    declarator?.node.type === 'VariableDeclarator'
      ? declarator.node['id']
      : /^(Function|Class)Declaration$/.test(path.node.type)
        ? path.node['id']
        : undefined;
  const name = named === undefined || named === null ? undefined : nameOf(named);
  // A declaration's name belongs to the scope around it.
  return name === undefined ? undefined : path.parentPath?.scope.getBinding(name);
}

/** Whether a function is called where its name stands: `f()`, or `list.forEach(f)`. */
export function isCalledBy(reference: SyntaxPath): boolean {
  const outer = wrapped(reference);
  const call = outer.parentPath;
  if (call === null || !isCall(call)) return false;
  return outer.key === 'callee' || isGivenToList(outer, call);
}

/** The function that contains a scope; undefined for the module itself. */
export function ownerOf({ path }: SyntaxScope): SyntaxPath | undefined {
  return isFunction(path) && !isInline(path) ? path : functionAround(path);
}

/**
 * Whether code may run after `owner` has ended: in a function that it hands out, or in one that the module exports. `owner` is a function around the code;
 * undefined stands for the module.
 */
export function outlives(
  path: SyntaxPath,
  owner: SyntaxPath | undefined,
  seen = new Set<SyntaxPath>(),
): boolean {
  const around = functionAround(path);
  if (around === undefined || around === owner || seen.has(around)) return false;
  seen.add(around);
  const binding = bindingOf(around);
  return (
    binding === undefined ||
    binding.referencePaths.some(
      (reference) => !isCalledBy(reference) || outlives(reference, owner, seen),
    )
  );
}

/** The place where a function is called while its module is loaded; undefined if there is none. */
export function callAtLoad(path: SyntaxPath, seen = new Set<SyntaxPath>()): SyntaxPath | undefined {
  seen.add(path);
  const calls = isCalledInPlace(path)
    ? [path]
    : (bindingOf(path)?.referencePaths.filter(isCalledBy) ?? []);
  for (const call of calls) {
    const around = functionAround(call);
    if (around === undefined) return call;
    const found = seen.has(around) ? undefined : callAtLoad(around, seen);
    if (found !== undefined) return found;
  }
  return undefined;
}
