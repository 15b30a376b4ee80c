/**
 * Version of the shape of the result file. Within a version keys may be added, but no key is removed or changes its meaning.
 *
 * In a file of its own: code that only writes results does not need the schema, which takes time to build.
 */
export const RESULT_VERSION = 2;
