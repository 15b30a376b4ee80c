import { isMap, isNode, isScalar, isSeq, type Node, type Pair } from 'yaml';

/** Keys and list positions from the root to a value. */
export type KeyPath = readonly (string | number)[];

/** A value below a node, and the start of its key. In a list it is the start of the value itself. */
interface Child {
  readonly value: unknown;
  /** Offset in the text; undefined if the value is not from the file. */
  readonly position: number | undefined;
}

/** Finds the value of a node at a key or list position. */
export function childOf(node: Node | undefined, key: string | number): Child | undefined {
  if (isMap(node)) {
    const pair = node.items.find((candidate) => keyText(candidate) === String(key));
    return pair && { value: pair.value, position: positionOf(pair.key) };
  }
  if (!isSeq(node)) return undefined;
  const item = node.items[Number(key)];
  return item === undefined ? undefined : { value: item, position: positionOf(item) };
}

/** The key of a pair as text. YAML also allows numbers as keys. */
export function keyText({ key }: Pair): string {
  return String(isScalar(key) ? key.value : key);
}

export function isPrefix(start: KeyPath, path: KeyPath): boolean {
  return start.every((part, depth) => String(path[depth]) === String(part));
}

function positionOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}
