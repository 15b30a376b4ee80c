import { isMap, isScalar, isSeq, type Node } from 'yaml';

const SHOWN_LENGTH = 60;

/** Describes a YAML value as it is written, shortened; a secret only by its kind and length. */
export function describeNode(
  node: Node | undefined,
  options: { readonly isSecret: boolean },
): string {
  if (isMap(node)) return 'a mapping';
  if (isSeq(node)) return node.items.length === 0 ? 'an empty list' : 'a list';
  if (!isScalar(node) || node.value === null) return 'nothing';
  const written = typeof node.value === 'string' ? node.value : (node.source ?? textOf(node.value));
  if (options.isSecret) return `a value of ${String(written.length)} characters`;
  if (typeof node.value === 'boolean') return written;
  if (typeof node.value === 'number') return `the number ${shorten(written)}`;
  return JSON.stringify(shorten(written));
}

/** Text of a value that was not parsed from text. JSON has no text for NaN and Infinity. */
function textOf(value: unknown): string {
  return typeof value === 'number' ? String(value) : JSON.stringify(value);
}

function shorten(text: string): string {
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}
