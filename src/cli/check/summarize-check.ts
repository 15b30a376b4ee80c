/** The last line of `check`. What was not done has found nothing, and is not said to have: it is counted by its name. */
export function summarizeCheck(findings: number, skipped: readonly string[]): string {
  if (skipped.length === 0)
    return findings === 0 ? 'nothing found' : `findings: ${String(findings)}`;
  const count = skipped.length === 1 ? '1 check was' : `${String(skipped.length)} checks were`;
  return `findings: ${String(findings)}; ${count} not done: ${skipped.join(', ')}`;
}
