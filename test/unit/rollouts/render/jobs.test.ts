import { expect, it } from 'vitest';
import { workload } from '../../../stories/watch/records.ts';
import { at, known, until } from '../../../stories/watch/story.ts';
import { textOf } from './texts.ts';

it.each([
  ['failed', 'Next: Look in its logs'],
  ['invalid', 'Next: Check the workload’s schedule, command and image'],
])('a run that is %s has a next step that can be taken', (status, step) => {
  const nightly = workload('nightly').in('lima').v(3);
  const polls = [
    known(nightly.cron({ name: 'n-1', status: 'successful' })),
    at(0, nightly.cron({ name: 'n-2', status })),
    until(5),
  ];
  expect(textOf({ polls }, `n-2/${status}`)[1]).toBe(step);
});
