import type { DumpKind } from '../../../archive/index.js';

/** Kinds of rows that can be fetched. They are the archive's own list, in a file of their own, because a start of the command line does not load the archive. */
export const DUMP_KINDS = ['candles', 'mark', 'funding'] as const satisfies readonly DumpKind[];
