/** The wire between a venue in one process and a bot in another, over the channel that `fork` opens. */
import type { ChildProcess } from 'node:child_process';
import type { LineServer } from './line-server.js';
import type { LineLink } from './line-wire.js';

interface Asked {
  readonly id: number;
  readonly line: string;
}

interface Answered {
  readonly id: number;
  readonly lines: readonly string[];
}

/** Handles a received order. Undefined: no answer is sent. */
export type OnOrder = (carryOut: () => readonly string[]) => readonly string[] | undefined;

/** Answers the requests of a process. `onOrder` is called with each received order. */
export function serveLines(child: ChildProcess, server: LineServer, onOrder: OnOrder): void {
  child.on('message', (message: object) => {
    if (!('line' in message)) return;
    const { id, line } = message as Asked;
    const carryOut = (): readonly string[] => server.ask(line);
    const lines = line.startsWith('PLACE') ? onOrder(carryOut) : carryOut();
    if (lines !== undefined) child.send({ id, lines } satisfies Answered, () => undefined);
  });
}

/** Sends requests to the parent process. */
export function linkToParent(): LineLink {
  const waiting = new Map<number, (lines: readonly string[]) => void>();
  let asked = 0;
  process.on('message', (message) => {
    if (typeof message !== 'object' || message === null || !('lines' in message)) return;
    const { id, lines } = message as Answered;
    waiting.get(id)?.(lines);
    waiting.delete(id);
  });
  return {
    ask: (line) =>
      new Promise((resolve) => {
        asked += 1;
        waiting.set(asked, resolve);
        process.send?.({ id: asked, line } satisfies Asked);
      }),
  };
}
