import { formatUtc } from '../../domain/index.js';
import { notDone, proofOf, type AuditSubject, type PlannedPart } from './audit-desk.js';
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
  return {
    runs: 2,
    judge: async (run) => {
      const [one, other] = await Promise.all([
        run({ config, keepsWants: true }),
        run({ config, keepsWants: true, order: 'reversed' }),
      ]);
      const wants = listWants(one.trace);
      const { onlyOne, onlyOther } = compareWants(wants, listWants(other.trace));
      const parted = firstTime([...onlyOne, ...onlyOther]);
      const sent = compareWants(
        one.trace.flatMap(({ sends }) => sends),
        other.trace.flatMap(({ sends }) => sends),
      );
      const counts = { instruments, decisions: wants.length };
      // Equal wants that did not lead to equal orders: there was not enough for all, and who came first got it.
      if (parted > firstTime([...sent.onlyOne, ...sent.onlyOther]))
        return {
          ...proofOf(
            [],
            'the account is too small for all that is wanted at once: who comes first gets it',
          ),
          ...counts,
        };
      const findings = Number.isFinite(parted)
        ? [
            `at ${formatUtc(parted)}: ${wantAt(onlyOne, parted)} in the order of the config, ${wantAt(onlyOther, parted)} in the opposite one (E_AUDIT_ORDER)`,
          ]
        : [];
      return { ...proofOf(findings), ...counts };
    },
  };
}

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
