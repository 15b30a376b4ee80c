/** Names of what a bundle holds: a result or a journal, and all that it was made of. */
export const RESULT = 'result.json';
export const JOURNAL = 'run.journal';
export const CONFIG = 'config.yaml';
export const MANIFEST = 'manifest.json';
/** Folders. */
export const PLUGIN = 'plugin';
export const DATA = 'data';
