import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { variables } from '../../../src/config/variables.ts';
import { stagesOfImage, valuesOf } from '../../support/dockerfile.ts';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

/** Every value of a setting of a unit, with its section. */
function settingsOf(text: string): Map<string, string[]> {
  const settings = new Map<string, string[]>();
  let section = '';
  for (const line of text.split('\n').filter((one) => one !== '' && !one.startsWith('#'))) {
    const [, title] = /^\[(\w+)\]$/.exec(line) ?? [];
    if (title !== undefined) section = title;
    else {
      const at = line.indexOf('=');
      const name = `${section}.${line.slice(0, at)}`;
      settings.set(name, [...(settings.get(name) ?? []), line.slice(at + 1)]);
    }
  }
  return settings;
}

const unit = settingsOf(read('deploy/systemd/purser@.service'));
const of = (name: string) => unit.get(`Service.${name}`);

describe('purser@.service', () => {
  test('runs the result of npm run build, in the role of its instance', () => {
    expect(of('ExecStart')).toEqual(['/usr/bin/node dist/main.js']);
    expect(of('Environment')).toContain('ROLE=%i');
    expect(of('EnvironmentFile')).toEqual(['/etc/purser/purser.env']);
    expect(unit.get('Install.WantedBy')).toEqual(['multi-user.target']);
  });

  test('gives Node the options of the image', () => {
    const [env = ''] = valuesOf(stagesOfImage().at(-1) ?? [], 'ENV');
    const [, options] = /NODE_OPTIONS="(.*)"/.exec(env) ?? [];

    expect(of('Environment')).toContain(`"NODE_OPTIONS=${options}"`);
  });

  test('has new keys read by a reload', () => {
    expect(of('ExecReload')).toEqual(['/bin/kill -HUP $MAINPID']);
    // systemd would show the old ones until a restart.
    expect(of('LoadCredential')).toBeUndefined();
  });

  test('starts again after a crash, but not with a configuration that is wrong', () => {
    expect(of('Restart')).toEqual(['always']);
    expect(read('src/main.ts')).toContain('const EXIT_CONFIG = 2;');
    expect(of('RestartPreventExitStatus')).toEqual(['2']);
    expect(Number(of('TimeoutStopSec')?.[0])).toBeGreaterThanOrEqual(30);
  });

  test.each([
    ['NoNewPrivileges', 'yes'],
    ['ProtectSystem', 'strict'],
    ['ProtectHome', 'yes'],
    ['PrivateTmp', 'yes'],
    ['PrivateDevices', 'yes'],
    ['CapabilityBoundingSet', ''],
    ['RestrictNamespaces', 'yes'],
    ['SystemCallArchitectures', 'native'],
  ])('is hardened: %s=%s', (name, value) => {
    expect(of(name)).toEqual([value]);
  });

  test('leaves V8 the right to make code', () => {
    expect(of('MemoryDenyWriteExecute')).toBeUndefined();
  });

  test('runs as a user of its own, which sysusers makes', () => {
    expect(of('User')).toEqual(['purser']);
    expect(read('deploy/systemd/purser.sysusers.conf')).toMatch(/^u purser /m);
  });

  test('has the memory of compose.yaml, also with one process for everything', () => {
    const all = settingsOf(read('deploy/systemd/purser@all.service.d/memory.conf'));
    const limits = [...read('compose.yaml').matchAll(/mem_limit: (\d+)m/g)].map(
      ([, megabytes]) => `${megabytes}M`,
    );

    expect(limits).toContain(of('MemoryMax')?.[0]);
    expect(limits).toContain(all.get('Service.MemoryMax')?.[0]);
    expect(all.get('Service.MemoryMax')).toEqual(['1280M']);
  });

  test('sets only variables that the bot, or Node, reads', () => {
    const names = of('Environment')?.map((one) => one.replace(/^"/, '').split('=')[0] ?? '') ?? [];

    expect(names.filter((name) => !(name in variables)).toSorted()).toEqual([
      'NODE_ENV',
      'NODE_OPTIONS',
    ]);
  });
});
