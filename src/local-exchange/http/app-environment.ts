import type { HttpBindings } from '@hono/node-server';

/** What a handler may look at beside the request; empty where the app is called within the process. */
export interface AppEnvironment {
  Bindings: Partial<HttpBindings>;
}
