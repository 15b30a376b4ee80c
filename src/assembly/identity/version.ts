/** Version of the engine, part of every run's identity. A test compares it with package.json. */
export const ENGINE_VERSION = '0.1.0';
