import { describe, expect, it } from 'vitest';
import {
  explainPlatformError,
  PlatformError,
  silenceOf,
  toPlatformError,
  type PlatformReason,
} from '../../../src/platform/errors.ts';

const WHAT_TO_DO: Record<PlatformReason, RegExp> = {
  'bad-request': /check what you typed/,
  conflict: /check what you typed/,
  unauthorized: /check ORG_TOKENS/,
  forbidden: /check ORG_TOKENS/,
  'not-found': /check the spelling/,
  'rate-limited': /try again/,
  'server-error': /try again/,
  unavailable: /try again/,
  unreachable: /try again/,
  timeout: /try again/,
  'too-large': /ask for less/,
  malformed: /try again/,
  redirected: /try again/,
};

describe('when the platform does not answer', () => {
  it.each(Object.entries(WHAT_TO_DO))('%s has a next step', (reason, words) => {
    const facts = { status: 400 };
    const error = new PlatformError(reason as PlatformReason, 'the server said this', facts);
    expect(explainPlatformError(error)).toMatch(words);
  });

  it.each([
    ['the name is taken', 'the name is taken.'],
    ['the name is taken.', 'the name is taken.'],
    ['the name is taken. ', 'the name is taken.'],
    ['who are you?', 'who are you?'],
  ])('ends the server’s sentence once: "%s"', (message, end) => {
    for (const reason of ['conflict', 'server-error'] as const) {
      const sentence = explainPlatformError(new PlatformError(reason, message));
      expect(sentence?.endsWith(`It says: ${end}`)).toBe(true);
    }
  });

  it('says that the platform omits why, in place of words that are not its own', () => {
    const silent = (reason: PlatformReason, status: number) =>
      explainPlatformError(new PlatformError(reason, silenceOf(status), { status }));
    expect(silent('bad-request', 400)).toBe(
      'The platform did not accept that, please check what you typed. It gives no reason (status 400).',
    );
    expect(silent('server-error', 500)).toBe(
      'The platform failed at that: please try again in a minute. It gives no reason (status 500).',
    );
  });

  it('refers a key that no header can carry to the administrator', () => {
    const error = Object.assign(new Error('invalid authorization header'), {
      code: 'UND_ERR_INVALID_ARG',
    });
    expect(explainPlatformError(toPlatformError(error))).toBe(
      'The key for this has a space or a line break in it, so it cannot be sent: ask your Purser administrator to set ORG_TOKENS or BILLING_TOKEN again.',
    );
  });

  it.each([
    ['startTime must lie on an hour', 'startTime must lie on an hour.'],
    [
      'name at least one org, or leave orgs out for all',
      'Name at least one org, or leave orgs out for all.',
    ],
  ])('explains an error that never reached the platform: %s', (message, sentence) => {
    expect(explainPlatformError(new PlatformError('bad-request', message))).toBe(sentence);
  });

  it('is silent of the platform that it was silent when it was not asked', () => {
    const error = new PlatformError('timeout', 'not asked', { isUnsent: true });
    expect(explainPlatformError(error)).toBe(
      'Purser is busy with other calls: please try again in a minute.',
    );
  });

  it('knows an account that is not there from a name that is not', () => {
    const missing = { status: 404, credential: 'account' } as const;
    expect(explainPlatformError(new PlatformError('not-found', 'not found', missing))).toBe(
      'The platform knows no such billing account: ask your Purser administrator to check BILLING_ACCOUNT_ID.',
    );
    expect(explainPlatformError(new PlatformError('not-found', 'not found'))).toContain('spelling');
  });

  it('quotes a sentence inside of one without its period', () => {
    expect(explainPlatformError(new PlatformError('forbidden', 'No permission.'))).toContain(
      '(No permission): a key may be missing',
    );
  });

  it('shows the likely cause of a refused key where the API knows one', () => {
    const hint = 'the token may lack the role billing_admin; changes take up to 5 minutes';
    const error = new PlatformError('unauthorized', 'unauthorized', { status: 401, hint });
    expect(explainPlatformError(error)).toBe(
      'The platform refuses Purser’s key (unauthorized): the token may lack the role billing_admin. Ask your Purser administrator to check ORG_TOKENS.',
    );
  });

  it.each([
    ['account', 'BILLING_TOKEN and BILLING_ACCOUNT_ID'],
    ['user', 'BILLING_USER_TOKEN'],
    [undefined, 'ORG_TOKENS'],
  ] as const)('names where the refused credential of %s is configured', (credential, variable) => {
    const error = new PlatformError('unauthorized', 'unauthorized', { status: 401, credential });
    expect(explainPlatformError(error)).toContain(
      `Ask your Purser administrator to check ${variable}.`,
    );
  });

  it('names the missing credential of a call that was never sent', () => {
    const error = new PlatformError('unauthorized', 'Purser has no key for org acme');
    expect(explainPlatformError(error)).toBe(
      'Purser has no key for org acme: ask your Purser administrator to set ORG_TOKENS.',
    );
  });

  it('has no words for errors that are not the platform’s', () => {
    expect(explainPlatformError(new TypeError('x is undefined'))).toBeUndefined();
    expect(explainPlatformError({ reason: 'timeout' })).toBeUndefined();
  });
});
