import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { CommandArrivals } from '../../../../src/assembly/replay/command-arrivals.js';
import { createInstrumentId, type ClientOrderId } from '../../../../src/domain/index.js';
import type { VenueUpdate } from '../../../../src/venue/index.js';

const instrumentId = createInstrumentId('spot', 'BTCUSDT');
const reason = { code: 'canceled', text: '' };
const LAST = 120;

/** A command that is sent at an instant and how long it travels, or something that the venue does by itself. */
type Step =
  | { readonly at: number; readonly kind: 'send'; readonly delayMs: number }
  | { readonly at: number; readonly kind: 'before the poll' | 'after the poll' };

const at = fc.nat({ max: 60 });
const steps: fc.Arbitrary<readonly Step[]> = fc
  .array(
    fc.oneof(
      fc.record({
        at,
        kind: fc.constant('send' as const),
        delayMs: fc.nat({ max: 30 }),
      }),
      fc.record({
        at,
        kind: fc.constantFrom('before the poll' as const, 'after the poll' as const),
      }),
    ),
    { maxLength: 12 },
  )
  .map((drawn) => drawn.sort((a, b) => a.at - b.at));

function updateOf(id: string, eventTime: number): VenueUpdate {
  return {
    kind: 'ended',
    clientOrderId: id as ClientOrderId,
    status: 'canceled',
    reason,
    eventTime,
  };
}

/** What happens when. `goesOn` says the next instant to be looked at. */
function diary(
  drawn: readonly Step[],
  pollMs: number,
  goesOn: (now: number, next: number) => number,
): readonly string[] {
  const lines: string[] = [];
  let now = -1;
  let delayMs = 0;
  const arrivals = new CommandArrivals(
    {
      engine: { strategyName: 'none' },
      latency: { delayMs: () => delayMs },
      updatePollMs: pollMs,
      venue: {
        submit: () => undefined,
        admitWaiting: () => undefined,
        cancel: (id) => {
          lines.push(`+${String(now)} ${id} arrives`);
          arrivals.receive(updateOf(id, now));
          arrivals.receive(updateOf(`after ${id}`, now));
        },
      },
    },
    (update) => lines.push(`+${String(now)} ${'clientOrderId' in update && update.clientOrderId}`),
  );
  for (now = 0; now <= LAST;) {
    const present = drawn.filter((step) => step.at === now);
    const nameOf = (step: Step): string => `${step.kind} ${String(drawn.indexOf(step))}`;
    for (const step of present)
      if (step.kind === 'before the poll') arrivals.receive(updateOf(nameOf(step), now));
    arrivals.poll(now);
    for (const step of present) {
      if (step.kind === 'after the poll') arrivals.receive(updateOf(nameOf(step), now));
      if (step.kind === 'send') {
        delayMs = step.delayMs;
        const clientOrderId = nameOf(step) as ClientOrderId;
        arrivals.send([{ kind: 'cancel', clientOrderId, instrumentId }], now);
      }
    }
    arrivals.arrive();
    const told = drawn.find((step) => step.at > now)?.at ?? Number.POSITIVE_INFINITY;
    now = goesOn(now, Math.min(told, arrivals.nextTime()));
  }
  expect(arrivals.isQuiet).toBe(true);
  return lines;
}

/** When a command arrives, and when is known what the venue did by itself, as DESIGN R2 says it. */
function linesByHand(drawn: readonly Step[], pollMs: number): readonly string[] {
  const pollFrom = (time: number): number => Math.ceil(time / pollMs) * pollMs;
  return drawn.flatMap((step, index) => {
    const name = `${step.kind} ${String(index)}`;
    if (step.kind !== 'send') {
      const from = step.kind === 'before the poll' ? step.at : step.at + 1;
      return [`+${String(pollFrom(from))} ${name}`];
    }
    const arrival = step.at + step.delayMs;
    return [
      `+${String(arrival)} ${name} arrives`,
      `+${String(arrival)} ${name}`,
      `+${String(pollFrom(arrival + 1))} after ${name}`,
    ];
  });
}

describe('CommandArrivals', () => {
  it('brings nothing before it says, and everything when it is due', () => {
    fc.assert(
      fc.property(steps, fc.constantFrom(1, 4, 7), (drawn, pollMs) => {
        const stepped = diary(drawn, pollMs, (now) => now + 1);
        const jumped = diary(drawn, pollMs, (_now, next) => next);

        expect(jumped).toEqual(stepped);
        expect(stepped.toSorted()).toEqual(linesByHand(drawn, pollMs).toSorted());
      }),
    );
  });
});
