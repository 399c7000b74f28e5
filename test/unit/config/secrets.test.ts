import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ConfigError, loadConfig, secretsOf } from '../../../src/config/config.ts';
import { secretVariables, variables } from '../../../src/config/variables.ts';
import * as fc from '../../support/fast-check.ts';
import { billing, load, minimal, problemsOf, thrownBy } from './environment.ts';

describe('secrets', () => {
  it.each(secretVariables)(
    '%s may come from a file, whose space at the end does not count',
    (name) => {
      const key = Buffer.alloc(32, 7).toString('base64');
      const values: Readonly<Record<string, string>> = {
        ...minimal,
        ...billing,
        REDIS_URL: 'redis://:hunter2@redis',
        REDIS_SENTINELS: 'redis://:hunter3@sentinel',
        SECRET_KEY: key,
      };
      const value = values[name] ?? 'from-the-file';
      const mode = name === 'SLACK_APP_TOKEN' ? 'socket' : 'http';
      const sentinels = name === 'REDIS_SENTINELS' ? { REDIS_SENTINEL_NAME: 'mymaster' } : {};
      const file = { [name]: '', [`${name}_FILE`]: '/run/secret' };
      const shown = { ...billing, ...sentinels, SLACK_MODE: mode, ...file };

      const config = load(shown, { '/run/secret': `${value} \r\n` });

      const parts = { ORG_TOKENS: 'acme-key', REDIS_URL: 'hunter2', REDIS_SENTINELS: 'hunter3' };
      const expected = parts[name as keyof typeof parts] ?? value;
      expect(secretsOf(config).map((secret) => secret.reveal())).toContain(expected);
    },
  );

  it('are not taken from two places, nor from a file that cannot be read or is empty', () => {
    expect(problemsOf({ SLACK_BOT_TOKEN_FILE: '/a' }, { '/a': 'xoxb-other' })).toEqual([
      'SLACK_BOT_TOKEN: is set together with SLACK_BOT_TOKEN_FILE: keep one of them',
    ]);
    expect(problemsOf({ SLACK_BOT_TOKEN: '', SLACK_BOT_TOKEN_FILE: '/none' })).toEqual([
      'SLACK_BOT_TOKEN: SLACK_BOT_TOKEN_FILE must name a readable file with the value',
    ]);
    expect(
      problemsOf({ ...billing, BILLING_TOKEN: '', BILLING_TOKEN_FILE: '/a' }, { '/a': '\n' }),
    ).toEqual(['BILLING_TOKEN: BILLING_TOKEN_FILE must name a readable file with the value']);
  });

  it('are hidden however the configuration is printed', () => {
    const config = load({ ...billing, REDIS_URL: 'redis://:hunter2@redis' });
    const { botToken } = config.slack;

    const printed = [
      inspect(config, { depth: 9, showHidden: true }),
      JSON.stringify(config),
      String(botToken),
    ].join('\n');

    expect(
      secretsOf(config)
        .map((secret) => secret.reveal())
        .sort(),
    ).toEqual(['acme-key', 'hunter2', 'signing-secret', 'svc-bsat-billing', 'xoxb-bot-token']);
    for (const secret of secretsOf(config)) expect(printed).not.toContain(secret.reveal());
    expect(printed).toContain('[hidden]');
  });

  it('are hidden in a message that quotes the setting', () => {
    expect(problemsOf({ WATCHES: 'acme/shop:acme-key,xoxb-bot-token' })).toEqual(
      Array(2).fill(expect.stringContaining('WATCHES: entry 1: "[hidden]" is not an outcome')),
    );
  });

  it('are in no message, and garbage throws nothing but a ConfigError', () => {
    const marker = fc.stringMatching(/^[A-Za-z0-9/+=:,;"{}@-]{12,24}$/);
    const environment = marker.chain((value) => {
      const text = fc.oneof(
        fc.string({ maxLength: 40 }),
        fc.constantFrom(value, `redis://u:${value}@h`, `{"acme":"${value}"}`, `acme/${value}`),
        fc.tuple(fc.string(), fc.string()).map(([before, after]) => before + value + after),
      );
      const names = fc.constantFrom(
        ...Object.keys(variables),
        ...secretVariables.map((name) => `${name}_FILE`),
      );
      const rest = fc
        .dictionary(names, text)
        .filter((env) => env['SLACK_BOT_TOKEN_FILE'] === undefined);
      return fc.tuple(fc.constant(value), rest);
    });

    fc.assert(
      fc.property(environment, fc.string(), ([secret, rest], fileText) => {
        const env = { ...minimal, ...rest, SLACK_BOT_TOKEN: secret };

        const error = thrownBy(() => loadConfig(env, () => fileText));

        expect(error ?? new ConfigError([])).toBeInstanceOf(ConfigError);
        expect(String(error)).not.toContain(secret);
      }),
      { numRuns: 500 },
    );
  });
});
