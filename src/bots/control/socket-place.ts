import { tmpdir } from 'node:os';
import { runtimeFolder, type SocketPlace } from './control-path.js';

/** The place for data that processes of this user share: claims, bans, and control sockets whose journal has too long a path. */
export function socketPlace(): SocketPlace {
  const userId = process.getuid?.() ?? 0;
  const named = process.env['XDG_RUNTIME_DIR'];
  return { runtimeFolder: runtimeFolder({ named, userId, temporary: tmpdir() }), userId };
}
