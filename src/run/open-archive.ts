import { openRunArchive, type Archive } from '../archive/index.js';
import { checkOptions, type OptionChecks } from '../config/index.js';

const PLACE: OptionChecks<{ readonly directory: unknown }> = {
  directory: {
    expected: 'the path of a folder',
    accepts: (value) => typeof value === 'string' && value !== '',
    isRequired: true,
  },
};

/**
 * Opens the archive in a folder. Its files are read when they are asked for.
 *
 * @throws {UsageError} `E_USAGE` for something else than a path.
 */
export function openCheckedArchive(directory: string): Archive {
  checkOptions({ directory }, PLACE, 'openArchive');
  return openRunArchive(directory);
}
