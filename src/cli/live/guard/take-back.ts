import { TransportError } from '../../../domain/index.js';
import { askBot } from '../control-client.js';
import { controlPath, type SocketPlace } from '../control-path.js';
import { HAND_BACK } from '../control-protocol.js';

/** How long a guard process may take to end its epoch. */
const PATIENCE_MS = 30_000;
const LOOK_MS = 50;

/**
 * Takes a bot's positions back from what has guarded them while the bot was dead, where something does: its journal and its contracts are free then.
 *
 * @throws {TransportError} `E_CONTROL_SOCKET` when it does not end.
 */
export async function takeBack(journal: string, place: SocketPlace): Promise<void> {
  const path = controlPath(journal, place);
  const ask = (command: 'status' | typeof HAND_BACK): ReturnType<typeof askBot> =>
    askBot({ command }, { path }).catch(() => undefined);
  const first = await ask('status');
  if (first?.ok !== true || first.status.guardedBy.process !== 'guard') return;
  await ask(HAND_BACK);
  for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_MS) {
    if ((await ask('status')) === undefined) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  throw new TransportError(
    'E_CONTROL_SOCKET',
    `${path}: what has guarded the bot does not hand back within ${String(PATIENCE_MS / 1_000)} s`,
  );
}
