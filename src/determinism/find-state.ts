import type { FileFinding } from './find-ambient.js';
import { callAtLoad, functionAround, isCalledBy, outlives, ownerOf } from './module-life.js';
import {
  nodeChildOf,
  childrenOf,
  isMember,
  nameOf,
  sourcePlaceOf,
  wrapped,
  type SyntaxBinding,
  type SyntaxPath,
} from './syntax-tree.js';
import { isDeclaredOnly, isOutside, traceValue } from './trace-value.js';
import { shapeWith, type ShapeSource, type ValueShape } from './mutators.js';
import { shapeOf, shapeOfDeclaration } from './value-shape.js';
import { writeAround } from './write-around.js';

/** Finds the state that a file keeps from one run to the next: values that live as long as the module and change after it was loaded. */
export function findState(program: SyntaxPath, from: ShapeSource): readonly FileFinding[] {
  const found: FileFinding[] = [];
  const report = (path: SyntaxPath, what: string): void => {
    found.push({ ...sourcePlaceOf(path.node), code: 'E_PLUGIN_STATE', what });
  };
  for (const binding of bindingsOf(program)) {
    const state = stateOf(binding, from);
    if (state !== undefined) found.push({ code: 'E_PLUGIN_STATE', ...state });
  }
  program.traverse({
    ThisExpression: (path) => {
      reportStatic(path, report);
    },
    ReferencedIdentifier: (path) => {
      reportGlobal(path, report);
    },
  });
  return found;
}

function bindingsOf(code: SyntaxPath): readonly SyntaxBinding[] {
  const scopes = new Set([code.scope]);
  code.traverse({
    Scopable: ({ scope }) => {
      scopes.add(scope);
    },
  });
  return [...scopes].flatMap(({ bindings }) => Object.values(bindings));
}

function stateOf(binding: SyntaxBinding, from: ShapeSource): Omit<FileFinding, 'code'> | undefined {
  const owner = ownerOf(binding.scope);
  const call = owner && callAtLoad(owner);
  if ((owner !== undefined && call === undefined) || isDeclaredOnly(binding)) return undefined;
  const shape = shapeOfDeclaration(binding.path, from);
  const kept = keptBy(binding, shape) ?? keptByMade(binding, shape, from);
  if (kept !== undefined) return kept;
  const write = writesOf(binding, shape, from).find((path) => outlives(path, owner));
  if (write === undefined) return undefined;
  const name = nameOf(binding.identifier) ?? '';
  const made =
    call === undefined || functionAround(binding.path) === undefined
      ? ''
      : `, made in line ${lineOf(call)}`;
  const written = `, written in line ${lineOf(write)}`;
  if (binding.kind !== 'module')
    return { ...sourcePlaceOf(binding.identifier), what: `${name}${made}${written}` };
  return { ...sourcePlaceOf(write.node), what: `${name} of another file` };
}

/** Finds a variable that an imported function keeps for its result, if the module calls that function at load: all runs then share it. */
function keptByMade(
  binding: SyntaxBinding,
  { code }: ValueShape,
  from: ShapeSource,
): Omit<FileFinding, 'code'> | undefined {
  if (code === undefined || binding.kind !== 'module') return undefined;
  const call = binding.referencePaths.find(
    (path) => isCalledBy(path) && functionAround(path) === undefined,
  );
  if (call === undefined) return undefined;
  const kept = bindingsOf(code).find(
    (inner) =>
      ownerOf(inner.scope) === code &&
      writesOf(inner, shapeOfDeclaration(inner.path, from), from).some((path) =>
        outlives(path, code),
      ),
  );
  if (kept === undefined) return undefined;
  const what = `${nameOf(binding.identifier) ?? ''}() keeps ${nameOf(kept.identifier) ?? ''}`;
  return { ...sourcePlaceOf(call.node), what };
}

function lineOf({ node }: SyntaxPath): string {
  return String(sourcePlaceOf(node).line);
}

/** Finds an indicator that all instances would share. */
function keptBy(binding: SyntaxBinding, shape: ValueShape): Omit<FileFinding, 'code'> | undefined {
  if (shape.isStateful !== true) return undefined;
  const use = binding.referencePaths.find((path) => outlives(path, ownerOf(binding.scope)));
  if (use === undefined) return undefined;
  const what = `the indicator ${nameOf(binding.identifier) ?? ''}, used in line ${lineOf(use)}`;
  return { ...sourcePlaceOf(binding.identifier), what };
}

/** Finds the places where a name is reassigned or its value is changed, also through other names. */
function writesOf(
  binding: SyntaxBinding,
  shape: ValueShape,
  from: ShapeSource,
  seen = new Set<SyntaxBinding>(),
): readonly SyntaxPath[] {
  if (seen.has(binding)) return [];
  seen.add(binding);
  return [
    ...binding.constantViolations,
    ...binding.referencePaths.flatMap((path) => writesThrough(path, shape, from, seen)),
  ];
}

