/** Whether something that was written elsewhere has members; a list has them, too. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
