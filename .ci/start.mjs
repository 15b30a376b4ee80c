/** The program of `npm start`: runs the first backtest, then the same bot over HTTP on some of its candles, and prints the next steps. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const result = 'results/sma-crossover.json';
const config = 'config/sma-crossover.backtest.yaml';
const report = 'results/sma-crossover.html';
// With a journal, the page shows the reason of each trade.
const journal = 'results/sma-crossover.journal';
const backtest = [
  'backtest',
  config,
  '--json',
  result,
  '--report',
  report,
  ...(await keepJournal()),
];
// About 2,000 candles, which take seconds.
const parity = ['parity', config, '--to', '2024-09-29', '--brief'];

mkdirSync('results', { recursive: true });
run(backtest);
console.log();
run(parity);

console.log(`
The result is in ${result}. To look at it, open this file in a browser:

  ${pathToFileURL(report).href}

"Worst first" above its trades, and a click on the first of them, shows its candles and what made it.

What to try next:

  node dist/cli/main.js --help                                               every command
  node dist/cli/main.js backtest config/rsi-mean-reversion.backtest.yaml --to 2024-10-01 --bounds   what the candles hide
  node dist/cli/main.js check config/sma-crossover.backtest.yaml             config, plugin, data, rules
  node dist/cli/main.js data list --archive backtest/data                    the candles that ship
  node dist/cli/main.js new strategy my-idea                                 a strategy of your own`);

/** Arguments for a journal, or an empty list if its optional package is not installed. Removes the journal of an earlier start, so that no run is added to it. */
async function keepJournal() {
  for (const rest of ['', '-lock', '-shm', '-wal']) rmSync(`${journal}${rest}`, { force: true });
  const isThere = await import('better-sqlite3').then(
    () => true,
    () => false,
  );
  return isThere ? ['--journal', journal] : [];
}

/** Runs a command as a user would. If it fails, this program ends with its exit code. */
function run(words) {
  console.log(`$ evenkeel ${words.join(' ')}\n`);
  const { status } = spawnSync(process.execPath, ['dist/cli/main.js', ...words], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}
