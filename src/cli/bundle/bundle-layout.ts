/** Names of the files of a bundle: a result or a journal, and its inputs. */
export const RESULT = 'result.json';
export const JOURNAL = 'run.journal';
export const CONFIG = 'config.yaml';
export const MANIFEST = 'manifest.json';
/** Names of the folders of a bundle. */
export const PLUGIN = 'plugin';
export const DATA = 'data';
