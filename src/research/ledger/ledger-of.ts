/** Where the ledger of an archive is unless another place is named: beside its folder. */
export function ledgerOf(archive: string): string {
  return `${archive.replace(/[\\/]+$/, '')}.trials.jsonl`;
}
