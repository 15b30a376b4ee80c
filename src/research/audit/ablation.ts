import { formatFixed, parseFixed } from '../../domain/index.js';
import { parseParameters, type ParameterDeclarations } from '../../strategy/index.js';
import type { AuditSubject, PlannedPart } from './audit-desk.js';
import type { AuditJob, AuditRun } from './audit-job.js';
import type { Audit } from './audit-schema.js';

type Ablation = NonNullable<Audit['ablation']>;
type Row = Ablation['rows'][number];
type Config = AuditSubject['config'];

/** A run without one rule, or with another value of one parameter. */
interface Variant extends Pick<Row, 'kind' | 'name' | 'value'> {
  readonly job: AuditJob;
}

/** A strategy with more labels names single orders with them. A run without one of these would say nothing. */
const MOST_LABELS = 100;
/** Distance of the neighbors of a parameter that is no integer, as a share of its value; of its range if the value is 0. */
const NEIGHBOR = 0.1;
/** Significant digits of such a neighbor: the sum of two float64 has more digits than are meant. */
const DIGITS = 6;

/**
 * Plans runs that show what each rule of a strategy earns: one run without each label, guard and protection, one without each instrument if there are
 * several, and one with each parameter at its neighbors. For information only: no outcome is a violation.
 */
export function planAblation(
  subject: AuditSubject,
  declared: ParameterDeclarations,
): PlannedPart<Ablation> {
  const { config, finished, base } = subject;
  const labels = base.rules.filter(({ kind }) => kind === 'label').length;
  const isTold = labels <= MOST_LABELS;
  const rules = base.rules.filter(({ kind }) => isTold || kind !== 'label');
  const variants = [
    ...rules.map((rule): Variant => ({
      ...rule,
      value: null,
      job: { config, intents: rule },
    })),
    ...listInstruments(config),
    ...listProtections(config),
    ...listNeighbors(config, declared),
  ];
  const { final, currency } = finished.equity;
  return {
    runs: variants.length,
    judge: async (run) => ({
      currency,
      finalEquity: final,
      note: isTold
        ? null
        : `${String(labels)} labels are more than ${String(MOST_LABELS)}: they name orders and no rules, and none is switched off`,
      rows: await Promise.all(
        variants.map(async ({ job, ...variant }) => ({
          ...variant,
          ...moneyOf(await run(job), final),
        })),
      ),
    }),
  };
}

/** Without its only instrument a run would be empty. */
function listInstruments(config: Config): readonly Variant[] {
  if (config.instruments.length < 2) return [];
  return config.instruments.map(({ instrumentId: name }): Variant => {
    const intents = { kind: 'instrument', name } as const;
    return { kind: 'instrument', name, value: null, job: { config, intents } };
  });
}

function listProtections(config: Config): readonly Variant[] {
  const { risk } = config;
  return Object.keys(risk.protections).map((name): Variant => {
    const others = Object.entries(risk.protections).filter(([key]) => key !== name);
    const protections = Object.fromEntries(others) as typeof risk.protections;
    const job = { config: { ...config, risk: { ...risk, protections } } };
    return { kind: 'protection', name, value: null, job };
  });
}

function listNeighbors(config: Config, declared: ParameterDeclarations): readonly Variant[] {
  const { strategy } = config;
  const parsed = parseParameters(declared, strategy.parameters);
  if (!parsed.ok) return [];
  return Object.entries(declared).flatMap(([name, declaration]) =>
    neighborsOf(declaration, parsed.values[name]).map((value): Variant => {
      const parameters = { ...strategy.parameters, [name]: value };
      const job = { config: { ...config, strategy: { ...strategy, parameters } } };
      return { kind: 'parameter', name, value, job };
    }),
  );
}

/** Neighbors of a value: one step lower and higher, the other boolean, or the options before and after. */
function neighborsOf(
  declaration: ParameterDeclarations[string],
  value: unknown,
): readonly NonNullable<Row['value']>[] {
  switch (declaration.kind) {
    case 'boolean':
      return [value !== true];
    case 'choice': {
      const { options } = declaration;
      const place = options.findIndex((option) => option === value);
      return [options[place - 1], options[place + 1]].filter((option) => option !== undefined);
    }
    case 'int':
    case 'number': {
      const { min, max } = declaration;
      const own = Number(value);
      const width = own === 0 ? max - min : Math.abs(own);
      const step = declaration.kind === 'int' ? declaration.step : NEIGHBOR * width;
      return [own - step, own + step]
        .map((other) => Number(other.toPrecision(declaration.kind === 'int' ? 16 : DIGITS)))
        .filter((other) => other >= min && other <= max && other !== own);
    }
  }
}

function moneyOf({ outcome }: AuditRun, plain: string): Pick<Row, 'money' | 'failed'> {
  if (outcome.status === 'failed') return { money: null, failed: outcome.code };
  const { equity, orders, statistics } = outcome;
  const difference = formatFixed(parseFixed(equity.final) - parseFixed(plain));
  const { trades } = statistics;
  return { money: { finalEquity: equity.final, difference, orders, trades }, failed: null };
}
