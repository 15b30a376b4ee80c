import { describe, expect, it } from 'vitest';
import { journalFile } from '../../../src/assembly/index.js';
import { requireSession } from '../../../src/bots/require-session.js';
import { describeError } from '../../../src/cli/describe-error.js';
import { BOT_YAML, botYaml, loadYaml } from '../../support/cli/bot-yaml.js';

const VENUE = 'venue: { spotUrl: "http://127.0.0.1:8480" }\n';
const KEYED =
  'venue: { spotUrl: "http://127.0.0.1:8480", keyEnv: EVENKEEL_KEY, secretEnv: EVENKEEL_SECRET }\n';
const MARGIN = botYaml(
  '{ product: spot, symbol: BTCUSDT, intervals: [1h] }',
  '{ product: margin, symbol: BTCUSDT, leverage: 3, intervals: [1h] }',
);
const FUTURES = botYaml(
  '{ product: spot, symbol: BTCUSDT, intervals: [1h] }',
  '{ product: futures, symbol: E-BTC-USDT, leverage: 3, marginMode: cross, multiplier: "0.001", intervals: [1h] }',
).replace(/ {4}BTCUSDT:/, '    E-BTC-USDT:');
const WITHOUT_SIMULATION = BOT_YAML.replace(/^simulation:[^]*$/m, '');

/** The lines that a user reads for an error that `run` throws; empty if it throws nothing. */
function failureLines(run: () => unknown): readonly string[] {
  try {
    run();
    return [];
  } catch (error: unknown) {
    return describeError(error).lines;
  }
}

describe('requireSession', () => {
  it('accepts a paper bot without a key, and a live bot with a key', async () => {
    const paper = requireSession(await loadYaml(BOT_YAML + VENUE), 'paper');
    const live = requireSession(await loadYaml(BOT_YAML + KEYED), 'live');

    expect(paper.venue.spotUrl).toBe('http://127.0.0.1:8480');
    expect(live.venue.key).toEqual({ kind: 'environment', name: 'EVENKEEL_KEY' });
  });

  it.each([
    ['paper', BOT_YAML, ['bot.yaml:1:1 venue: expected a mapping that says where to trade']],
    [
      'paper',
      WITHOUT_SIMULATION + VENUE,
      [
        'bot.yaml:1:1 simulation: expected a mapping with the fees, rules and balances that the venue does not show',
      ],
    ],
    [
      'paper',
      WITHOUT_SIMULATION,
      ['bot.yaml:1:1 simulation: expected', 'bot.yaml:1:1 venue: expected'],
    ],
    ['paper', FUTURES + VENUE, ['venue.futuresUrl: expected the address of the venue']],
    [
      'live',
      BOT_YAML + VENUE,
      ['venue.keyEnv: expected where the API key is', 'venue.secretEnv: expected where its secret'],
    ],
    ['live', MARGIN + KEYED, ['live.blindMargin: expected true, because the venue shows no']],
  ] as const)('refuses %s if the file lacks a required key', async (mode, yaml, expected) => {
    const loaded = await loadYaml(yaml);

    const lines = failureLines(() => requireSession(loaded, mode));

    expect(lines).toHaveLength(expected.length);
    expected.forEach((text, index) => expect(lines[index]).toContain(text));
    for (const line of lines) expect(line).toContain('(E_CONFIG_MISSING)');
  });

  it('accepts live margin with `blindMargin: true`', async () => {
    const loaded = await loadYaml(`${MARGIN}${KEYED}live: { blindMargin: true }\n`);

    expect(requireSession(loaded, 'live').live.blindMargin).toBe(true);
  });
});

describe('journalFile', () => {
  it.each([
    ['/bots/a.journal', '/bots/a.paper.journal'],
    ['/bots/v1.2/journal', '/bots/v1.2/journal.paper'],
  ])('returns a separate file for paper beside %s', (journal, paper) => {
    const config = { live: { journal } } as Parameters<typeof journalFile>[0];

    expect(journalFile(config, 'live')).toBe(journal);
    expect(journalFile(config, 'paper')).toBe(paper);
  });
});
