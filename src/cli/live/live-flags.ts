import type { LogLevel } from '../../bots/index.js';

/** Options of `live` and `paper`, as commander parses them. */
export interface LiveFlags {
  readonly set?: readonly string[];
  readonly yes?: true;
  readonly dryRun?: true;
  readonly probe?: true;
  readonly acceptFindings?: true;
  readonly log?: 'pretty' | 'json';
  readonly logLevel: LogLevel;
  /** False with `--no-view`. */
  readonly view: boolean;
}
