import { copyFile, readFile } from 'node:fs/promises';

/** Sizes in bytes, and offsets, of a write-ahead log. Source: SQLite's documentation, "WAL-mode File Format". */
const HEADER = 32;
const FRAME_HEADER = 24;
const MAGIC = 0x377f0682;

interface Sum {
  readonly a: number;
  readonly b: number;
}

/**
 * Counts the commits in the log beside a journal (`-wal`) that SQLite does not show: what comes before them in the log was changed, or was not on the
 * disk when the machine stopped. SQLite ends its log there without a word. 0 if there is no log, or if all of it is shown.
 */
export async function lostCommits(journal: string): Promise<number> {
  const lost = await countLost(`${journal}-wal`);
  // A log that is begun anew while it is read looks damaged once.
  return lost === 0 ? 0 : Math.min(lost, await countLost(`${journal}-wal`));
}

async function countLost(file: string): Promise<number> {
  const bytes = await readFile(file).catch(() => Buffer.alloc(0));
  if (bytes.length < HEADER) return 0;
  const magic = bytes.readUInt32BE(0);
  if (magic !== MAGIC && magic !== MAGIC + 1) return 0;
  const isBig = magic === MAGIC + 1;
  const size = FRAME_HEADER + bytes.readUInt32BE(8);
  const salts = bytes.subarray(16, 24);
  let sum: Sum | undefined = added({ a: 0, b: 0 }, bytes.subarray(0, 24), isBig);
  let lost = 0;
  for (let at = HEADER; at + size <= bytes.length; at += size) {
    const frame = bytes.subarray(at, at + size);
    // Frames of an earlier round of the log have other salts.
    if (!frame.subarray(8, 16).equals(salts)) return lost;
    sum = sum && sumOfFrame(sum, frame, isBig);
    const isCommit = frame.readUInt32BE(4) > 0;
    if (sum === undefined && isCommit) lost += 1;
  }
  return lost;
}

/** The sum after a frame; undefined if the frame does not have it. */
function sumOfFrame(before: Sum, frame: Buffer, isBig: boolean): Sum | undefined {
  const sum = added(
    added(before, frame.subarray(0, 8), isBig),
    frame.subarray(FRAME_HEADER),
    isBig,
  );
  return sum.a === frame.readUInt32BE(16) && sum.b === frame.readUInt32BE(20) ? sum : undefined;
}

function added({ a, b }: Sum, bytes: Buffer, isBig: boolean): Sum {
  const word = (at: number): number => (isBig ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at));
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + word(at) + b) >>> 0;
    b = (b + word(at + 4) + a) >>> 0;
  }
  return { a, b };
}

/** Says it for people. */
export function describeLost(commits: number): string {
  const lost = commits === 1 ? '1 commit' : `${String(commits)} commits`;
  return `the log beside it (-wal) ends with ${lost} that cannot be read: what comes before was changed, or was not on the disk when the machine stopped`;
}

/**
 * Keeps a copy of a journal's log in which commits are lost (`-wal-lost`), because a writer begins where SQLite's log ends. Returns what the owner must
 * know; undefined if nothing is lost.
 */
export async function keepLostCommits(journal: string): Promise<string | undefined> {
  const commits = await lostCommits(journal);
  if (commits === 0) return undefined;
  const copy = `${journal}-wal-lost`;
  const kept = await copyFile(`${journal}-wal`, copy).then(
    () => `it is kept as ${copy}`,
    () => 'no copy of it could be kept',
  );
  return `${journal}: ${describeLost(commits)}; ${kept}`;
}
