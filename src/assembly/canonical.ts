import { formatFixed } from '../domain/index.js';

/** JSON with sorted keys, exact amounts as decimal text and maps as objects: one text for one meaning. */
export function canonical(value: unknown): string {
  if (typeof value === 'bigint') return JSON.stringify(formatFixed(value));
  if (value instanceof Map) return canonical(Object.fromEntries(value as Map<string, unknown>));
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(',')}}`;
  }
  return JSON.stringify(value);
}
