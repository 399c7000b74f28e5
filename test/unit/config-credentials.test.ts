import { describe, expect, it } from 'vitest';

import { load, problemsOf } from './config-environment.ts';

const ORG_TOKENS = '{"acme":"$SVC_TOKEN","beta":"beta-key"}';

describe('the credential of an org', () => {
  it('is a service account key, sent as bearer', () => {
    const credential = load().api.credentials.get('acme');

    expect(credential).toMatchObject({ kind: 'bearer' });
    expect(credential?.secret.reveal()).toBe('acme-key');
  });

  it('is the workload’s own token where Purser is told to use it, and only there', () => {
    const { credentials } = load({ ORG_TOKENS, SVC_TOKEN: 'injected' }).api;

    expect(credentials.get('acme')).toMatchObject({ kind: 'workload' });
    expect(credentials.get('acme')?.secret.reveal()).toBe('injected');
    expect(credentials.get('beta')).toMatchObject({ kind: 'bearer' });
  });

  it('takes the variable of the brand', () => {
    const env = { ORG_TOKENS: '{"acme":"$NIMBUS_TOKEN"}', BRAND_PREFIX: 'nimbus' };

    const { credentials } = load({ ...env, NIMBUS_TOKEN: 'injected' }).api;

    expect(credentials.get('acme')?.secret.reveal()).toBe('injected');
    expect(load({ SVC_TOKEN: 'injected' }).api.credentials.get('acme')?.kind).toBe('bearer');
  });

  it('is a problem where no token is injected: the words are not sent as a key', () => {
    expect(problemsOf({ ORG_TOKENS })).toEqual([
      'ORG_TOKENS: org acme is to use the workload’s own token, and SVC_TOKEN is not set: run Purser as a workload of the platform, or give a service account key',
    ]);
  });
});
