import { present } from '../../domain/index.js';
import type { ParameterValue } from '../../report/index.js';
import type { Axis, Combination, SearchSpace } from './search-space.js';

/** A point of a search space: per axis a number from 0, its first value, to 1. */
export type Point = readonly number[];

/** Significant digits of a number on a continuous axis: few enough to be written in YAML and read back without loss. */
const DIGITS = 12;

/** The combination at a point. Listed values share their axis in equal parts. */
export function combinationAt(space: SearchSpace, point: Point): Combination {
  const places = space.map((axis, at) => {
    if (axis.kind === 'continuous') return Number.NaN;
    const { length } = axis.values;
    return Math.max(0, Math.min(length - 1, Math.floor(coordinate(point, at) * length)));
  });
  const parameters = Object.fromEntries(
    space.map((axis, at) => [axis.name, valueOf(axis, coordinate(point, at), places[at] ?? 0)]),
  );
  return { parameters, places };
}

/** The point of a combination. A listed value gives the middle of its part. */
export function pointOf(space: SearchSpace, { parameters, places }: Combination): Point {
  return space.map((axis, at) =>
    axis.kind === 'listed'
      ? (present(places[at], 'place') + 0.5) / axis.values.length
      : (Number(parameters[axis.name]) - axis.min) / (axis.max - axis.min),
  );
}

/** Rounds a number of a continuous range to the digits that are written. */
export function shortNumber(
  value: number,
  { min, max }: Readonly<Record<'min' | 'max', number>>,
): number {
  return Math.min(max, Math.max(min, Number(value.toPrecision(DIGITS))));
}

/** Key that identifies a combination within its space. */
export function combinationKey({ parameters }: Combination): string {
  return JSON.stringify(Object.values(parameters));
}

function valueOf(axis: Axis, share: number, place: number): ParameterValue {
  if (axis.kind === 'listed') return present(axis.values[place], 'value of an axis');
  return shortNumber(axis.min + (axis.max - axis.min) * share, axis);
}

function coordinate(point: Point, axis: number): number {
  return present(point[axis], 'coordinate');
}
