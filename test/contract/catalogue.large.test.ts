import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { actions, button, section } from '../../src/slack/kit/blocks.ts';
import { mrkdwn, Mrkdwn } from '../../src/slack/kit/text.ts';
import { post } from '../catalogue/entry.ts';
import { missingSentences, watchViews } from '../catalogue/missing.ts';
import { renderAll, type RenderedArea } from '../catalogue/render.ts';
import { sentencesIn } from '../catalogue/sentences.ts';
import { differences, writeSnapshots } from '../catalogue/snapshot.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A catalogue with one message that says this. */
async function saying(text: string): Promise<readonly RenderedArea[]> {
  const entry = post('greeting', 'A person comes in.', () => ({
    text,
    blocks: [section(mrkdwn`${text}`)],
  }));
  return (await renderAll([{ id: 'door', title: 'At the door', entries: [entry] }])).areas;
}

describe('the catalogue', () => {
  it('is as in its snapshot, and shows every text and every view function', () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', 'tsx', 'test/catalogue/main.ts', '--check'],
      { cwd: ROOT, encoding: 'utf8', timeout: 300_000 },
    );

    expect(`${stdout}${stderr}`).toMatch(/^\d+ entries, 0 changed, 0 missing, 0 broken\n$/);
    expect(status).toBe(0);
  }, 300_000);

  it('shows a change of words as a change of words', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'purser-catalogue-'));
    try {
      writeSnapshots(folder, await saying('Good morning'));

      expect(differences(folder, await saying('Good morning'))).toEqual([]);
      expect(differences(folder, await saying('Good evening'))).toEqual([
        [
          'greeting',
          '-   text: Good morning',
          '-   blocks: [ { type: section, text: Good morning } ]',
          '+   text: Good evening',
          '+   blocks: [ { type: section, text: Good evening } ]',
        ].join('\n  '),
      ]);
      expect(differences(folder, [])).toEqual([expect.stringContaining('- ')]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('finds a text that no entry has, and a view that is not shown', async () => {
    const views = await watchViews();

    const missing = await views.missing();
    const unsaid = missingSentences(await saying('Good morning'));

    expect(missing.map(({ at }) => at)).toContain('rollouts/outages/outage-view.ts');
    expect(unsaid.map(({ what }) => what)).toContain(
      'not shown: Something went wrong inside Purser and was logged: please try again.',
    );
  });

  it('finds an explanation in unsaid.ts of a text that is shown', async () => {
    const guard = 'There is no list of chargeable items here.';

    expect(missingSentences(await saying(guard)).map(({ what }) => what)).toContain(
      `unsaid without need: ${guard}`,
    );
  });

  it('takes no log, no defect and no kind for something that people read', () => {
    const source = `
      import { one } from 'a file of two';
      type Kind = 'not read' | 'read well';
      logger.warn({ err }, 'For the log alone');
      if (kind === 'not read') throw new Error('A defect of ours');
      export const said = (name: string) => \`Good morning, \${name} of the house\\nand all others\`;
    `;

    expect(sentencesIn('a.ts', source).map(({ text }) => text)).toEqual([
      'Good morning,',
      'of the house',
      'and all others',
    ]);
  });

  it('refuses a message that is too long, unless something opens the rest', async () => {
    const long = Array.from({ length: 13 }, (_, line) => `line ${line}`).join('\n');
    const reported = (id: string, over: Parameters<typeof button>[0]) =>
      post(id, '', () => ({
        text: '',
        blocks: [section(new Mrkdwn(long)), actions(button(over))],
      }));

    const { problems } = await renderAll([
      {
        id: 'door',
        title: '',
        entries: [
          reported('shut', { action: 'deployments.mute.1h', text: 'Mute 1 h' }),
          reported('open', { action: 'deployments.details', text: 'Details' }),
        ],
      },
    ]);

    expect(problems).toEqual([
      'shut is too long: 13 lines and 81 characters, and nothing opens the rest',
    ]);
  });

  it('refuses names that are no anchors, duplicates, and payloads that Slack would refuse', async () => {
    const one = post('one', '', () => ({ text: 'one', blocks: [] }));
    const wrong = post('Not One', '', () => ({ text: 'two', blocks: [] }));
    const huge = post('huge', '', () => ({
      text: '',
      blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'a'.repeat(3_001) } }],
    }));

    const { problems } = await renderAll([
      { id: 'door', title: '', entries: [one, one, wrong, huge] },
    ]);

    expect(problems.join('\n')).toMatch(
      /^one is there twice\nNot One is no kebab-case name\nhuge cannot be shown: .*3001 characters/,
    );
  });
});
