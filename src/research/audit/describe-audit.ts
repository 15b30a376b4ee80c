import { nounOf } from '../../domain/index.js';
import { countText, instantText } from '../../report/index.js';
import type { Audit, Proof } from './audit-schema.js';
import { describeTables, type AuditTable, type Section } from './describe-tables.js';

/** An audit in words, for any output. */
export interface AuditWords {
  /** The strategy and its range, then the number of runs and the seed. */
  readonly title: readonly [string, string];
  /** Each proof with its comparison. If it shows little, the reason follows. */
  readonly proofs: readonly (Pick<Proof, 'verdict' | 'findings'> & {
    readonly name: string;
    readonly said: string;
  })[];
  readonly tables: readonly AuditTable[];
  /** Notes on packages of the plugin. */
  readonly notes: readonly string[];
  /** Violations, in the order of the parts. */
  readonly findings: readonly string[];
}

/** Describes an audit in words. */
export function describeAudit(audit: Audit): AuditWords {
  const { lookAhead, determinism, warmUp, order } = audit;
  const proofs = [
    ...(lookAhead ? [proof('Look-ahead', lookAhead, describeLookAhead(lookAhead))] : []),
    ...(determinism ? [proof('Determinism', determinism, describeDeterminism(determinism))] : []),
    ...(warmUp ? [proof('Warm-up', warmUp, describeWarmUp(warmUp))] : []),
    ...(order ? [proof('Order', order, describeOrder(order))] : []),
  ];
  return {
    title: titleOf(audit),
    proofs,
    tables: describeTables(audit),
    notes: determinism?.notes ?? [],
    findings: proofs.flatMap(({ findings }) => findings),
  };
}

function titleOf({ audit }: Audit): AuditWords['title'] {
  const { strategy, parameters, from, to, runs, seed } = audit;
  const set = Object.entries(parameters).map(([name, value]) => `${name} ${String(value)}`);
  return [
    `${[strategy, ...set].join(', ')}, ${instantText(from)} to ${instantText(to)}`,
    `${countText(runs)} ${nounOf(runs, 'backtest')}, seed ${String(seed)}`,
  ];
}

function proof(
  name: string,
  { verdict, reason, findings }: Proof,
  compared: string,
): AuditWords['proofs'][number] {
  const said = verdict === 'not done' ? (reason ?? '') : [compared, reason ?? []].flat().join('; ');
  return { name, verdict, said, findings };
}

function describeLookAhead({ instants, compared, finer }: Section<'lookAhead'>): string {
  const at = (count: number): string => `${countText(count)} ${nounOf(count, 'instant')}`;
  const steps = `${countText(compared)} ${nounOf(compared, 'step')}`;
  const walked =
    finer === null
      ? ''
      : `; on finer candles ${at(finer.instants)}, ${countText(finer.compared)} ${nounOf(finer.compared, 'step')}`;
  return `${at(instants)}, with later candles cut off, replaced by noise, or one candle earlier: ${steps} compared${walked}`;
}

function describeDeterminism({ commands, seed }: Section<'determinism'>): string {
  const orders = `${countText(commands)} ${nounOf(commands, 'order or cancel', 'orders and cancels')}`;
  const seeded =
    seed === 'other'
      ? ', with another seed'
      : '; not with another seed, because it draws random numbers';
  return `${orders}: compared with a second run, in another thread at another time${seeded}`;
}

function describeWarmUp({ lookback, heard, starts }: Section<'warmUp'>): string {
  const candles = (count: number): string => `${countText(count)} ${nounOf(count, 'candle')}`;
  return `${countText(starts)} ${nounOf(starts, 'start')} with a warm-up of ${candles(heard)}, compared with longer warm-ups (a lookback is ${candles(lookback)})`;
}

function describeOrder({ instruments, decisions }: Section<'order'>): string {
  const wants = `${countText(decisions)} ${nounOf(decisions, 'decision')}`;
  return `${countText(instruments)} instruments in other orders: ${wants} compared`;
}
