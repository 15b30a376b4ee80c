/** How a user calls this program, for lines that they are to copy: from a clone, or as an installed package. */
export const OWN_COMMAND = ownCommandAt(import.meta.url);

/** @param url - a module of the program. */
export function ownCommandAt(url: string): string {
  return url.includes('/node_modules/') ? 'npx evenkeel' : 'node dist/cli/main.js';
}
