import { describe, expect, it } from 'vitest';
import { describeStretches, inFewerWords } from '../../../../src/research/fuzz/history.js';

describe('inFewerWords', () => {
  it('turns stretches without a move into flat stretches, and joins them', () => {
    expect(
      inFewerWords([
        { kind: 'flat', candles: 2 },
        { kind: 'gap', bps: 0 },
        { kind: 'move', candles: 3, bps: 0 },
        { kind: 'rules', change: 'closed' },
        { kind: 'spike', bps: 0 },
        { kind: 'halt', candles: 4 },
        { kind: 'gap', bps: -5 },
      ]),
    ).toEqual([
      { kind: 'flat', candles: 6 },
      { kind: 'rules', change: 'closed' },
      { kind: 'flat', candles: 1 },
      { kind: 'halt', candles: 4 },
      { kind: 'gap', bps: -5 },
    ]);
  });
});

describe('describeStretches', () => {
  it('describes each stretch in a few words', () => {
    expect(
      describeStretches([
        { kind: 'flat', candles: 1 },
        { kind: 'move', candles: 2, bps: -150 },
        { kind: 'gap', bps: 1_000 },
        { kind: 'spike', bps: -25 },
        { kind: 'thin', candles: 3, percent: 7 },
        { kind: 'halt', candles: 1 },
        { kind: 'rules', change: 'coarser steps' },
      ]),
    ).toBe(
      '1 candle flat, 2 candles of -1.5 % each, gap of +10 %, spike of -0.25 %, 3 candles with a volume of 7 % of the account, 1 candle missing, rules: coarser steps',
    );
    expect(describeStretches([])).toBe('nothing');
  });
});
