import type { BacktestConfig } from '../../assembly/index.js';
import type { ConfigError } from '../../domain/index.js';
import type { YamlDocument } from './yaml-document.js';

/** The simulator knows spot only: margin and futures are refused here, and nowhere else. */
export function findUnbuiltProducts(
  config: BacktestConfig,
  document: YamlDocument,
): readonly ConfigError[] {
  return config.instruments.flatMap(({ kind }, index) =>
    kind === 'spot'
      ? []
      : [
          document.problem('E_CONFIG_PRODUCT', ['instruments', index, 'product'], {
            expected: 'spot, because the simulator does not know other products yet',
            received: kind,
          }),
        ],
  );
}
