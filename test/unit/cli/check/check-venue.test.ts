import { open, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

import { parseVenueProfile } from '../../../../src/assembly/index.js';
import { createRuleBook } from '../../../../src/assembly/market/create-instruments.js';
import type { LoadedBot } from '../../../../src/cli/bot/load-bot.js';
import { checkVenue, describeVenueCheck } from '../../../../src/cli/check/check-venue.js';
import { requireSession } from '../../../../src/bots/require-session.js';
import { inFolder, loadYaml } from '../../../support/cli/bot-yaml.js';
import { aCliContext } from '../../../support/cli/cli-context.js';

/** No server listens there. */
const DEAD = 'http://127.0.0.1:1';

describe('check --online while the venue does not answer', () => {
  it('keeps the capabilities that an earlier check found, and marks them as not tested now', () =>
    inFolder(async (folder) => {
      const loaded = await loadYaml(`name: away
strategy: { path: ./unused.strategy.ts }
instruments:
  - { product: spot, symbol: BTCUSDT, intervals: [1min] }
venue: { spotUrl: "${DEAD}", keyEnv: KEY, secretEnv: SECRET }
live: { journal: ${JSON.stringify(path.join(folder, 'away.journal'))} }
simulation:
  archive: .
  balances: { USDT: "1000" }
  fees: { maker: "0.001", taker: "0.001" }
  rules:
    BTCUSDT: { pricePrecision: 2, quantityPrecision: 5, minOrderMoney: "5" }
`);
      const file = path.join(folder, 'away.venue.json');
      const earlier = { version: 1, checkedAt: 1, venue: { spotUrl: DEAD } };
      const capabilities = { klinesHaveStartTime: true };
      await writeFile(file, JSON.stringify({ ...earlier, capabilities }));
      const reader = await open(file, 'r');
      const rules = createRuleBook(requireSession(loaded, 'live'));
      const { context } = aCliContext({ env: { KEY: 'a-key', SECRET: 'a-secret' }, cwd: folder });

      const check = await checkVenue({ ...loaded, rules } as LoadedBot, context);

      // A bot that opened the earlier file before the check still reads it whole.
      const read = await reader.readFile('utf8');
      await reader.close();
      expect(JSON.parse(read)).toEqual({ ...earlier, capabilities });
      const written = parseVenueProfile(await readFile(file, 'utf8'));
      expect(written?.capabilities).toEqual(capabilities);
      expect(written?.checkedAt).toBeGreaterThan(1);
      const rows = describeVenueCheck(check, folder);
      expect(rows).toContain(
        'capability  klines from a start: yes, from an earlier check: not tested now',
      );
      expect(rows).toContain('capability  test orders: not known');
    }));
});
