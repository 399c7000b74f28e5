import { expect, test } from 'vitest';
import { readOne } from './items.ts';

test('of an execution everything but name and status may be absent', () => {
  const { jobExecutions } = readOne({
    jobExecutions: [
      { name: 'a', status: '', completionTime: null },
      { name: 'b', status: 'paused-by-a-later-version', workloadVersion: '7' },
    ],
  });

  expect(jobExecutions).toMatchObject([
    { name: 'a', status: 'pending' },
    { name: 'b', status: 'paused-by-a-later-version', workloadVersion: 7 },
  ]);
  expect(jobExecutions?.[0]).toMatchObject({
    replica: undefined,
    completionTime: undefined,
    conditions: [],
    containers: [],
  });
  expect(readOne({ jobExecutions: [] }).jobExecutions).toEqual([]);
  expect(readOne({}).jobExecutions).toBeUndefined();
});

test('of the conditions and containers of an execution what can be read is read', () => {
  const { jobExecutions } = readOne({
    jobExecutions: [
      {
        conditions: [7, null, ['x'], { type: 'Failed', status: true, lastDetectionTime: 'soon' }],
        containers: { main: { image: 'shop:12', resources: [], restarts: 3 }, odd: 7 },
      },
      { conditions: { type: 'Failed' }, containers: ['main'] },
    ],
  });

  expect(jobExecutions?.map(({ conditions }) => conditions)).toEqual([
    [{ type: 'Failed', status: '', reason: '', message: '' }],
    [],
  ]);
  expect(jobExecutions?.map(({ containers }) => containers)).toEqual([
    [
      { name: 'main', image: 'shop:12', ready: false, message: '' },
      { name: 'odd', image: '', ready: false, message: '' },
    ],
    [],
  ]);
});
