import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { BacktestConfig } from '../../../src/assembly/index.js';
import {
  createInstrumentId,
  HOUR_MS,
  parseFixed,
  type InstrumentId,
} from '../../../src/domain/index.js';
import { randomRuns, type RandomRun } from '../../support/arbitraries/random-runs.js';
import { inputsOf, paperRigs, type PaperInput, type PaperRig } from '../../support/paper-run.js';
import { RandomTrader } from '../../support/strategies/random-trader.js';
import { replayRuns } from '../../support/runs.js';

const parameters = fc.record({
  warmup: fc.constantFrom(0, 0, 3),
  activity: fc.constantFrom(0.3, 0.6),
  money: fc.constantFrom(300, 5_000, 200_000),
});
const kinds = fc.constantFrom('spot', 'margin', 'futures');
const lengths = { minLength: 20, maxLength: 80 };

interface PaperRun {
  readonly config: BacktestConfig;
  readonly inputs: readonly PaperInput[];
}

/** The random runs, with their pairs as pairs, margin pairs or contracts. */
const paperRuns: fc.Arbitrary<PaperRun> = fc
  .record({ run: randomRuns(parameters, lengths), kind: kinds })
  .map(({ run, kind }) => ({ config: configOf(run, kind), inputs: readsOf(run, kind) }));

type Kind = 'spot' | 'margin' | 'futures';

function idOf(id: InstrumentId, kind: Kind): InstrumentId {
  const symbol = id.slice(id.indexOf(':') + 1);
  return kind === 'futures'
    ? createInstrumentId(kind, `E-${symbol.replace('USDT', '-USDT')}`)
    : createInstrumentId(kind, symbol);
}

function configOf({ config }: RandomRun, kind: Kind): BacktestConfig {
  if (kind === 'spot') return config;
  const { simulation } = config;
  const leverage = parseFixed('5');
  return {
    ...config,
    instruments: config.instruments.map(({ instrumentId, symbol, base, quote, intervals }) => {
      const common = { instrumentId: idOf(instrumentId, kind), base, quote, intervals, leverage };
      return kind === 'margin'
        ? { kind, ...common, symbol }
        : {
            kind,
            ...common,
            symbol: `E-${base}-${quote}`,
            contract: 'linear',
            multiplier: parseFixed('0.1'),
            marginMode: 'cross',
          };
    }),
    simulation: {
      ...simulation,
      balances: { [kind]: new Map([['USDT', parseFixed('10000')]]) },
      fees: { ...simulation.fees, paidIn: 'quote' },
      futures: { ...simulation.futures, fundingIntervalMs: HOUR_MS },
      rules: new Map(
        [...simulation.rules].map(([id, rules]) => [
          idOf(id, kind),
          kind === 'futures' ? { ...rules, quantityPrecision: 0 } : rules,
        ]),
      ),
    },
  };
}

function readsOf({ series }: RandomRun, kind: Kind): readonly PaperInput[] {
  const own = series.map((each) => ({ ...each, instrumentId: idOf(each.instrumentId, kind) }));
  const inputs = inputsOf(own, { marks: kind === 'futures' });
  if (kind !== 'futures') return inputs;
  const end = inputs.at(-1)?.time ?? 0;
  const fundings: PaperInput[] = [];
  for (let time = (inputs[0]?.time ?? 0) - ((inputs[0]?.time ?? 0) % HOUR_MS); time <= end;) {
    time += HOUR_MS;
    for (const instrumentId of new Set(own.map((each) => each.instrumentId)))
      fundings.push({
        kind: 'funding',
        time: time + 700,
        instrumentId,
        rate: parseFixed('0.0003'),
        markPrice: parseFixed('99.5'),
      });
  }
  return [...inputs, ...fundings].sort((a, b) => a.time - b.time);
}

/** Runs to the end. The books of bot and venue must agree whenever the bot has received every update. */
function runChecked(rig: PaperRig): PaperRig {
  while (rig.step())
    if (rig.orderManager.isTold)
      expect(rig.engine.portfolio.residual(rig.orderManager.balances())).toBe(0n);
  return rig;
}

describe('a session on paper', () => {
  it('has a residual of 0 after every event, and gives the same entries twice', async () => {
    const fills = { spot: 0, margin: 0, futures: 0 };
    let financings = 0;

    await fc.assert(
      fc.asyncProperty(paperRuns, async ({ config, inputs }) => {
        const make = await paperRigs(config, RandomTrader, inputs);

        const rig = runChecked(make());

        expect(make().finish().entries).toEqual(rig.entries);
        fills[config.instruments[0]?.kind ?? 'spot'] += rig.engine.fills.length;
        financings += rig.engine.financings.length;
      }),
      { numRuns: replayRuns() },
    );

    // Without such cases the laws would be untested.
    for (const count of Object.values(fills)) expect(count).toBeGreaterThan(replayRuns() / 2);
    expect(financings).toBeGreaterThan(0);
  });

  it('fills nothing before the order arrived, and only at times of readings', async () => {
    await fc.assert(
      fc.asyncProperty(paperRuns, async ({ config, inputs }) => {
        const rig = (await paperRigs(config, RandomTrader, inputs))().finish();
        const reads = new Set(inputs.map(({ time }) => time));
        const sent = new Map<string, number>();
        for (const { event, commands } of rig.entries)
          for (const command of commands)
            if (command.kind === 'submit') sent.set(command.order.clientOrderId, event.time);
        const delayMs = config.simulation.latency.submit.min;

        for (const { record } of rig.engine.fills) {
          expect(reads.has(record.eventTime)).toBe(true);
          const decided = sent.get(record.clientOrderId);
          if (decided !== undefined)
            expect(record.eventTime).toBeGreaterThanOrEqual(decided + delayMs);
        }
      }),
      { numRuns: replayRuns() },
    );
  });

  it('fills the same if unchanged prices are left out', async () => {
    let left = 0;

    await fc.assert(
      fc.asyncProperty(paperRuns, async ({ config, inputs }) => {
        const make = await paperRigs(config, RandomTrader, inputs);
        const whole = make().finish();

        const brief = make();
        brief.skipsSame = true;
        brief.finish();

        expect(brief.engine.fills).toEqual(whole.engine.fills);
        expect(brief.orderManager.balances()).toEqual(whole.orderManager.balances());
        left += whole.entries.length - brief.entries.length;
      }),
      { numRuns: replayRuns() },
    );

    expect(left).toBeGreaterThan(0);
  });

  it('continues after a kill between any two events as if uninterrupted', async () => {
    await fc.assert(
      fc.asyncProperty(
        paperRuns,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 4 }),
        async ({ config, inputs }, kills) => {
          const make = await paperRigs(config, RandomTrader, inputs);
          const whole = make().finish();

          for (const part of kills) {
            const cut = Math.floor(part * whole.entries.length);
            const restarted = make();
            restarted.restore(whole.entries.slice(0, cut), whole.read);
            restarted.finish();

            expect(restarted.entries).toEqual(whole.entries);
            expect(restarted.orderManager.balances()).toEqual(whole.orderManager.balances());
            expect(restarted.engine.worked).toEqual(whole.engine.worked);
          }
        },
      ),
      { numRuns: replayRuns() },
    );
  });
});
