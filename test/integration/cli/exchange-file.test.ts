import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../../support/cli/command-runner.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

describe('exchange', () => {
  it.each<[string, string, readonly string[]]>([
    [
      'an address that other machines could call',
      'listen: { host: 0.0.0.0, port: 0 }',
      [
        'exchange.yaml:1:11 listen.host: expected an address of this machine only, such as 127.0.0.1, or listen.remote: true, received "0.0.0.0" (E_EXCHANGE_HOST)',
      ],
    ],
    [
      'an unknown fault',
      'faults: { rules: [{ fault: latncy }] }',
      [
        'exchange.yaml:1:19 faults.rules.0: expected a fault, received fault: expected one of latency, connection-refused, reset-before, reset-after, answer-lost, server-error, timeout-after, rate-limited, banned, truncated-json, malformed-json, html, frozen-ticker, repeated-kline, missing-kline, duplicate-kline, unordered-klines, clock-skew, clock-drift, many-fills, hidden-order, cancel-fills, maintenance, untradable, precision, received "latncy" (E_FAULT)',
      ],
    ],
    [
      'balances that are no amounts',
      'accounts: [{ name: a, balances: { spot: { USDT: "-1" }, futures: { USDT: ten } } }]',
      [
        'exchange.yaml:1:43 accounts.0.balances.spot.USDT: expected a quoted decimal >= 0 and < 100000000000000000000, received "-1" (E_CONFIG_VALUE)',
        'exchange.yaml:1:68 accounts.0.balances.futures.USDT: expected a quoted decimal of at most 18 decimals, received "ten" (E_CONFIG_VALUE)',
      ],
    ],
  ])('names file, line and key of %s', async (_, text, lines) => {
    const folder = await temporaryFolder();
    await writeFile(path.join(folder, 'exchange.yaml'), `${text}\n`);

    const run = await runCommand(folder, ['exchange', 'exchange.yaml']);

    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr.trimEnd().split('\n')).toEqual(lines);
  });

  it.each([
    ['as text', []],
    ['as JSON', ['--json']],
  ])('does not show a control token that the user has set, %s', async (_, flags) => {
    const folder = await temporaryFolder();
    const words = ['exchange', '--synthetic', '1', '--port', '0', ...flags];
    const ended = new AbortController();
    let shown = '';
    const write = (text: string): void => {
      shown += text;
      ended.abort();
    };

    await runCommand(folder, words, {
      env: { EVENKEEL_CONTROL_TOKEN: 'a-secret-of-mine' },
      stdout: { write, isTerminal: false, columns: undefined },
      signal: ended.signal,
    });

    expect(shown).toContain('EVENKEEL_CONTROL_TOKEN');
    expect(shown).not.toContain('a-secret-of-mine');
  });

  it('refuses two accounts with one key', async () => {
    const folder = await temporaryFolder();
    await writeFile(
      path.join(folder, 'exchange.yaml'),
      'accounts:\n  - { name: a, keyEnv: A_KEY }\n  - { name: b, keyEnv: B_KEY }\n',
    );

    const run = await runCommand(folder, ['exchange', 'exchange.yaml'], {
      env: { A_KEY: 'same', B_KEY: 'same' },
    });

    expect(run).toEqual({
      exitCode: 2,
      stdout: '',
      stderr:
        'exchange.yaml:3:16 accounts.1.keyEnv: expected a key of its own for each account, received in B_KEY the key of another account (E_CONFIG_DUPLICATE)\n',
    });
  });

  it.each([
    ['as text', []],
    ['as JSON', ['--json']],
  ])('prints only generated secrets, %s', async (_, flags) => {
    const folder = await temporaryFolder();
    const accounts = 'accounts: [{ name: a, keyEnv: A_KEY, secretEnv: A_SECRET }, { name: b }]';
    await writeFile(
      path.join(folder, 'exchange.yaml'),
      `listen: { port: 0 }\nmarket: { synthetic: { seed: 1 } }\n${accounts}\n`,
    );

    const run = await runCommand(folder, ['exchange', 'exchange.yaml', ...flags], {
      env: { A_KEY: 'key-of-a', A_SECRET: 'secret-of-a' },
      signal: AbortSignal.abort(),
    });

    expect(run.exitCode).toBe(130);
    expect(run.stdout).toContain('key-of-a');
    expect(run.stdout).toContain('A_SECRET');
    expect(run.stdout).not.toContain('secret-of-a');
    expect(run.stdout).toMatch(/secret\W+[0-9a-f]{48}/);
  });
});
