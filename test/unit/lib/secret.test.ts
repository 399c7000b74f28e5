import { describe, expect, it } from 'vitest';
import { createScrubber, Secret } from '../../../src/lib/secret.ts';
import * as fc from '../../support/fast-check.ts';

const scrub = createScrubber([new Secret('p"ss w+rd/é'), 'plain-secret']);

describe('known secrets', () => {
  it.each([
    ['as it is', 'it is plain-secret.', 'it is [hidden].'],
    ['with special letters', 'a p"ss w+rd/é z', 'a [hidden] z'],
    ['URL-encoded', 'x?k=p%22ss%20w%2Brd%2F%C3%A9&y', 'x?k=[hidden]&y'],
    ['escaped as in JSON', '{"k":"p\\"ss w+rd/é"}', '{"k":"[hidden]"}'],
    ['in JSON within JSON', '"{\\"k\\":\\"p\\\\\\"ss w+rd/é\\"}"', '"{\\"k\\":\\"[hidden]\\"}"'],
    ['in base64', 'cGxhaW4tc2VjcmV0', '[hidden]'],
    ['in base64url', 'k=cCJzcyB3K3JkL8Op;', 'k=[hidden];'],
  ])('are hidden %s', (_, text, expected) => {
    expect(scrub(text)).toBe(expected);
  });

  it('are hidden in the middle of base64, whatever is around them', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        const text = Buffer.from(`${before}plain-secret${after}`).toString('base64');

        const scrubbed = scrub(text);

        expect(Buffer.from(scrubbed, 'base64').toString()).not.toContain('ain-secr');
      }),
    );
  });

  it('are hidden whole when one begins like another', () => {
    expect(createScrubber(['secret-1', 'secret-12'])('a secret-12 z')).toBe('a [hidden] z');
  });

  it('that are too short to be secrets leave words alone', () => {
    expect(createScrubber(['', 'a', 'the'])('the cat sat on a mat')).toBe('the cat sat on a mat');
  });
});

describe('shapes of secrets', () => {
  it.each([
    '*External authorization:* `svc/externalAuthPort`',
    '*Authorization:*',
    '_authorization:_ x',
  ])('are no headings: %s', (text) => {
    expect(createScrubber([])(text)).toBe(text);
  });

  it.each([
    ['token xoxb-123-abc.', 'token [hidden].'],
    ['refresh xoxe.xoxp-1-Mi0yLTE', 'refresh xoxe.[hidden]'],
    ['xapp-1-A0-99-ff and', '[hidden] and'],
    ['made svc-bsat-aB3_x-9.', 'made [hidden]'],
    ['authorization: Bearer abc.def', 'authorization: [hidden]'],
    ['sent bearer eyJhbGciOi.J9', 'sent bearer [hidden]'],
    ['Authorization: Basic dXNlcjpwYXNz!', 'Authorization: [hidden]'],
    ['{"AUTHORIZATION":"the-value"}', '{"AUTHORIZATION":"[hidden]"}'],
    ['["authorization", "the-value"]', '["authorization", "[hidden]"]'],
    ['"{\\"authorization\\":\\"the-value\\"}"', '"{\\"authorization\\":\\"[hidden]\\"}"'],
    ['*Authorization:* Bearer abc.def', '*Authorization:* Bearer [hidden]'],
    ['Authorization: *abc*', 'Authorization: [hidden]'],
    ['redis://:pass@redis:6379', 'redis://[hidden]@redis:6379'],
    ['https://ann:pa%40ss@example.com/x', 'https://[hidden]@example.com/x'],
    ['https://hooks.slack.com/commands/T1/2/abc done', 'https://hooks.slack.com/[hidden] done'],
    ['"https:\\/\\/hooks.slack.com\\/actions\\/T1\\/2"', '"https:\\/\\/hooks.slack.com/[hidden]"'],
    [
      'wss://wss-primary.slack.com/link/?ticket=5a1f-00&app_id=9b2 failed',
      'wss://wss-primary.slack.com/link/?ticket=[hidden]&app_id=9b2 failed',
    ],
    [
      'ws://127.0.0.1:4000/socket?app_id=1&ticket=ticket1"',
      'ws://127.0.0.1:4000/socket?app_id=1&ticket=[hidden]"',
    ],
    ['link/?ticket=abc%2Bdef%2Fxyz123&app_id=1', 'link/?ticket=[hidden]&app_id=1'],
    ['link/?ticket=abc\\/def&app_id=1', 'link/?ticket=[hidden]&app_id=1'],
    ['link%3Fticket%3D5a1f-00%26app_id', 'link%3Fticket%3D[hidden]%26app_id'],
    ['link/?app_id=1\\u0026ticket=5a1f-00', 'link/?app_id=1\\u0026ticket=[hidden]'],
    [
      'PUT https://files.slack.com/upload/v1/CwABAAAAWgoAAf to',
      'PUT https://files.slack.com/upload/v1/[hidden] to',
    ],
    [
      '"https:\\/\\/files.slack.com\\/upload\\/v1\\/CwABAAAAWgoAAf"',
      '"https:\\/\\/files.slack.com\\/upload\\/v1/[hidden]"',
    ],
    ['http://127.0.0.1:4000/upload/v1/F0001?x=1>', 'http://127.0.0.1:4000/upload/v1/[hidden]>'],
    [
      'https%3A%2F%2Ffiles.slack.com%2Fupload%2Fv1%2FCwAB',
      'https%3A%2F%2Ffiles.slack.com%2Fupload%2Fv1/[hidden]',
    ],
  ])('%s', (text, expected) => {
    expect(scrub(text)).toBe(expected);
  });

  it('follow the brand of the platform', () => {
    expect(createScrubber([], 'acme')('acme-bsat-123 svc-bsat-123')).toBe('[hidden] svc-bsat-123');
  });

  it('leave ordinary text alone', () => {
    const text =
      'https://example.com/@ann mail ann@example.com, xoxb- is a prefix, bearer of news, tag ticket=OPS-12, /files/upload/list, /upload/v1';

    expect(scrub(text)).toBe(text);
  });
});

describe('any text', () => {
  it('keeps no configured secret, and a second scrub changes nothing', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 12, unit: 'binary' }),
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'binary' }),
        (secret, before, after) => {
          const scrubSecret = createScrubber([secret]);

          const once = scrubSecret(before + secret + after);

          expect(once).not.toContain(secret);
          expect(scrubSecret(once)).toBe(once);
        },
      ),
    );
  });

  it('takes time in proportion to its length, also when it is built to be slow', () => {
    const hostile = ['//', 'Bearer ', 'authorization ', 'xoxb-', 'hooks.slack.com/', '//a:'];

    for (const piece of hostile) {
      const started = performance.now();
      scrub(piece.repeat(20_000));
      scrub(`${piece}${' '.repeat(100_000)}`);
      expect(performance.now() - started).toBeLessThan(20_000);
    }
  });
});
