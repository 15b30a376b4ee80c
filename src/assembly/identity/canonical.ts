import { formatFixed } from '../../domain/index.js';

/** JSON with sorted keys, exact amounts as decimal text and maps as objects: equal values give equal text. */
export function canonical(value: unknown): string {
  if (typeof value === 'bigint') return JSON.stringify(formatFixed(value));
  if (value instanceof Map) return canonical(Object.fromEntries(value as Map<string, unknown>));
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    return canonicalObject(
      Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([key, member]) => [key, canonical(member)]),
    );
  }
  return JSON.stringify(value);
}

/** {@link canonical} of an object whose members are already serialized. */
export function canonicalObject(members: readonly (readonly [string, string])[]): string {
  const sorted = [...members].sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`;
}
