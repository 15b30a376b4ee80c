/**
 * Runs drawn bots with one build, through its command line, and prints one line of JSON for each: the output, and hashes of the result
 * and of the journal's tables. `.ci/compare-builds.mjs` starts it. `BUILD FOLDER RUNS [TEXTS]`
 *
 * TEXTS is JSON: a list of [old text, new text]. Each is replaced in all compared texts. With a list, even an empty one, digests of texts are left out.
 * The digest of an epoch is always left out: it covers the place of the configuration, and its other content is compared itself.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [build, folder, runs, texts] = process.argv.slice(2);
const { runCli } = await import(pathToFileURL(join(build, 'cli', 'run-cli.js')).href);
const Database = createRequire(import.meta.url)('better-sqlite3');
const renamed = texts === undefined ? [] : JSON.parse(texts);
/** A digest is equal if the texts are equal, and these are compared themselves. */
const DIGESTS = texts === undefined ? [] : ['digest'];

/** The folder of the bots is not compared. */
const rename = (text) =>
  renamed.reduce(
    (result, [old, now]) => result.replaceAll(old, now),
    String(text).replaceAll(folder, 'FOLDER'),
  );
const hash = (text) => createHash('sha256').update(rename(text)).digest('hex');

for (let run = 0; run < Number(runs); run += 1) {
  const cwd = join(folder, String(run));
  // Both builds use the same names, because the header of a journal holds the words of the command.
  const [result, journal] = [join(cwd, 'result.json'), join(cwd, 'run.journal')];
  for (const file of [result, journal, `${journal}-wal`, `${journal}-shm`])
    rmSync(file, { force: true });
  const curve = run % 2 === 0 ? 'daily' : 'candle';
  const words = ['backtest', 'bot.yaml', '--json', 'result.json', '--curve', curve];
  const plain = await play(cwd, words);
  const alone = existsSync(result) ? readFileSync(result, 'utf8') : '';
  const kept = await play(cwd, [...words, '--journal', 'run.journal']);
  const withJournal = existsSync(result) ? readFileSync(result, 'utf8') : '';
  const { fills = [], orders, equityCurve } = withJournal === '' ? {} : JSON.parse(withJournal);
  const line = {
    exit: plain.exit,
    fills: fills.length,
    said: rename(plain.said),
    hashes: {
      said: hash(plain.said),
      saidWithJournal: hash(kept.said),
      orders: hash(JSON.stringify(orders)),
      fills: hash(JSON.stringify(fills)),
      curve: hash(JSON.stringify(equityCurve)),
      result: hash(alone),
      resultWithJournal: hash(withJournal),
      ...(existsSync(journal) ? hashTables(journal) : {}),
    },
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

async function play(cwd, words) {
  let said = '';
  const output = { write: (text) => void (said += text), isTerminal: false, columns: 100 };
  const exit = await runCli(words, {
    stdout: output,
    stderr: output,
    env: { ...process.env, NO_COLOR: '1' },
    cwd,
    signal: new AbortController().signal,
  });
  return { exit, said };
}

/** One hash for each table of a journal. */
function hashTables(file) {
  const database = new Database(file, { readonly: true });
  try {
    const tables = database
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
      .pluck()
      .all();
    return Object.fromEntries(
      tables.map((name) => [`journal ${name}`, hash(rowsOf(database, name))]),
    );
  } finally {
    database.close();
  }
}

function rowsOf(database, table) {
  const rows = database.prepare(`SELECT * FROM "${table}"`).all();
  return rows
    .map((row) =>
      JSON.stringify(row, (key, value) => {
        if (DIGESTS.includes(key) || (table === 'epochs' && key === 'digest')) return undefined;
        return value?.type === 'Buffer' ? Buffer.from(value.data).toString('hex') : value;
      }),
    )
    .join('\n');
}
