/** The last line of `check`. It never says that a check without a run found nothing: it names every check that was not done. */
export function summarizeCheck(findings: number, skipped: readonly string[]): string {
  if (skipped.length === 0)
    return findings === 0 ? 'nothing found' : `findings: ${String(findings)}`;
  const count = skipped.length === 1 ? '1 check was' : `${String(skipped.length)} checks were`;
  return `findings: ${String(findings)}; ${count} not done: ${skipped.join(', ')}`;
}
