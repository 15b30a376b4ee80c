import { formatUtc } from '../../domain/index.js';
import { notDone, proofOf, type AuditSubject, type PlannedPart } from './audit-desk.js';
import type { AuditRun } from './audit-job.js';
import type { Audit } from './audit-schema.js';
import { compareWants, firstTime, listWants } from './compare-wants.js';

type Order = NonNullable<Audit['order']>;

/** Plans the proof that the intents of a strategy do not depend on the order of the instruments' candles at one instant. */
export function planSliceOrder({ config }: AuditSubject): PlannedPart<Order> {
  const instruments = countTogether(config);
  if (instruments < 2) {
    const reason = 'no two instruments have candles at the same instants';
    return {
      runs: 0,
      judge: () => Promise.resolve({ ...notDone(reason), instruments, decisions: 0 }),
    };
  }
  // With three or more instruments, reversing leaves the middle one in its place, so a rotated order is tried too.
  const orders = instruments < 3 ? (['reversed'] as const) : (['reversed', 'rotated'] as const);
  return {
    runs: 1 + orders.length,
    judge: async (run) => {
      const [one, ...others] = await Promise.all([
        run({ config, keepsWants: true }),
        ...orders.map((order) => run({ config, keepsWants: true, order })),
      ]);
      const counts = { instruments, decisions: listWants(one.trace).length };
      const judged = others.map((other, place) => compareOrders(one, other, orders[place]));
      const violated = judged.find(({ findings }) => findings.length > 0);
      const scarce = judged.find(({ reason }) => reason !== null);
      return { ...(violated ?? scarce ?? proofOf([])), ...counts };
    },
  };
}

const SAYS = { reversed: 'the opposite one', rotated: 'one with the last first' } as const;

function compareOrders(
  one: AuditRun,
  other: AuditRun,
  order: keyof typeof SAYS = 'reversed',
): ReturnType<typeof proofOf> {
  const { onlyOne, onlyOther } = compareWants(listWants(one.trace), listWants(other.trace));
  const parted = firstTime([...onlyOne, ...onlyOther]);
  const sent = compareWants(
    one.trace.flatMap(({ sends }) => sends),
    other.trace.flatMap(({ sends }) => sends),
  );
  // Equal intents led to other orders: the account was too small for all, and the first intents got the money.
  if (parted > firstTime([...sent.onlyOne, ...sent.onlyOther])) return proofOf([], TOO_SMALL);
  if (!Number.isFinite(parted)) return proofOf([]);
  return proofOf([
    `at ${formatUtc(parted)}: ${wantAt(onlyOne, parted)} in the order of the config, ${wantAt(onlyOther, parted)} in ${SAYS[order]} (E_AUDIT_ORDER)`,
  ]);
}

const TOO_SMALL =
  'the account is too small for all that is wanted at once: who comes first gets it';

/** The largest number of instruments with the same interval. */
function countTogether({ instruments }: AuditSubject['config']): number {
  const counts = new Map<string, number>();
  for (const { intervals } of instruments)
    for (const interval of intervals) counts.set(interval, (counts.get(interval) ?? 0) + 1);
  return Math.max(0, ...counts.values());
}

function wantAt(wants: readonly string[], time: number): string {
  const want = wants.find((each) => Number.parseInt(each, 10) === time);
  return want === undefined ? 'nothing' : want.slice(want.indexOf(' ') + 1);
}
