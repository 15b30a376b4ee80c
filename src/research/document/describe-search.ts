import { present } from '../../domain/index.js';
import type { Constraint } from '../search/constraint.js';
import type { Axis, SearchSpace } from '../search/search-space.js';
import type { SweepPlan } from '../sweep.js';
import type { Sweep, SweepTrial } from './sweep-schema.js';

/** Parameters that the configuration sets and that are not searched, by name. */
export function fixedParameters(
  { config }: Pick<SweepPlan, 'config'>,
  space: SearchSpace,
): Sweep['sweep']['parameters'] {
  const searched = new Set(space.map(({ name }) => name));
  return Object.fromEntries(
    Object.entries(config.strategy.parameters)
      .filter(([name]) => !searched.has(name))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

export function describeAxis(axis: Axis): Sweep['sweep']['axes'][number] {
  const { name } = axis;
  return axis.kind === 'listed'
    ? { name, values: [...axis.values] }
    : { name, min: axis.min, max: axis.max };
}

/** The constraints of a search for its document. No key without any, so that documents without constraints keep their bytes. */
export function describeConstraints(
  constraints: readonly Constraint[] = [],
): Pick<Sweep['sweep'], 'constraints'> {
  return constraints.length === 0 ? {} : { constraints: constraints.map((each) => ({ ...each })) };
}

/** Index, id and parameters of a combination of a plan. */
export function placeOf(
  { combinations, ids }: SweepPlan,
  index: number,
): Omit<SweepTrial, 'status'> {
  return {
    index,
    id: present(ids[index], 'id'),
    parameters: present(combinations[index], 'combination').parameters,
  };
}
