/** Options of `trials` as commander parses them. */
export interface TrialsFlags {
  readonly strategy?: string;
  readonly data?: string;
  readonly since?: string;
  readonly list?: number;
  readonly best?: number;
  readonly json?: string;
}
