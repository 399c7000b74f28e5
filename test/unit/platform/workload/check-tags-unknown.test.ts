import { describe, expect, it } from 'vitest';
import { inTags } from './check-support.ts';

describe('tags below the prefix', () => {
  const UNKNOWN = 'is not a special tag that is known here';

  it('that are not known are a remark, and those of others are no one’s business', () => {
    expect(inTags('svc/colour: red', 'svc/protectet-by: ops', 'svc/: x')).toEqual([
      `note ${UNKNOWN}`,
      `note ${UNKNOWN}`,
      `note ${UNKNOWN}`,
    ]);
    expect(inTags('team: shop', 'other/colour: maybe', 'other/large: x', '7: x')).toEqual([]);
  });

  it.each([
    ['largedisk', 'largeDisk', 'its case'],
    ['larggeDisk', 'largeDisk', 'a letter too many'],
    ['largDisk', 'largeDisk', 'a letter too few'],
    ['larjeDisk', 'largeDisk', 'another letter'],
    ['lagreDisk', 'largeDisk', 'two letters swapped'],
    ['protectd', 'protected', 'a tag that charts use'],
  ])('that are one letter off name the one that is likely meant: svc/%s', (name, meant) => {
    expect(inTags(`svc/${name}: true`)).toEqual([
      `note ${UNKNOWN} → write \`svc/${meant}\` if that is meant`,
    ]);
  });

  it.each(['lagreDisks', 'largDsik', 'protocl', 'protocols', 'multizone', 'largeDisk2x'])(
    'that are further off, or near a deprecated one, name none: svc/%s',
    (name) => {
      expect(inTags(`svc/${name}: true`)).toEqual([`note ${UNKNOWN}`]);
    },
  );

  it('that protect from deletion, show a chart’s configuration or relax a limit are known', () => {
    expect(
      inTags(
        'svc/protected: "true"',
        'svc/checksum: 0a1b2c',
        'svc/relaxMemoryToCpuRatio: yes',
        'svc/relaxGracePeriodMax: 1',
      ),
    ).toEqual([]);
    expect(inTags('svc/protected: on')[0]).toMatch(/^error /);
  });

  it.each(['deployTimestamp', 'aws/region', 'gcp-project', 'tls'])(
    'that tools write are no matter: svc/%s',
    (name) => {
      expect(inTags(`svc/${name}: anything`)).toEqual([]);
    },
  );

  it.each([
    ['sessionCookie', 'a GVC'],
    ['passthruAnnotation:example.com/a', 'a GVC'],
    ['console.tagColumns', 'an org'],
  ])('that other kinds have do nothing here: svc/%s is one of %s', (name, kind) => {
    expect(inTags(`"svc/${name}": x`)).toEqual([
      `warning is a tag of ${kind}, and does nothing on a workload → remove it here, or set it on ${kind} if that is meant`,
    ]);
  });

  it.each([
    ['cpln/protocol', 'use `ports[].protocol`'],
    ['SVC/multizone', 'use `spec.defaultOptions.multiZone`'],
    ['svc-old/rateLimitPort', 'write `svc/rateLimitPort`'],
  ])('that are special and have another prefix, as %s, may be meant', (name, meant) => {
    expect(inTags(`${name}: maybe`)).toEqual([
      `note has the name of a special tag, and another prefix than \`svc/\` → ${meant} if that is meant`,
    ]);
  });

  it('that are mistyped by the thousand are all reported', () => {
    const names = Array.from({ length: 3_000 }, (_, at) => `svc/${at}gedisk: ${at}`);

    const said = inTags(...names, 'svc/colour: red', 'svc/largDisk: true');

    expect(said).toHaveLength(3_002);
    expect(said.slice(-2)).toEqual([
      `note ${UNKNOWN}`,
      `note ${UNKNOWN} → write \`svc/largeDisk\` if that is meant`,
    ]);
  });
});
