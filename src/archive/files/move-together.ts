import { link, rename, rm } from 'node:fs/promises';
import { hasSystemCode } from './data-file.js';

/** A file on its way to its place. */
export interface FileMove {
  /** The path of the file itself, no symbolic link to it. */
  readonly place: string;
  /** A name beside it that nothing reads. */
  readonly spare: string;
  readonly move: () => Promise<void>;
}

/**
 * Moves files that belong together to their places, in this order. If one cannot be moved, the old files are put back, so that nothing has changed. Until the
 * last file is in place, the old ones have a second name. A file system without hard links has no second names: there, files that were moved stay.
 *
 * @throws what the move throws.
 */
export async function moveTogether(moves: readonly FileMove[]): Promise<void> {
  const begun: { readonly file: FileMove; readonly wasThere: boolean | undefined }[] = [];
  try {
    for (const file of moves) {
      // One file alone is moved or not.
      if (moves.length > 1) begun.push({ file, wasThere: await keep(file) });
      await file.move();
    }
  } catch (error) {
    for (const { file, wasThere } of begun.reverse())
      await putBack(file, wasThere).catch(() => undefined);
    throw error;
  } finally {
    for (const { file } of begun) await rm(file.spare, { force: true }).catch(() => undefined);
  }
}

/** Gives the old file a second name. Returns whether there is one; undefined if it cannot have a second name. */
async function keep({ place, spare }: FileMove): Promise<boolean | undefined> {
  try {
    await link(place, spare);
    return true;
  } catch (error) {
    return hasSystemCode(error, 'ENOENT') ? false : undefined;
  }
}

async function putBack({ place, spare }: FileMove, wasThere: boolean | undefined): Promise<void> {
  if (wasThere === true) await rename(spare, place);
  if (wasThere === false) await rm(place, { force: true });
}
