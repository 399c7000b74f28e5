import { expect, it } from 'vitest';
import { createWaitingLine } from '../../../src/monitors/admins.ts';

it('notices that wait for a reader are logged once an hour, with the variable that helps', () => {
  const clock = { at: 0, now: () => clock.at };
  const logged: unknown[][] = [];
  const logger = { warn: (...line: unknown[]) => void logged.push(line) } as never;
  const waits = createWaitingLine({ clock, logger }, 'billing tokens');

  for (const minute of [0, 1, 59, 60, 61]) {
    clock.at = minute * 60_000;
    waits();
  }

  const line = [
    { waits: 'billing tokens' },
    'Notices wait, because no billing_admin can be reached in Slack: set APPROVALS_CHANNEL',
  ];
  expect(logged).toEqual([line, line]);
});
