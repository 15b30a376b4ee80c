import { parseFixed, type Fixed } from '../amounts/fixed.js';

/** Assets ÷ debt of a margin account at or below which the venue warns (DESIGN R13). */
export const MARGIN_WARN_LEVEL: Fixed = parseFixed('1.3');

/** Assets ÷ debt at or below which the venue sells everything. */
export const MARGIN_CALL_LEVEL: Fixed = parseFixed('1.1');
