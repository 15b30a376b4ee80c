import { constants, copyFile, link, mkdtemp, realpath, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { moveFiles } from '../files/atomic-file.js';
import { fileError, hasSystemCode, isThere } from '../files/data-file.js';
import type { SeriesPaths } from '../files/layout.js';
import { makeFolder } from '../files/make-folder.js';

/**
 * A folder inside an archive that is itself an archive, with the next state of one series. Merges go into this folder; `commit` then replaces
 * the series as a whole, or not at all. A crash leaves the folder, whose name begins with `.import-`: nothing reads it.
 */
export class StagedSeries {
  /** Folder of the inner archive. */
  readonly directory: string;
  readonly #archive: string;
  readonly #pathsIn: (archive: string) => SeriesPaths;
  readonly #isNew: boolean;

  private constructor(
    archive: string,
    { directory, isNew, pathsIn }: Pick<StagedSeries, 'directory'> & StageOf,
  ) {
    this.#archive = archive;
    this.directory = directory;
    this.#isNew = isNew;
    this.#pathsIn = pathsIn;
  }

  /**
   * Makes the folder, with the stored state of the series.
   *
   * @param pathsIn - where the series lies in an archive.
   * @throws {DataError} `E_DATA_WRITE` naming the folder that cannot be made or filled.
   */
  static async begin(
    archive: string,
    pathsIn: (archive: string) => SeriesPaths,
  ): Promise<StagedSeries> {
    const isNew = !(await isThere(archive));
    const directory = await makeStage(archive);
    const staged = new StagedSeries(archive, { directory, isNew, pathsIn });
    try {
      const [from, to] = [pathsIn(archive), pathsIn(directory)];
      await makeFolder(dirname(to.arrow));
      for (const file of ['arrow', 'metadata'] as const)
        if (await isThere(from[file])) await share(await realpath(from[file]), to[file]);
      return staged;
    } catch (error) {
      await staged.discard();
      throw fileError('E_DATA_WRITE', `write ${directory}`, error);
    }
  }

  /**
   * Moves the series to its place: the file first, then its metadata, as in every write, and both or none.
   *
   * @throws {DataError} `E_DATA_WRITE`.
   */
  async commit(): Promise<void> {
    const [from, to] = [this.#pathsIn(this.directory), this.#pathsIn(this.#archive)];
    try {
      await makeFolder(dirname(to.arrow));
      await moveFiles([
        { from: from.arrow, path: to.arrow },
        { from: from.metadata, path: to.metadata },
      ]);
    } catch (error) {
      throw fileError('E_DATA_WRITE', `write ${to.arrow}`, error);
    }
    await rm(this.directory, { recursive: true, force: true });
  }

  /** Leaves the archive as it was. */
  async discard(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true });
    if (this.#isNew) await rmdir(this.#archive).catch(() => undefined);
  }
}

/** The name must be new: a folder that a crash left has rows of another import, and in a container each process has the same number. */
async function makeStage(archive: string): Promise<string> {
  const start = join(archive, '.import-');
  try {
    await makeFolder(archive);
    return await mkdtemp(start);
  } catch (error) {
    throw fileError('E_DATA_WRITE', `write ${start}`, error);
  }
}

interface StageOf {
  readonly isNew: boolean;
  readonly pathsIn: (archive: string) => SeriesPaths;
}

/** Files of an archive are replaced, never changed: a hard link is as good as a copy. Some file systems have no hard links. */
async function share(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (!hasSystemCode(error, 'EPERM', 'ENOTSUP', 'ENOSYS', 'EXDEV', 'EMLINK', 'EACCES'))
      throw error;
    await copyFile(from, to, constants.COPYFILE_FICLONE);
  }
}
