import { describe, expect, it } from 'vitest';
import { isSlackAddress } from '../../../../src/slack/replies/answers.ts';

const REAL = 'https://slack.com/api/';

describe('an address that Slack hands out', () => {
  it.each([
    'https://hooks.slack.com/commands/T1/2/3',
    'https://slack.com/x',
    'https://files.slack.com/upload/v1/x',
    'https://hooks.slack-gov.com/actions/1',
  ])('%s is used', (address) => {
    expect(isSlackAddress(address, REAL)).toBe(true);
  });

  it.each([
    'http://hooks.slack.com/commands/T1/2/3',
    'https://hooks.slack.com.evil.example/',
    'https://evilslack.com/',
    'https://evil.example/?hooks.slack.com',
    'https://hooks.slack.com@evil.example/',
    'http://127.0.0.1:9090/metrics',
    'http://169.254.169.254/latest/meta-data',
    'file:///etc/passwd',
    'javascript:alert(1)',
    '//hooks.slack.com/x',
    'hooks.slack.com',
    '',
  ])('%j is not', (address) => {
    expect(isSlackAddress(address, REAL)).toBe(false);
  });

  it('is used on the origin of SLACK_API_URL too, but not on another port or scheme', () => {
    const api = 'http://127.0.0.1:4000/api/';

    expect(isSlackAddress('http://127.0.0.1:4000/response/1', api)).toBe(true);
    expect(isSlackAddress('http://127.0.0.1:4001/response/1', api)).toBe(false);
    expect(isSlackAddress('https://127.0.0.1:4000/response/1', api)).toBe(false);
  });
});
