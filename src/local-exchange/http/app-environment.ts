import type { HttpBindings } from '@hono/node-server';

/** Data for handlers beside the request; empty if the app is called within the process. */
export interface AppEnvironment {
  Bindings: Partial<HttpBindings>;
}
