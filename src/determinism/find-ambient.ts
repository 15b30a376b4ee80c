import { codeOf, pathOfModule } from './ambient-names.js';
import { findPromised } from './find-promised.js';
import type { FindingCode } from './finding.js';
import {
  nodeChildOf,
  childrenOf,
  isCall,
  isMember,
  keysOf,
  nameOf,
  sourcePlaceOf,
  unwrap,
  wrapped,
  type SyntaxNode,
  type SyntaxPath,
  type SyntaxPlace,
} from './syntax-tree.js';
import { isOutside, memberPath, takeApart, traceValue } from './trace-value.js';

/** A finding in one file. */
export interface FileFinding extends SyntaxPlace {
  readonly code: FindingCode;
  readonly what: string;
}

type Report = (node: SyntaxNode, code: FindingCode, what: string) => void;

/** Finds each place where a file uses the clock, chance, promises, timers, files or the network instead of its events. */
export function findAmbient(program: SyntaxPath): readonly FileFinding[] {
  const found: FileFinding[] = [];
  const report: Report = (node, code, what) => {
    found.push({ ...sourcePlaceOf(node), code, what });
  };
  const name = (path: SyntaxPath): void => {
    reportName(path, report);
  };
  const call = (path: SyntaxPath): void => {
    reportCall(path, report);
  };
  const member = (path: SyntaxPath): void => {
    reportMember(path, report);
  };
  program.traverse({
    TSType: skip,
    TSTypeAnnotation: skip,
    TSTypeParameterDeclaration: skip,
    TSTypeParameterInstantiation: skip,
    TSInterfaceDeclaration: skip,
    TSTypeAliasDeclaration: skip,
    TSDeclareFunction: skip,
    ExportNamedDeclaration: (path) => {
      reportReexport(path, report);
    },
    ExportAllDeclaration: (path) => {
      reportReexport(path, report);
    },
    ReferencedIdentifier: name,
    MemberExpression: member,
    OptionalMemberExpression: member,
    ObjectPattern: (path) => {
      reportPattern(path, report);
    },
    CallExpression: call,
    OptionalCallExpression: call,
    NewExpression: call,
    AwaitExpression: (path) => {
      report(path.node, 'E_PLUGIN_PROMISE', 'await');
    },
    ForOfStatement: (path) => {
      if (path.node['await'] === true) report(path.node, 'E_PLUGIN_PROMISE', 'for await');
    },
    Function: (path) => {
      const promised = findPromised(path);
      if (promised !== undefined) report(promised.node, 'E_PLUGIN_PROMISE', promised.what);
    },
  });
  return oncePerLine(found);
}

function skip(path: SyntaxPath): void {
  path.skip();
}

/** Two equal findings in one line count as one. */
function oncePerLine(found: readonly FileFinding[]): readonly FileFinding[] {
  const kept = new Map<string, FileFinding>();
  for (const finding of found) {
    const key = `${finding.code} ${String(finding.line)}`;
    const before = kept.get(key);
    if (before === undefined || finding.column < before.column) kept.set(key, finding);
  }
  return [...kept.values()];
}

/** Reports a global, or a name that stands for one. */
function reportName(path: SyntaxPath, report: Report): void {
  if (!isUsed(path)) return;
  const isObject = path.parentPath !== null && isMember(path.parentPath);
  for (const traced of traceValue(path)) {
    if (isOutside(path)) {
      // Reports the whole chain: `process.env`, not `process` alone.
      const full = fullPath(path, traced);
      const code = codeOf(full);
      if (code !== undefined && codeOf(traced) !== undefined) report(path.node, code, full);
      continue;
    }
    const code = codeOf(isObject ? fullPath(path, traced) : traced);
    if (code !== undefined && codeOf(traced) !== undefined) report(path.node, code, traced);
  }
}

/** Reports a member that is forbidden while its object is harmless: `Date.now`. */
function reportMember(path: SyntaxPath, report: Report): void {
  if (!isUsed(path)) return;
  const object = nodeChildOf(path, 'object');
  const property = nodeChildOf(path, 'property');
  if (object === undefined || property === undefined) return;
  const bases = traceValue(object).filter((base) => codeOf(base) === undefined);
  if (bases.length === 0) return;
  const keys = keysOf(property, path.node['computed'] === true);
  for (const traced of bases.flatMap((base) => keys.map((key) => memberPath(base, key)))) {
    const full = fullPath(path, traced);
    const code = codeOf(traced) === undefined ? undefined : codeOf(full);
    if (code !== undefined) report(path.node, code, full);
  }
}

/** Follows a chain of members from an expression on, as long as the longer path has a finding code, and returns that path. */
function fullPath(path: SyntaxPath, traced: string): string {
  const outer = wrapped(path);
  const parent = outer.parentPath;
  if (parent === null || !isMember(parent) || outer.key !== 'object') return traced;
  const property = nodeChildOf(parent, 'property');
  const [key, ...others] =
    property === undefined ? [] : keysOf(property, parent.node['computed'] === true);
  if (key === undefined || key === '?' || others.length > 0) return traced;
  const longer = memberPath(traced, key);
  return codeOf(longer) === undefined || key === 'bind' || key === 'call' || key === 'apply'
    ? traced
    : fullPath(parent, longer);
}

