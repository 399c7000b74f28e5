import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { sendAudit } from '../../../src/features/changes/feature.ts';
import { changeOf } from '../../support/changes.ts';
import { EVENTS } from '../../unit/changes/stages.ts';
import { useRedis } from '../../support/redis.ts';
import { stateCommand } from '../../support/state-command.ts';
import { openHarness } from '../changes/harness.ts';

const server = useRedis();

/** `npm run state -- …` */
async function state(words: readonly string[], input = '') {
  const { code, said, complained } = await stateCommand(words, {}, input);
  return { code, said: said + complained };
}

/** The file that **Audit as a file** sends. */
async function exported(): Promise<{ file: string; hashes: (string | undefined)[] }> {
  const { changes } = await openHarness(server.url);
  await changes.create(changeOf());
  await changes.refused({ at: 1, by: 'U0EVE', what: 'x', why: 'rôle', about: 'user.add' });
  const comment = 'é 🎉 {"hash":"x"}';
  await changes.move(changeOf(), { ...EVENTS.approve, comment });
  let file = '';
  const clock = { now: () => Date.UTC(2026, 10, 20) };
  await sendAudit(
    { changes, clock },
    async ({ content }) => {
      for await (const part of content as AsyncIterable<Uint8Array>)
        file += Buffer.from(part).toString();
      return undefined;
    },
    'U0ADA',
  );
  const hashes = [];
  for await (const { hash } of changes.audit()) hashes.push(hash);
  return { file, hashes };
}

it('an exported audit is checked, and an edit is found', async () => {
  const { file, hashes } = await exported();
  const folder = await mkdtemp(join(tmpdir(), 'purser-audit-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'audit.ndjson');
  await writeFile(path, file);

  const whole = await state(['audit', '--verify', path]);
  expect(whole).toMatchObject({ code: 0 });
  expect(whole.said).toContain('3 of 3 lines are chained.');
  expect(whole.said).toContain(`The last hash is ${hashes[2]}`);

  const middle = await state(['audit', '--verify', '-'], file.slice(file.indexOf('\n') + 1));
  expect(middle).toMatchObject({ code: 0 });
  expect(middle.said).toContain('begins in the middle');

  const edited = await state(['audit', '--verify', '-'], file.replace('rôle', 'guest'));
  expect(edited).toMatchObject({ code: 1 });
  expect(edited.said).toMatch(/BROKEN at line 2 \(entry \d+-\d+\)/);
  expect(edited.said).toContain(`The last hash before the break is ${hashes[0]}`);
});

it('a command that checks nothing is no success', async () => {
  const all = await Promise.all([
    state([]),
    state(['audit', '--verify', '/nowhere/audit.ndjson']),
    state(['audit', '--verify', '-'], ''),
  ]);
  expect(all.map(({ code }) => code)).toEqual([2, 2, 2]);
  expect(all[0]?.said).toContain('npm run -s state -- audit --verify FILE');
  expect(all[1]?.said).toContain('/nowhere/audit.ndjson cannot be read');
});
