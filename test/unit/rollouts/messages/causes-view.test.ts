import { describe, expect, it } from 'vitest';
import { causeLines, changeLines, spoken } from '../../../../src/rollouts/messages/causes-view.ts';
import { mrkdwn } from '../../../../src/slack/kit/text.ts';
import { gvcScenario } from '../engine/gvc-scenario.ts';
import { container, MINUTE, ready, rolling, version, type Json } from '../platform-json.ts';
import { card, messages, outcome, read } from './scenario.ts';

/** A version that is ready, with these containers. */
function running(workload: number, containers: Record<string, Json>, desiredScale = 2): Json {
  return ready(workload, { desiredScale, versions: [version(workload, { containers })] });
}

const image = (tag: string): string => `registry.example.com/acme/cart${tag}`;

/** What v12 changes against v11, as the outcome says it. */
function changed(before: Record<string, Json>, after: Record<string, Json>): string[] {
  const gvc = gvcScenario({ lima: running(11, before), oslo: running(11, before) });
  gvc.poll({ lima: running(12, after), oslo: running(12, after) });
  const notice = gvc.told().find((one) => one.outcome?.kind === 'ready');
  return changeLines(notice?.rows ?? [], 12).map(({ text }) => text);
}

describe('what a version changes', () => {
  const main = container({ image: image(':v11') });

  it.each<[what: string, is: Json, line: string]>([
    ['the tag of an image', { image: image(':v12') }, 'main: image v11 → v12'],
    [
      'cpu and memory beside it',
      {
        image: image(':v12'),
        resources: { replicas: 2, replicasReady: 2, cpu: 500, memory: 1024 },
      },
      'main: image v11 → v12, cpu 250 → 500m, memory 512 → 1024 MiB',
    ],
    [
      'another image',
      { image: 'registry.example.com/acme/basket:v1' },
      'main: image cart:v11 → basket:v1',
    ],
    ['a digest', { image: image('@sha256:1a2b3c4d5e6f7a8b') }, 'main: image v11 → 1a2b3c4d'],
    ['nothing that is seen here', {}, 'same image: configuration or automatic resources'],
  ])('%s', (_, is, line) => {
    expect(changed({ main }, { main: { ...main, ...is } })).toEqual([line]);
  });

  it('the digest where the tag is the same', () => {
    const at = (digest: string): Json => container({ image: image(`:v1@sha256:${digest}`) });
    expect(changed({ main: at('aaaaaaaabbbb') }, { main: at('ccccccccdddd') })).toEqual([
      'main: image v1 (digest aaaaaaaa → cccccccc)',
    ]);
  });

  it('a registry with a port has no tag', () => {
    const at = (path: string): Json => container({ image: `registry:5000/${path}` });
    expect(changed({ main: at('cart') }, { main: at('cart:v2') })).toEqual([
      'main: image latest → v2',
    ]);
  });

  it('containers that come and go, at most four lines', () => {
    const sidecar = container({ name: 'proxy', image: 'envoy:1.2' });
    expect(changed({ main, proxy: sidecar }, { main, log: sidecar })).toEqual([
      'log: new, image envoy:1.2',
      'proxy: removed',
    ]);
    const six = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, sidecar]));
    expect(changed({ main }, { main, ...six })).toEqual([
      'a: new, image envoy:1.2',
      'b: new, image envoy:1.2',
      'c: new, image envoy:1.2',
      '… and 3 more changes',
    ]);
  });

  it('replicas: those with which it began against those with which the one before ended', () => {
    const gvc = gvcScenario({ lima: running(11, { main }) });
    // It was scaled while it ran, which is no change of the next version.
    gvc.poll({ lima: running(11, { main }, 5) });
    gvc.poll({ lima: running(12, { main }, 3) });
    gvc.poll({ lima: running(12, { main }, 9) });
    const versions = [version(12, { ready: false, containers: { main } })];
    gvc.poll({ lima: rolling(12, { desiredScale: 9, versions }) });
    const [notice] = gvc.told();
    expect(changeLines(notice?.rows ?? [], 12).map(({ text }) => text)).toEqual([
      'replicas: 5 → 3',
    ]);
  });

  it('is told of the location that had the version before, and nothing is claimed where none had', () => {
    const v12 = { main: container({ image: image(':v12') }) };
    const gvc = gvcScenario({ lima: running(11, { main }) });
    gvc.poll({ amsterdam: running(12, v12), lima: running(12, v12) });
    const rows = gvc.told()[0]?.rows ?? [];
    expect(changeLines(rows, 12).map(({ text }) => text)).toEqual(['main: image v11 → v12']);
    const nameless = { main: container({ image: '' }) };
    expect(changed({ main: nameless.main }, nameless)).toEqual([]);
  });

  it('compares whole tags, however long', () => {
    const tag = (middle: string): string => image(`:${'a'.repeat(30)}${middle}${'b'.repeat(30)}`);
    const [line = ''] = changed(
      { main: container({ image: tag('one') }) },
      { main: container({ image: tag('two') }) },
    );
    expect(line).toMatch(/^main: image a+…b+ → a+…b+$/);
  });

  it('of a GVC that rolls the same version anew stays what the version changed', () => {
    const v12 = { main: container({ image: image(':v12') }) };
    const gvc = gvcScenario({ lima: running(11, { main }), oslo: running(11, { main }) });
    gvc.poll({ lima: running(12, v12), oslo: rolling(12) });
    const anew = ready(12, { versions: [version(12, { gvc: 5, containers: v12 })] });
    gvc.poll({ lima: anew });
    gvc.poll({ oslo: ready(12, { ready: false, message: 'no disk' }) });
    const rows = gvc.told().at(-1)?.rows ?? [];
    expect(changeLines(rows.slice(0, 1), 12).map(({ text }) => text)).toEqual([
      'main: image v11 → v12',
    ]);
  });

  it('is on the card while it comes, and beside ready, and on no card that is over', () => {
    const v12 = { main: container({ image: image(':v12') }) };
    const gvc = gvcScenario({ lima: running(11, { main }) });
    gvc.poll({ lima: rolling(12, { versions: [version(12, { ready: false, containers: v12 })] }) });
    expect(read(card(gvc))).toContain('main: image v11 → v12');
    gvc.poll({ lima: running(12, v12) }, { after: MINUTE });
    expect(read(outcome(gvc))).toContain('main: image v11 → v12');
    expect(read(card(gvc))).toHaveLength(2);
  });

  it('of a first version is what it runs, and of one that nobody saw come nothing', () => {
    const first = gvcScenario({ 'web/lima': ready(3) });
    first.poll({ lima: running(1, { main }) });
    const [ready1] = messages({ rolloutNotices: first.told() });
    expect(ready1?.blocks.map((block) => JSON.stringify(block)).join()).not.toContain('→');

    const known = gvcScenario({ lima: running(11, { main }) });
    known.poll({ lima: ready(11, { ready: false, message: 'no disk', versions: [] }) });
    expect(
      messages({ rolloutNotices: known.told() })
        .map(({ text }) => text)
        .join(),
    ).not.toContain('cart:v11');
  });
});

