/** Most weight that any window [start, start + windowMs) holds. A fullest window starts at one of the calls. */
export function mostInAnyWindow(
  calls: readonly { readonly at: number; readonly weight?: number }[],
  windowMs: number,
): number {
  let most = 0;
  for (const { at: start } of calls) {
    const held = calls.filter(({ at }) => at >= start && at < start + windowMs);
    most = Math.max(
      most,
      held.reduce((sum, { weight = 1 }) => sum + weight, 0),
    );
  }
  return most;
}
