import { describe, expect, it } from 'vitest';
import { formatTable, type TextColumn } from '../../../../src/cli/data/text-table.js';

const COLUMNS: readonly TextColumn[] = [
  { head: 'name', align: 'left' },
  { head: 'rows', align: 'right' },
  { head: 'from', align: 'left' },
];

describe('formatTable', () => {
  it('is as wide as the longest cell or heading of each column, and leaves no space at ends', () => {
    const rows = [
      ['spot:BTCUSDT', '8,760', ''],
      ['x', '3', 'csv'],
    ];

    expect(formatTable(COLUMNS, rows)).toBe(
      [
        'name           rows  from',
        '────────────  ─────  ────',
        'spot:BTCUSDT  8,760',
        'x                 3  csv',
        '',
      ].join('\n'),
    );
  });

  it('shows the headings alone without rows', () => {
    expect(formatTable(COLUMNS, [])).toBe('name  rows  from\n────  ────  ────\n');
  });
});
