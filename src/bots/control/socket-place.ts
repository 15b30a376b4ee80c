import { tmpdir } from 'node:os';
import { runtimeFolder, type SocketPlace } from './control-path.js';

/** Where what processes of this user share goes: claims, bans, and control sockets whose journal has too long a path. */
export function socketPlace(): SocketPlace {
  const userId = process.getuid?.() ?? 0;
  const named = process.env['XDG_RUNTIME_DIR'];
  return { runtimeFolder: runtimeFolder({ named, userId, temporary: tmpdir() }), userId };
}
