import type { RunIdentity } from '../../report/index.js';
import { describeConfig, hashInputs, type InputHashes } from './hash-inputs.js';
import { ENGINE_VERSION } from './version.js';

type HashedInputs = Parameters<typeof hashInputs>;

/** Makes the identity of a run. Hashes are computed when they are read, because a sweep needs none for the runs it keeps. */
export function identify(
  known: Omit<RunIdentity, 'id' | 'configHash' | 'dataHash' | 'engine' | 'config'>,
  inputs: HashedInputs,
): RunIdentity {
  let made: InputHashes | undefined;
  const hashes = (): InputHashes => (made ??= hashInputs(...inputs));
  return {
    ...known,
    get id() {
      return hashes().run;
    },
    get configHash() {
      return hashes().config;
    },
    get dataHash() {
      return hashes().data;
    },
    engine: ENGINE_VERSION,
    get config() {
      return describeConfig(inputs[0]);
    },
  };
}
