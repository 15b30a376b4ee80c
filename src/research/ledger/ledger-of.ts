/** Default place of the ledger of an archive: beside its folder. */
export function ledgerOf(archive: string): string {
  return `${archive.replace(/[\\/]+$/, '')}.trials.jsonl`;
}
