import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { ArrivalQueue } from '../../../../src/simulator/clockwork/arrival-queue.js';
import { createInstrumentId, type ClientOrderId } from '../../../../src/domain/index.js';
import type { Command } from '../../../../src/engine/index.js';

const instrumentId = createInstrumentId('spot', 'BTCUSDT');

function aCancel(id: number): Command {
  return { kind: 'cancel', clientOrderId: String(id) as ClientOrderId, instrumentId };
}

function takenBy(queue: ArrivalQueue<Command>, time: number): readonly Command[] {
  return Array.from({ length: queue.arrivedBy(time) }, () => queue.take());
}

describe('ArrivalQueue', () => {
  it('returns arrived commands by time of arrival, then in the order of sending', () => {
    const queue = new ArrivalQueue<Command>();
    const [a, b, c, d] = [0, 1, 2, 3].map(aCancel) as [Command, Command, Command, Command];
    queue.add(a, 20);
    queue.add(b, 10);
    queue.add(c, 20);
    queue.add(d, 30);

    expect(queue.nextArrival()).toBe(10);
    expect(takenBy(queue, 9)).toEqual([]);
    expect(takenBy(queue, 20)).toEqual([b, a, c]);
    expect(queue.nextArrival()).toBe(30);
    expect(queue.count).toBe(1);
    expect(takenBy(queue, 30)).toEqual([d]);
    expect(queue.count).toBe(0);
    expect(queue.nextArrival()).toBe(Number.POSITIVE_INFINITY);
  });

  it('takeAll returns all queued commands by time of arrival', () => {
    const queue = new ArrivalQueue<Command>();
    const [a, b] = [0, 1].map(aCancel) as [Command, Command];
    queue.add(a, 20);
    queue.add(b, 10);

    expect(queue.takeAll()).toEqual([b, a]);
    expect(queue.count).toBe(0);
    expect(queue.nextArrival()).toBe(Number.POSITIVE_INFINITY);
  });

  it('stays a stable sort by time of arrival, for any sequence of sends and takes', () => {
    const steps = fc.array(
      fc.oneof(
        fc.record({ send: fc.nat({ max: 20 }) }),
        fc.record({ takeBy: fc.nat({ max: 25 }) }),
      ),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(steps, (script) => {
        const queue = new ArrivalQueue<Command>();
        let model: { readonly command: Command; readonly arrival: number }[] = [];
        for (const [index, step] of script.entries()) {
          if ('send' in step) {
            const command = aCancel(index);
            queue.add(command, step.send);
            model = [...model, { command, arrival: step.send }].sort(
              (x, y) => x.arrival - y.arrival,
            );
          } else {
            const isThere = ({ arrival }: { readonly arrival: number }): boolean =>
              arrival <= step.takeBy;
            expect(takenBy(queue, step.takeBy)).toEqual(
              model.filter(isThere).map(({ command }) => command),
            );
            model = model.filter((entry) => !isThere(entry));
          }
          expect(queue.nextArrival()).toBe(model[0]?.arrival ?? Number.POSITIVE_INFINITY);
          expect(queue.count).toBe(model.length);
        }
      }),
    );
  });
});
