import { UNKNOWN, type ValueShape } from './mutators.js';
import { nodeChildOf, isCall, isMember, nameOf, wrapped, type SyntaxPath } from './syntax-tree.js';
import { traceValue } from './trace-value.js';

const WRITING_CALLS: ReadonlySet<string> = new Set([
  'Object.assign',
  'Object.defineProperties',
  'Object.defineProperty',
  'Object.setPrototypeOf',
  'Reflect.defineProperty',
  'Reflect.deleteProperty',
  'Reflect.set',
]);

/** The expression that changes the value at `path`; undefined if none does. */
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

/** Whether an expression is the target of a write. */
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
  const callee = nodeChildOf(parent, 'callee');
  return callee !== undefined && traceValue(callee).some((name) => WRITING_CALLS.has(name))
    ? parent
    : undefined;
}
