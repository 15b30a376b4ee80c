import { Option } from 'commander';

export const curveOption = (): Option =>
  new Option(
    '--curve <points>',
    'points of the equity curve in the result: one per day or one per candle',
  )
    .choices(['daily', 'candle'])
    .default('daily');