function writesThrough(
  path: SyntaxPath,
  shape: ValueShape,
  from: ShapeSource,
  seen: Set<SyntaxBinding>,
): readonly SyntaxPath[] {
  const write = writeAround(path, shape);
  if (write !== undefined) return [write];
  const given = writeByFunction(path, shape, from, seen);
  if (given !== undefined) return [given];
  let held: ValueShape | undefined = shape;
  let outer = wrapped(path);
  // A member under another name is still a part of the same value.
  while (outer.parentPath !== null && isMember(outer.parentPath) && outer.key === 'object') {
    held = held?.member(nameOf(outer.parentPath.node['property']) ?? '');
    outer = wrapped(outer.parentPath);
  }
  const parent = outer.parentPath;
  const name = parent === null ? undefined : nameOf(parent.node['id'] ?? parent.node['key'] ?? {});
  if (parent === null || name === undefined) return [];
  const alias = held ?? shapeWith([]);
  if (parent.node.type === 'VariableDeclarator' && outer.key === 'init') {
    const other = parent.scope.getBinding(name);
    return other === undefined ? [] : writesOf(other, alias, from, seen).filter(isNotAnew(other));
  }
  if (/^Class(Private)?Property$/.test(parent.node.type) && outer.key === 'value')
    return writesToField(parent, name, alias);
  return [];
}

/** The call that passes a value to a function which changes it; undefined if there is none. */
function writeByFunction(
  path: SyntaxPath,
  shape: ValueShape,
  from: ShapeSource,
  seen: Set<SyntaxBinding>,
): SyntaxPath | undefined {
  const outer = wrapped(path);
  const call = outer.parentPath;
  const callee =
    call !== null && outer.listKey === 'arguments' ? nodeChildOf(call, 'callee') : undefined;
  const { code } = callee === undefined ? {} : shapeOf(callee, from);
  const parameter = code && childrenOf(code, 'params')[Number(outer.key)];
  const binding = code && parameter && code.scope.getBinding(nameOf(parameter.node) ?? '');
  if (call === null || binding === undefined) return undefined;
  return writesOf(binding, shape, from, seen).some(isNotAnew(binding)) ? call : undefined;
}

/** Excludes reassignments: a new value for a local name does not change the old value. */
function isNotAnew({ constantViolations }: SyntaxBinding): (path: SyntaxPath) => boolean {
  return (path) => !constantViolations.includes(path);
}

/** Finds changes of the value of a class field, within that class. */
function writesToField(field: SyntaxPath, name: string, shape: ValueShape): readonly SyntaxPath[] {
  const writes: SyntaxPath[] = [];
  field.parentPath?.traverse({
    ThisExpression: (path) => {
      const member = path.parentPath;
      if (member === null || !isMember(member) || nameOf(member.node['property']) !== name) return;
      const write = writeAround(member, shape);
      if (write !== undefined) writes.push(write);
    },
  });
  return writes;
}

/** Reports `this.count += 1` in a static method, and `this.constructor.count += 1` in any method. */
function reportStatic(path: SyntaxPath, report: (path: SyntaxPath, what: string) => void): void {
  const method = methodAround(path);
  const member = path.parentPath;
  const isClass = member !== null && nameOf(member.node['property'] ?? {}) === 'constructor';
  const value = isClass && isMember(member) ? member : path;
  if (method?.node['static'] !== true && value === path) return;
  if (method?.node.type === 'StaticBlock') return;
  const write = writeAround(value, shapeWith(['push', 'set', 'add', 'delete', 'clear']));
  if (write !== undefined) report(write, 'a static member');
}

function methodAround(path: SyntaxPath): SyntaxPath | undefined {
  for (let at = path.parentPath; at !== null; at = at.parentPath)
    if (/^Class(Private)?(Method|Property)$|^StaticBlock$/.test(at.node.type)) return at;
  return undefined;
}

/** CommonJS names that a module writes while it is loaded. */
const EXPORTS: ReadonlySet<string> = new Set(['exports', 'module']);

/** Reports changes of the global object and of globals that all files share. */
function reportGlobal(path: SyntaxPath, report: (path: SyntaxPath, what: string) => void): void {
  const name = nameOf(path.node) ?? '';
  if (!isOutside(path) || name === 'arguments') return;
  const write = writeAround(path, shapeWith([]));
  if (write === undefined) return;
  if (EXPORTS.has(name) && !outlives(write, undefined)) return;
  // `Object.assign({}, …)` does not write to Object.
  if (nodeChildOf(write, 'callee') !== undefined && traceValue(path).includes('Object')) return;
  report(write, name);
}
