import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  chunkSchema,
  idOfChunk,
  keyOfTrial,
  parseMessage,
  parseRuns,
  parseSearch,
  parseTrials,
  chunkResultSchema,
  writeRuns,
  writeTrials,
  type ChunkRun,
} from '../../../src/queue/messages.js';
import { Seal } from '../../../src/queue/seal.js';
import type { TrialJob } from '../../../src/research/index.js';

const time = fc.integer({ min: 0, max: 2e12 });
const parameters = fc.dictionary(
  fc.stringMatching(/^[a-z][a-zA-Z0-9]{0,8}$/),
  fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.string(), fc.boolean()),
  { maxKeys: 5, noNullPrototype: true },
);
const span = fc.record({ from: time, to: time });
const job: fc.Arbitrary<TrialJob> = fc.record(
  {
    parameters,
    span,
    redraw: fc.record({
      from: time,
      to: time,
      seed: fc.nat(),
      block: fc.integer({ min: 1, max: 99 }),
    }),
  },
  { requiredKeys: ['parameters'], noNullPrototype: true },
);
const failed = fc.record(
  { status: fc.constant('failed' as const), code: fc.string(), message: fc.string() },
  { noNullPrototype: true },
);
const returns = fc.record(
  {
    from: time,
    values: fc
      .array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 30 })
      .map((values) => Float64Array.from(values)),
  },
  { noNullPrototype: true },
);
const run: fc.Arbitrary<ChunkRun> = fc.oneof(
  fc.record({ outcome: failed }, { noNullPrototype: true }),
  fc.record({ outcome: failed, returns }, { noNullPrototype: true }),
  fc.record({ crash: fc.string() }, { noNullPrototype: true }),
);

describe('messages of a queue', () => {
  it('keep combinations unchanged when written and read', () => {
    fc.assert(
      fc.property(fc.array(job, { minLength: 1, maxLength: 20 }), (jobs) => {
        const read = parseTrials(writeTrials(jobs));

        expect(read?.map(keyOfTrial)).toEqual(jobs.map(keyOfTrial));
      }),
    );
  });

  it('keep results bit for bit when written and read', () => {
    fc.assert(
      fc.property(fc.array(run, { minLength: 1, maxLength: 20 }), (runs) => {
        expect(parseRuns(writeRuns(runs), runs.length)).toEqual(runs);
      }),
    );
  });

  it('give a combination the same key for any order of its parameters', () => {
    fc.assert(
      fc.property(job, (one) => {
        const turned = Object.fromEntries(Object.entries(one.parameters).reverse());

        expect(keyOfTrial({ ...one, parameters: turned })).toBe(keyOfTrial(one));
      }),
    );
  });

  it('parse any text to undefined or valid values, without throwing', () => {
    const texts = fc.oneof(
      fc.string(),
      fc.json(),
      fc.jsonValue().map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(texts, fc.nat(5), (text, count) => {
        expect(parseSearch(text)).toBeUndefined();
        const trials = parseTrials(text);
        expect(trials === undefined || trials.length > 0).toBe(true);
        const runs = parseRuns(text, count);
        expect(runs === undefined || runs.length === count).toBe(true);
        parseMessage(text, chunkSchema);
        parseMessage(text, chunkResultSchema);
      }),
    );
  });

  it('are refused with a file outside of its folder', () => {
    const hash = 'a'.repeat(64);
    const search = (name: string): string =>
      JSON.stringify({
        ...{ version: 1, owner: hash, engine: '1', node: 20, config: '', holdings: [] },
        plugin: { hash, entry: name, files: { [name]: '' } },
        inputs: { strategy: 's', source: hash, ground: hash, data: hash, engine: '1' },
      });

    expect(parseSearch(search('a/b.strategy.ts'))).toBeDefined();
    for (const name of [
      '../a.ts',
      'a/../../b.ts',
      '/etc/a.ts',
      'a//b.ts',
      '.',
      'C:\\a.ts',
      'a\0b',
      '',
    ])
      expect(parseSearch(search(name))).toBeUndefined();
  });

  it('have a signature that matches no other message, kind or secret', () => {
    const text = fc.string();
    fc.assert(
      fc.property(text, text, text, (secret, one, other) => {
        const seal = new Seal(`x${secret}`);
        const signature = seal.sign('chunk', one, other);

        expect(seal.verifies(signature, 'chunk', one, other)).toBe(true);
        expect(seal.verifies(signature, 'result', one, other)).toBe(false);
        expect(seal.verifies(signature, 'chunk', `${one}${other}`)).toBe(false);
        expect(seal.verifies(signature, 'chunk', other, one)).toBe(one === other);
        expect(new Seal(`y${secret}`).verifies(signature, 'chunk', one, other)).toBe(false);
        expect(seal.verifies(undefined, 'chunk', one, other)).toBe(false);
        expect(seal.verifies(one, 'chunk', one, other)).toBe(false);
      }),
    );
  });

  it('name a chunk by search and combinations', () => {
    const trials = writeTrials([{ parameters: { fast: 5 } }]);

    expect(idOfChunk('a', trials)).toMatch(/^[0-9a-f]{40}$/);
    expect(idOfChunk('a', trials)).not.toBe(idOfChunk('b', trials));
  });
});