/** Returns false for `typeof process` and `x instanceof Promise`: they test a name without using it. */
function isUsed(path: SyntaxPath): boolean {
  const outer = wrapped(path);
  const parent = outer.parentPath?.node;
  if (parent?.type === 'UnaryExpression') return parent['operator'] !== 'typeof';
  if (parent?.type !== 'BinaryExpression') return true;
  return parent['operator'] !== 'instanceof' || outer.key !== 'right';
}

/** Reports `const { random } = Math`, in a declaration, an assignment or a parameter with a default. */
function reportPattern(path: SyntaxPath, report: Report): void {
  const parent = path.parentPath;
  if (parent === null) return;
  const valueKey = { VariableDeclarator: 'init', AssignmentExpression: 'right' }[parent.node.type];
  const fallbackKey = parent.node.type === 'AssignmentPattern' ? 'right' : undefined;
  const value = nodeChildOf(parent, valueKey ?? fallbackKey ?? '');
  if (value === undefined) return;
  const bases = traceValue(value).filter((base) => codeOf(base) === undefined);
  for (const { place, paths } of takeApart(path, { paths: bases, held: [value] })) {
    for (const traced of paths) {
      const code = codeOf(traced);
      if (code !== undefined) report(place.node, code, traced);
    }
  }
}

/** Reports calls that read the clock if they have no arguments, and calls that reach a member or a module without its name. */
function reportCall(path: SyntaxPath, report: Report): void {
  const callee = nodeChildOf(path, 'callee');
  if (callee === undefined) return;
  const { node } = path;
  const given = childrenOf(path, 'arguments');
  const [first, list] = given;
  const called = traceValue(callee);
  const calls = (...names: readonly string[]): boolean =>
    called.some((name) => names.includes(name));
  if (callee.node.type === 'Import') report(node, 'E_PLUGIN_PROMISE', 'import()');
  if (calls('Date') && (isCall(path) || given.length === 0))
    report(node, 'E_PLUGIN_CLOCK', isCall(path) ? 'Date()' : 'new Date()');
  if (isCall(path) && calls('Date.call', 'Date.apply')) report(node, 'E_PLUGIN_CLOCK', 'Date()');
  if (calls('Function')) report(node, 'E_PLUGIN_HIDDEN', 'Function');
  if (calls('Reflect.apply') && isDate(first)) report(node, 'E_PLUGIN_CLOCK', 'new Date()');
  if (calls('Reflect.construct') && isDate(first) && isEmptyList(list))
    report(node, 'E_PLUGIN_CLOCK', 'new Date()');
  if (calls('require') && isUnknownModule(first)) report(node, 'E_PLUGIN_HIDDEN', 'require');
  for (const traced of isCall(path) ? traceValue(path) : []) {
    const code = codeOf(traced);
    // The member expression before `.bind` has its own report.
    if (code !== undefined && nameOf(unwrap(callee).node['property'] ?? {}) !== 'bind')
      report(node, code, traced);
  }
  reportFormat(path, callee, report);
}

function isDate(value: SyntaxPath | undefined): boolean {
  return value !== undefined && traceValue(value).includes('Date');
}

function isEmptyList(value: SyntaxPath | undefined): boolean {
  return value?.node.type === 'ArrayExpression' && childrenOf(value, 'elements').length === 0;
}

function isUnknownModule(specifier: SyntaxPath | undefined): boolean {
  return typeof specifier?.evaluate().value !== 'string';
}

/** A date format without a date formats the present time. */
function reportFormat(path: SyntaxPath, callee: SyntaxPath, report: Report): void {
  const method = unwrap(callee);
  if (!isMember(method) || childrenOf(path, 'arguments').length > 0) return;
  const name = nameOf(method.node['property']) ?? '';
  const object = nodeChildOf(method, 'object');
  if (!/^format(ToParts)?$/.test(name) || object === undefined) return;
  if (traceValue(object).includes('new Intl.DateTimeFormat'))
    report(path.node, 'E_PLUGIN_CLOCK', `Intl.DateTimeFormat.${name}()`);
}

/** Reports re-exports of a module. The imports of a file are reported at the place of use. */
function reportReexport(path: SyntaxPath, report: Report): void {
  const { node } = path;
  const source = node['source'] as SyntaxNode | null | undefined;
  if (source === null || source === undefined || node['exportKind'] === 'type') return;
  const base = pathOfModule(nameOf(source) ?? '');
  if (base === undefined) return;
  const specifiers = childrenOf(path, 'specifiers');
  if (specifiers.length === 0) reportIfCode(node, base, report);
  for (const specifier of specifiers) {
    const local = nameOf(specifier.node['local'] ?? {});
    reportIfCode(specifier.node, local === undefined ? base : memberPath(base, local), report);
  }
}

function reportIfCode(node: SyntaxNode, traced: string, report: Report): void {
  const code = codeOf(traced);
  if (code !== undefined) report(node, code, traced);
}
