import type { RegisterCommand } from '../cli-context.js';
import { addCheckCommand } from './check-command.js';
import { addDownloadCommand } from './download-command.js';
import { addExportCommand } from './export-command.js';
import { addFetchCommand } from './fetch-command.js';
import { addImportCommand } from './import-command.js';
import { addListCommand } from './list-command.js';
import { addRecordCommand } from './record-command.js';
import { addResampleCommand } from './resample-command.js';
import { addShowCommand } from './show-command.js';
import { addSyncCommand } from './sync-command.js';
import { addSynthCommand } from './synth-command.js';

/** Adds `data` with its commands, for the archive of candles. */
export const registerData: RegisterCommand = (program, context) => {
  const data = program
    .command('data')
    .description(
      'Manages the archive of candles: one Arrow file (Feather v2) per instrument and interval.',
    );
  addImportCommand(data, context);
  addDownloadCommand(data, context);
  addFetchCommand(data, context);
  addRecordCommand(data, context);
  addSyncCommand(data, context);
  addListCommand(data, context);
  addShowCommand(data, context);
  addCheckCommand(data, context);
  addExportCommand(data, context);
  addResampleCommand(data, context);
  addSynthCommand(data, context);
};
