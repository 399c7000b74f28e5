import * as fc from '../../../support/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { envAnswer } from '../../../../src/features/workload/lookups.ts';
import { tagsAnswer } from '../../../../src/features/workload/lookups.ts';
import { TAGS, VARIABLES } from '../../../../src/platform/workload/tags.ts';
import { layOut } from '../../../../src/slack/replies/reply.ts';
import { messageProblems } from '../../../contract/money/slack-invariants.ts';
import { hostile } from '../../slack/hostile.ts';
import { envLines, envRows, tagLines, tagRows } from './lookup-support.ts';
import { spoken, stepOf } from '../../../support/answer.ts';

const namesOf = (rows: readonly string[][]): (string | undefined)[] => rows.map(([name]) => name);

describe('without a word', () => {
  test('all tags and all variables are listed, each with a button to all about it', () => {
    expect(namesOf(tagRows())).toEqual(TAGS.map(({ name }) => `svc/${name}`));
    const answer = tagsAnswer({
      brand: { prefix: 'svc', orgEndpointPrefixes: new Map() },
      word: undefined,
    });
    expect(stepOf(answer, 'svc/protocol').value).toBe('/workload tags protocol');
    expect(namesOf(envRows())).toEqual(VARIABLES.map(({ name }) => `SVC_${name}`));
  });
});

describe('a word', () => {
  test.each(['svc/externalAuth', 'EXTERNAL_AUTH'])(
    'finds a whole family by a part of its names: %s',
    (word) => {
      expect(tagLines(word)[0]).toBe(`*12 special tags* with “${word}”`);
      expect(tagRows(word)).toHaveLength(12);
    },
  );

  test.each(['token', 'SVC_TOKEN', 'authorization header'])(
    'finds one variable and shows all about it: %s',
    (word) => {
      expect(envLines(word)[0]).toBe('*`SVC_TOKEN`* – authorization token for the API and CLI');
    },
  );

  test('that is a name means it, and lists other names with the word', () => {
    const shown = tagLines('protocol');
    expect(shown[0]).toBe('*`svc/protocol`* – overrides protocol detection');
    expect(shown.at(-1)).toBe('Also with this word: `svc/externalAuthProtocol`');
  });

  test('is found in the effect, the values, the default and the replacement of a tag', () => {
    expect(tagLines('ephemeral')[0]).toContain('svc/largeDisk');
    expect(tagLines('CIDR range')[0]).toContain('svc/disableServiceMeshOutboundCIDR');
    expect(tagLines('authority')[0]).toContain('svc/rateLimitDescriptors');
    expect(tagLines('spec.defaultOptions.multiZone')[0]).toContain('svc/multiZone');
    expect(tagRows('BYOK')).toHaveLength(3);
  });

  test('that several have in their names lists those, and names whose texts have it', () => {
    const shown = tagLines('mesh');

    expect(shown[0]).toBe('*4 special tags* with “mesh”');
    expect(shown).toContain('Also with this word: `svc/bypassProxyOutbound`');
    expect(namesOf(tagRows('mesh'))).toEqual([
      'svc/disableServiceMeshInboundPort',
      'svc/disableServiceMeshOutboundPort',
      'svc/disableServiceMesh',
      'svc/disableServiceMeshOutboundCIDR',
    ]);
  });

  test.each([
    [
      () => tagLines('largdisk'),
      /^No special tag has “largdisk”.*; the nearest: `svc\/largeDisk`\./,
    ],
    [() => envLines('tokn'), /^No variable has “tokn”.*; the nearest: `SVC_TOKEN`\./],
    [
      () => envLines('+++'),
      /^No variable has “\+\+\+” in its name or description: `\/workload env`/,
    ],
  ])('that nothing has is answered with the nearest names: %#', (lines, says) => {
    expect(lines()).toEqual([expect.stringMatching(says)]);
  });

  test('of the other list leads there', () => {
    expect(tagLines('SVC_TOKEN')[0]).toContain(
      'there is the variable `SVC_TOKEN`: `/workload env TOKEN`',
    );
    expect(envLines('largeDisk')[0]).toContain(
      'there is the special tag `svc/largeDisk`: `/workload tags largeDisk`',
    );
  });
});

test.each([
  ['*Workload health*', ['health'], ['Unhealthy'], ['gvc']],
  ['*`svc-mounter` in usage*', ['object store'], ['svc-mounter'], ['image']],
])('%s is below a list, and where a word is about it', (remark, tags, variables, others) => {
  const has = (lines: readonly string[]) => lines.some((line) => line.startsWith(remark));

  expect([tagLines(), envLines(), tagLines(...tags), envLines(...variables)].map(has)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(has(envLines(...others))).toBe(false);
});

test('health has five values, which no endpoint gives', () => {
  const remark =
    '*Workload health* has the values `Loading`, `Healthy`, `Unhealthy`, `Deleting`, `Unknown`. No endpoint here gives them: a deployment has `ready`, `deploying` and `message`, and `/deployments` shows the state that follows from them.';

  expect(tagLines('health')[1]).toBe(remark);
  expect(envLines('Unhealthy')[1]).toBe(remark);
  expect(envLines('gvc')).not.toContain(remark);
});

test('mounted object stores are metered to the workload, under a container of their own', () => {
  const remark =
    '*`svc-mounter` in usage*: object stores mounted by a workload are metered to that workload; their CPU, memory and egress appear under a container of that name.';

  expect(envLines('svc-mounter')[1]).toBe(remark);
  expect(tagLines('object store')[1]).toBe(remark);
  expect(tagLines('ignore')).not.toContain(remark);
});

test('every name carries the prefix of the brand, and no other', () => {
  const acme = { prefix: 'acme' };

  expect(tagLines('acme/largedisk', acme).at(-1)).toBe(
    '• *To copy* into `tags`: `acme/largeDisk: "true"`',
  );
  expect(envLines('ACME_TOKEN', acme)).toContain(
    '• As the whole value of the header `Authorization`: `$ACME_TOKEN`',
  );
  expect(
    [...tagRows(undefined, acme), ...envRows(undefined, acme), tagLines(undefined, acme)].join(
      '\n',
    ),
  ).not.toMatch(/\bsvc[/_-]/i);
});

test('no word and no prefix breaks an answer', () => {
  const word = fc.oneof(hostile, fc.constantFrom(undefined, '1', 'auth', 'token', 'tokn'));
  const prefix = fc.stringMatching(/^[a-z][a-z0-9]{0,40}$/);
  fc.assert(
    fc.property(word, prefix, (typed, brandPrefix) => {
      const brand = { prefix: brandPrefix, orgEndpointPrefixes: new Map<string, string>() };
      for (const reported of [
        envAnswer({ brand, word: typed }),
        tagsAnswer({ brand, word: typed }),
      ]) {
        expect(messageProblems(spoken(reported), layOut(reported.blocks, 'laid-out'))).toEqual([]);
      }
    }),
    { numRuns: 100 },
  );
});

test('a match can be shared, and an answer without a match is for one person', () => {
  const brand = { prefix: 'svc', orgEndpointPrefixes: new Map<string, string>() };

  expect(tagsAnswer({ brand, word: 'protocol' })).toMatchObject({ shareable: true, needs: 'orgs' });
  expect(envAnswer({ brand, word: undefined })).toMatchObject({ shareable: true, needs: 'orgs' });
  expect(envAnswer({ brand, word: 'quux' })).not.toHaveProperty('shareable');
});
