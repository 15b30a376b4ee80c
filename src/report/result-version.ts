/**
 * Version of the result file's shape. Keys may be added within a version; none changes its meaning or goes.
 *
 * Apart from the schema: who writes a result needs no schema, which takes time to make.
 */
export const RESULT_VERSION = 2;
