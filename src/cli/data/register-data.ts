import type { RegisterVerb } from '../cli-context.js';
import { addCheckVerb } from './check-verb.js';
import { addDownloadVerb } from './download-verb.js';
import { addExportVerb } from './export-verb.js';
import { addImportVerb } from './import-verb.js';
import { addListVerb } from './list-verb.js';
import { addResampleVerb } from './resample-verb.js';
import { addSynthVerb } from './synth-verb.js';

/** Adds `data` with its verbs: the archive of candles. */
export const registerData: RegisterVerb = (program, context) => {
  const data = program
    .command('data')
    .summary('import, download, list, check, export, resample or make candles')
    .description('Keeps stored candles: one Arrow file (Feather v2) per instrument and interval.');
  addImportVerb(data, context);
  addDownloadVerb(data, context);
  addListVerb(data, context);
  addCheckVerb(data, context);
  addExportVerb(data, context);
  addResampleVerb(data, context);
  addSynthVerb(data, context);
};
