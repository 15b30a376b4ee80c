import { parseJson } from './json.js';

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads a member the object itself has: `__proto__` and inherited names do not count. */
export function ownMember(value: unknown, key: PropertyKey): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return Object.getOwnPropertyDescriptor(value, key)?.value;
}

/** Opens an answer that was encoded twice: a JSON text that holds the JSON. Any other value is returned as it is. */
export function unwrapText(json: unknown): unknown {
  if (typeof json !== 'string' || !/^\s*[[{]/.test(json)) return json;
  try {
    return parseJson(json);
  } catch {
    return json;
  }
}

/** Shows a value in an error: the start of a text, the length of a list, the first keys of an object. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') {
    return `"${value.slice(0, 40)}${value.length > 40 ? '…' : ''}"`;
  }
  if (Array.isArray(value)) return `a list of ${String(value.length)}`;
  if (isRecord(value)) {
    const keys = Object.keys(value);
    const shown = keys.slice(0, 5).map((key) => key.slice(0, 20));
    return `an object with ${shown.join(', ') || 'no keys'}${keys.length > 5 ? ', …' : ''}`;
  }
  if (value === null || typeof value === 'number' || typeof value === 'boolean') {
    return String(value);
  }
  return `a ${typeof value}`;
}
