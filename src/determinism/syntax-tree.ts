/** The parts of a Babel syntax tree that this folder uses: nodes, paths to them, and scopes of names. */
export interface SyntaxNode {
  readonly type: string;
  readonly loc?: { readonly start: { readonly line: number; readonly column: number } } | null;
  readonly [key: string]: unknown;
}

export interface SyntaxPath {
  readonly node: SyntaxNode;
  readonly parentPath: SyntaxPath | null;
  readonly key: string | number | null;
  readonly listKey?: string | null;
  readonly scope: SyntaxScope;
  get(key: string): SyntaxPath | readonly SyntaxPath[];
  traverse(visitor: Readonly<Record<string, (path: SyntaxPath) => void>>): void;
  skip(): void;
  evaluate(): { readonly confident: boolean; readonly value?: unknown };
}

export interface SyntaxScope {
  readonly bindings: Readonly<Record<string, SyntaxBinding>>;
  readonly path: SyntaxPath;
  getBinding(name: string): SyntaxBinding | undefined;
}

/** A declared name with its uses. */
export interface SyntaxBinding {
  readonly kind: string;
  readonly identifier: SyntaxNode;
  readonly path: SyntaxPath;
  readonly scope: SyntaxScope;
  /** Places where it is reassigned. */
  readonly constantViolations: readonly SyntaxPath[];
  readonly referencePaths: readonly SyntaxPath[];
}

/** The position of a node, counted from 1 as in editors. */
export interface SyntaxPlace {
  readonly line: number;
  readonly column: number;
}

export function sourcePlaceOf({ loc }: SyntaxNode): SyntaxPlace {
  return { line: loc?.start.line ?? 1, column: (loc?.start.column ?? 0) + 1 };
}

/** The child at `key`; undefined if there is none. */
export function nodeChildOf(path: SyntaxPath, key: string): SyntaxPath | undefined {
  const child = path.get(key);
  return isList(child) || !hasNode(child) ? undefined : child;
}

/** The children at `key`; empty if it is not a list. */
export function childrenOf(path: SyntaxPath, key: string): readonly SyntaxPath[] {
  const children = path.get(key);
  return isList(children) ? children.filter(hasNode) : [];
}

function isList(found: SyntaxPath | readonly SyntaxPath[]): found is readonly SyntaxPath[] {
  return Array.isArray(found);
}

/** Babel also has paths without a node, for example the `else` of an `if` without one. */
function hasNode({ node }: { readonly node: SyntaxNode | null | undefined }): boolean {
  return node !== null && node !== undefined;
}

export function isFunction({ node }: SyntaxPath): boolean {
  return /^(Function(Declaration|Expression)|ArrowFunctionExpression|ObjectMethod|Class(Private)?Method)$/.test(
    node.type,
  );
}

const WRAPPERS: ReadonlySet<string> = new Set([
  'ParenthesizedExpression',
  'TSAsExpression',
  'TSInstantiationExpression',
  'TSNonNullExpression',
  'TSSatisfiesExpression',
  'TSTypeAssertion',
]);

/** Whether a node only wraps a value: parentheses, types. */
function isWrapper({ node }: SyntaxPath): boolean {
  return WRAPPERS.has(node.type);
}

/** The value without parentheses and types around it. */
export function unwrap(path: SyntaxPath): SyntaxPath {
  let inner = path;
  for (
    let next = isWrapper(inner) ? nodeChildOf(inner, 'expression') : undefined;
    next !== undefined;
    next = isWrapper(inner) ? nodeChildOf(inner, 'expression') : undefined
  )
    inner = next;
  return inner;
}

/** The value with the parentheses and types around it. */
export function wrapped(path: SyntaxPath): SyntaxPath {
  let outer = path;
  while (outer.parentPath !== null && isWrapper(outer.parentPath)) outer = outer.parentPath;
  return outer;
}

export function isMember({ node }: SyntaxPath): boolean {
  return node.type === 'MemberExpression' || node.type === 'OptionalMemberExpression';
}

export function isCall({ node }: SyntaxPath): boolean {
  return node.type === 'CallExpression' || node.type === 'OptionalCallExpression';
}

/** Text of an identifier, a string or a private name; undefined for anything else. */
export function nameOf(node: unknown): string | undefined {
  const { type, name, value, id } = node as SyntaxNode;
  if (type === 'Identifier') return name as string;
  if (type === 'StringLiteral' || type === 'NumericLiteral') return String(value);
  if (type === 'PrivateName') return `#${nameOf(id) ?? ''}`;
  return undefined;
}

/** The possible values of a key as far as the text shows them; `?` for an unknown one. */
export function keysOf(path: SyntaxPath, isComputed: boolean): readonly string[] {
  if (!isComputed) return [nameOf(path.node) ?? '?'];
  const value = unwrap(path);
  if (value.node.type === 'ConditionalExpression')
    return ['consequent', 'alternate'].flatMap((side) => {
      const child = nodeChildOf(value, side);
      return child === undefined ? [] : keysOf(child, true);
    });
  const evaluated = value.evaluate();
  const isKey = typeof evaluated.value === 'string' || typeof evaluated.value === 'number';
  return evaluated.confident && isKey ? [String(evaluated.value)] : ['?'];
}
