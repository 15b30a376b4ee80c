import { describe, expect, it } from 'vitest';
import { formatTable, type TextColumn } from '../../../../src/cli/data/text-table.js';

const COLUMNS: readonly TextColumn[] = [
  { head: 'name', align: 'left' },
  { head: 'rows', align: 'right' },
  { head: 'from', align: 'left' },
];

describe('formatTable', () => {
  it('makes a column as wide as its longest cell or heading, without spaces at line ends', () => {
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

  it('shows what would control the terminal, such as in the name of a file', () => {
    expect(formatTable([{ head: 'file', align: 'left' }], [['a\u001b[2Jb']])).toBe(
      'file\n──────────────\na\\u001b[2Jb\n'.replace('──────────────', '─'.repeat(11)),
    );
  });

  it('shows only the headings without rows', () => {
    expect(formatTable(COLUMNS, [])).toBe('name  rows  from\n────  ────  ────\n');
  });
});
