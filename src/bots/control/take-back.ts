import { DomainError, TransportError, type InstrumentId } from '../../domain/index.js';
import type { BotStatus } from '../../live/index.js';
import { askBot } from './control-client.js';
import { controlPath, type SocketPlace } from './control-path.js';
import { HAND_BACK } from './control-protocol.js';

/** How long a guard process may take to end its epoch. */
const PATIENCE_MS = 30_000;
const LOOK_MS = 50;

/** A process was there, and the connection ended before the answer: usually a guard process that is just ending. */
const UNCLEAR = 'unclear';
const BROKEN = new Set(['ECONNRESET', 'EPIPE']);
const ENDING: ReadonlySet<BotStatus['state']> = new Set(['halting', 'stopped']);

/** The file of a bot that wants its positions back. */
interface TakingFile {
  readonly instruments: readonly InstrumentId[];
  /** Rejects if the bot could not continue from what the guard process has. @defaultValue only the instruments are compared */
  readonly fits?: ((guarded: BotStatus) => Promise<void>) | undefined;
}

/**
 * Takes a bot's positions back from the process that guards them, if there is one. Then the bot's journal and contracts are free. `file`: absent: not
 * compared.
 *
 * @throws {TransportError} `E_CONTROL_SOCKET` if that process does not end; {DomainError} `E_CHECKPOINT` if it guards another instrument, and as `fits`: the
 * bot could not begin, so that process goes on.
 */
export async function takeBack(
  journal: string,
  place: SocketPlace,
  file?: TakingFile,
): Promise<void> {
  const path = controlPath(journal, place);
  const ask = (command: 'status' | typeof HAND_BACK) =>
    askBot({ command }, { path }).catch((error: unknown) =>
      isBroken(error) ? UNCLEAR : undefined,
    );
  let isFitting = false;
  for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_MS) {
    const answer = await ask('status');
    if (answer === undefined) return;
    if (answer !== UNCLEAR) {
      if (!answer.ok || answer.status.guardedBy.process !== 'guard') return;
      if (file !== undefined && !isFitting) {
        requireAll(answer.status, file.instruments);
        await file.fits?.(answer.status);
        isFitting = true;
      }
      // Repeated with each look: a process that was just starting may have lost the request, and a second request changes nothing.
      await ask(HAND_BACK);
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  throw new TransportError(
    'E_CONTROL_SOCKET',
    `${path}: the guard process did not hand the bot back within ${String(PATIENCE_MS / 1_000)} s`,
  );
}

/** Waits while a guard process hands the bot back. The process that asked for it may have died; then the bot has no owner. */
export async function untilHandedBack(journal: string, place: SocketPlace): Promise<void> {
  const path = controlPath(journal, place);
  for (;;) {
    const answer = await askBot({ command: 'status' }, { path }).catch(() => undefined);
    if (answer?.ok !== true || answer.status.guardedBy.process !== 'guard') return;
    if (!ENDING.has(answer.status.state)) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

function requireAll(
  { positions, orders, triggers }: BotStatus,
  instruments: readonly InstrumentId[],
): void {
  const held = [...positions, ...orders, ...triggers].map(({ instrumentId }) => instrumentId);
  const missing = [...new Set(held)].filter((id) => !instruments.includes(id));
  if (missing.length === 0) return;
  throw new DomainError(
    'E_CHECKPOINT',
    `the bot has positions or orders in ${missing.join(', ')}, which its file does not name; add what is missing, then start it again; its guard process goes on`,
  );
}

function isBroken(error: unknown): boolean {
  if (!(error instanceof TransportError)) return false;
  if (error.code !== 'E_CONTROL_SOCKET') return true;
  const { cause } = error;
  return cause instanceof Error && 'code' in cause && BROKEN.has(String(cause.code));
}
