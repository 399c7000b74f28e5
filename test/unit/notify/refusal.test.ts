import { expect, it } from 'vitest';
import { refusalContent } from '../../../src/notify/channels.ts';

const textOf = (error: string, watched = true): string =>
  refusalContent({ channel: 'C0DEPLOYS', error, since: 0, watched }).text;

it.each([
  ['org_login_required', 'moving the workspace', 'Next: Wait until Slack has finished'],
  ['two_factor_setup_required', 'demands two factors', 'Next: Ask an administrator'],
])('a workspace that answers %s is not asked for a new token', (error, wrong, step) => {
  expect(textOf(error)).toContain(wrong);
  expect(textOf(error)).toContain(step);
  expect(textOf(error)).not.toContain('SLACK_BOT_TOKEN');
});

it('the posts of a watch wait for a channel that Purser has left, and others do not', () => {
  expect(textOf('not_in_channel')).toContain('Its posts are gathered');
  expect(textOf('not_in_channel', false)).not.toContain('gathered');
});
