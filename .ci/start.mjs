/** What `npm start` runs: the first backtest, and where to go from there. */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const result = 'results/sma-crossover.json';
const backtest = ['backtest', 'config/sma-crossover.backtest.yaml', '--json', result];

process.chdir(root);
mkdirSync('results', { recursive: true });
console.log(`$ evenkeel ${backtest.join(' ')}\n`);
const { status } = spawnSync(process.execPath, ['dist/cli/main.js', ...backtest], {
  stdio: 'inherit',
});
if (status !== 0) process.exit(status ?? 1);

console.log(`
The result is in ${result}. What to try next:

  node dist/cli/main.js --help                                               every verb
  node dist/cli/main.js backtest config/rsi-mean-reversion.backtest.yaml --bounds   what the candles hide
  node dist/cli/main.js check config/sma-crossover.backtest.yaml             config, plugin, data, rules
  node dist/cli/main.js data list --archive backtest/data                    the candles that ship
  node dist/cli/main.js new strategy my-idea                                 a strategy of your own`);
