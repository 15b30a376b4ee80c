import { nameOf, type SyntaxNode, type SyntaxPath } from './syntax-tree.js';

/** Describes a function that is async or declared to return a promise, with its name if it is a method of a class; undefined for others. */
export function findPromised(
  path: SyntaxPath,
): { readonly node: SyntaxNode; readonly what: string } | undefined {
  const isAsync = path.node['async'] === true;
  if (!isAsync && !isPromiseType(path.node['returnType'])) return undefined;
  // `onFill = async () => {...}` takes its name from the property.
  const outer = path.parentPath?.node;
  const node = outer?.type === 'ClassProperty' && path.key === 'value' ? outer : path.node;
  const name = nameOf(node['key'] ?? {});
  if (name === undefined) return { node, what: isAsync ? 'async' : 'Promise' };
  return { node, what: isAsync ? `async ${name}` : `${name} returns a promise` };
}

interface DeclaredReturn {
  readonly typeAnnotation?: { readonly typeName?: SyntaxNode };
}

function isPromiseType(declared: unknown): boolean {
  const { typeAnnotation } = (declared ?? {}) as DeclaredReturn;
  const name = nameOf(typeAnnotation?.typeName ?? {});
  return name === 'Promise' || name === 'PromiseLike';
}
