import { BigNumber } from 'bignumber.js';
import { describe, expect, test } from 'vitest';
import { valueAxis } from '../../../src/reporting/chart.ts';

const plain = (value: BigNumber) => value.toFormat();
const dollars = (value: BigNumber) => `$${value.toFormat(2)}`;
const coreHours = (value: BigNumber) => {
  const hours = value.div(3_600).dp(1).toFormat();
  return `${hours} core-hour${hours === '1' ? '' : 's'}`;
};
const axisOf = (top: string, format: (value: BigNumber) => string, unit?: BigNumber) =>
  valueAxis(new BigNumber(top), format, unit);

describe('The value axis', () => {
  test.each([
    ['365.52', ['$0', '$100', '$200', '$300', '$400']],
    ['9000', ['$0', '$2,000', '$4,000', '$6,000', '$8,000', '$10,000']],
    ['0.42', ['$0.00', '$0.10', '$0.20', '$0.30', '$0.40', '$0.50']],
    ['1', ['$0.00', '$0.20', '$0.40', '$0.60', '$0.80', '$1.00']],
    ['0', ['$0', '$1']],
  ])('of bars up to %s dollars has round ticks', (top, labels) => {
    expect(axisOf(top, dollars).labels).toEqual(labels);
  });

  test('never gives two ticks the same name: cents are as close as they get', () => {
    expect(axisOf('0.023', dollars).labels).toEqual(['$0.00', '$0.01', '$0.02', '$0.03']);
  });

  test('names only the bottom where all values read the same', () => {
    expect(axisOf('0.00000001', dollars).labels).toEqual(['$0', '', '', '', '', '']);
  });

  test('is round in the unit that people read, and says it once', () => {
    const axis = axisOf('18000', coreHours, new BigNumber(3_600));

    expect(axis).toMatchObject({ labels: ['0', '1', '2', '3', '4', '5'], unit: 'core-hours' });
  });

  test('says the unit of each tick where they differ', () => {
    const format = (value: BigNumber) =>
      value.gte(20) ? `${plain(value)} b` : `${plain(value)} a`;

    expect(axisOf('30', format)).toMatchObject({
      labels: ['0 a', '10 a', '20 b', '30 b'],
      unit: '',
    });
  });

  test('does not take the amount behind a currency for a unit', () => {
    expect(axisOf('0', (value) => `KWD ${value.toFormat(3)}`)).toMatchObject({
      labels: ['KWD 0', 'KWD 1'],
      unit: '',
    });
  });
});