describe('causes', () => {
  it.each([
    [
      'container payments: 8 restarts (OOMKilled, exit code 137, memory limit 512 MiB)',
      'out of memory: payments, 8 restarts, limit 512 MiB',
    ],
    [
      'container web: 1 restart (Error, exit code 1)',
      'a container keeps stopping: web, 1 restart, exit code 1',
    ],
    ['container web: restarted', 'a container keeps stopping: web, restarted'],
    ['The moon is full', '`The moon is full`'],
    [
      'Failed to pull image "r.io/acme/timeout-proxy:v3": manifest unknown',
      'the image cannot be pulled (`Failed to pull image "r.io/acme/timeout-proxy:v3": manifest unknown`)',
    ],
    [
      'Failed to pull image "r.io/acme/cart:v3": dial tcp: i/o timeout',
      'the image registry does not answer (`Failed to pull image "r.io/acme/cart:v3": dial tcp: i/o timeout`)',
    ],
    ['secret "key" not found', 'a secret is missing (`secret "key" not found`)'],
  ])('%s', (cause, words) => {
    expect(spoken(cause).text).toBe(words);
  });

  it('of several locations have names, and those after the third are counted', () => {
    const cause = (name: string, what = name) => ({ name, what: mrkdwn`${what}`, next: 'act' });
    expect(texts([cause('lima', 'no disk'), cause('oslo', 'no disk')], false)).toEqual([
      'no disk\n→ act',
    ]);
    expect(texts([cause('lima', 'no disk'), cause('oslo', 'no disk')], true)).toEqual([
      '*lima, oslo*: no disk\n→ act',
    ]);
    expect(
      texts(
        ['a', 'b', 'c', 'd', 'e'].map((name) => cause(name)),
        false,
      ),
    ).toEqual(['*a*: a\n→ act', '*b*: b\n→ act', '*c*: c\n→ act', '… and 2 more']);
  });

  function texts(causes: Parameters<typeof causeLines>[0], named: boolean): string[] {
    return causeLines(causes, { named }).map(({ text }) => text);
  }
});
