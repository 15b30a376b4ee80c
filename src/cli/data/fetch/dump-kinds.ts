import type { DumpKind } from '../../../archive/index.js';

/** What can be fetched; apart from the archive, which a start of the command line does not load. */
export const DUMP_KINDS = ['candles', 'mark', 'funding'] as const satisfies readonly DumpKind[];
