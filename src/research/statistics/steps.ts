/** Work with pauses, so that the caller can show its progress and stop it. It yields the share that is done, 0 to 1. */
export type Steps<T> = Generator<number, T, undefined>;
