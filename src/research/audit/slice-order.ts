import { formatUtc } from '../../domain/index.js';
import { notDone, proofOf, type AuditSubject, type PlannedPart } from './audit-desk.js';
import type { AuditRun } from './audit-job.js';
import type { Audit } from './audit-schema.js';
import { compareWants, firstTime, listWants } from './compare-wants.js';

type Order = NonNullable<Audit['order']>;

/** Plans the proof that a strategy wants the same in whichever order instruments have their candles of one instant. */
export function planSliceOrder({ config }: AuditSubject): PlannedPart<Order> {
  const instruments = countTogether(config);
  if (instruments < 2) {
    const reason = 'no two instruments have candles at the same instants';
    return {
      runs: 0,
      judge: () => Promise.resolve({ ...notDone(reason), instruments, decisions: 0 }),
    };
  }
  // Of three or more the one in the middle stays where it is when the order is turned round.
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
  // Equal wants that did not lead to equal orders: there was not enough for all, and who came first got it.
  if (parted > firstTime([...sent.onlyOne, ...sent.onlyOther])) return proofOf([], TOO_SMALL);
  if (!Number.isFinite(parted)) return proofOf([]);
  return proofOf([
    `at ${formatUtc(parted)}: ${wantAt(onlyOne, parted)} in the order of the config, ${wantAt(onlyOther, parted)} in ${SAYS[order]} (E_AUDIT_ORDER)`,
  ]);
}

const TOO_SMALL =
  'the account is too small for all that is wanted at once: who comes first gets it';

/** The most instruments that have one interval in common. */
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
