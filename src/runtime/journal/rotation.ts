import type { JournalSize } from './sqlite-journal.js';

/** When a bot whose warm-up reproduces its strategy begins a new epoch (DESIGN 2.2). */
export interface RotationPolicy {
  /** Events after which recovery takes too long: a million take about 10 s to read. @defaultValue 2,000,000 */
  readonly maxEpochEvents?: number;
  /** Size of the file. @defaultValue 2 GiB */
  readonly maxBytes?: number;
}

const DEFAULTS = { maxEpochEvents: 2_000_000, maxBytes: 2 * 1024 ** 3 } as const;

/** Whether a new epoch should begin, and older ones be deleted. Whether it may is for `audit` to say. */
export function isRotationDue(size: JournalSize, policy: RotationPolicy = {}): boolean {
  const { maxEpochEvents, maxBytes } = { ...DEFAULTS, ...policy };
  return size.epochEvents >= maxEpochEvents || size.bytes >= maxBytes;
}
