import type { InstrumentConfig, RiskConfig } from '../../assembly/index.js';
import type { Asset, Fixed } from '../../domain/index.js';
import { byInstrument, type CheckContext } from './by-instrument.js';
import { omitUndefined } from './omit-undefined.js';
import { WEEKDAYS } from './protection-schema.js';
import type { BotDocument } from './schema.js';

/** Makes the risk block of a config: how intents become orders, and the operator's protections. */
export function buildRisk(
  { marketBand, tooLarge, dust, ...written }: BotDocument['risk'],
  instruments: readonly InstrumentConfig[],
  context: CheckContext,
): RiskConfig {
  const {
    maxPriceAge,
    minEntryInterval,
    cooldownAfterStop,
    drawdownWindow,
    haltFor,
    priceBand,
    fundingBlock,
    tradingHours,
    maxPositionQuantity,
    maxAssetExposure,
    ...limits
  } = written;
  const protections = omitUndefined({
    ...limits,
    maxPriceAgeMs: maxPriceAge,
    minEntryIntervalMs: minEntryInterval,
    cooldownAfterStopMs: cooldownAfterStop,
    drawdownWindowMs: drawdownWindow,
    haltMs: haltFor,
    priceBand: priceBand && omitUndefined(priceBand),
    fundingBlock: fundingBlock && { beforeMs: fundingBlock.before, afterMs: fundingBlock.after },
    tradingHours: tradingHours?.map(({ days, from, to }) => ({
      days: days.map((day) => WEEKDAYS.indexOf(day)),
      from,
      to,
    })),
    maxPositionQuantity:
      maxPositionQuantity &&
      byInstrument(maxPositionQuantity, ['risk', 'maxPositionQuantity'], instruments, context),
    maxAssetExposure: maxAssetExposure && byBase(maxAssetExposure, instruments, context),
  });
  return { marketBand, tooLarge, dust, protections };
}

function byBase(
  written: Readonly<Record<string, Fixed>>,
  instruments: readonly InstrumentConfig[],
  { document, problems }: CheckContext,
): ReadonlyMap<Asset, Fixed> {
  const bases = [...new Set(instruments.map(({ base }) => base))];
  for (const name of Object.keys(written)) {
    if (bases.includes(name)) continue;
    problems.push(
      document.problem('E_CONFIG_KEY', ['risk', 'maxAssetExposure', name], {
        expected: `one of the assets that the instruments buy: ${bases.join(', ')}`,
        received: JSON.stringify(name),
      }),
    );
  }
  return new Map(Object.entries(written));
}
