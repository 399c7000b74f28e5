import { section } from '../../../src/slack/kit/blocks.ts';
import { escapeText, Mrkdwn, mrkdwn } from '../../../src/slack/kit/text.ts';
import type { Upload } from '../../../src/slack/files.ts';
import { answer, direct, refusal, type Area, type Entry } from '../entry.ts';
import { startReports, typed, type World } from './reports-bot.ts';
import type { Meter } from './reports-data.ts';

/** Rows of a file that are shown: its first ones. */
const SHOWN = 5;

type Asked = readonly [id: string, when: string, line: string, world?: World];

/** The file itself, as it comes in the messages with Purser: its words, its title and its content. */
function file(id: string, when: string, press: readonly string[], [, , line, world]: Asked): Entry {
  return direct(id, when, async () => {
    const { type, press: click, files } = startReports(world);
    let shown = await type(line);
    for (const label of press) shown = await click(shown, label);
    const [sent] = files;
    if (sent === undefined) throw new Error('there is no file');
    const lines = linesIn(sent.content).slice(0, SHOWN);
    return {
      text: sent.comment,
      blocks: [
        section(mrkdwn`${sent.comment}`),
        section(mrkdwn`*${sent.title}* · ${sent.filename}`),
        section(new Mrkdwn(`\`\`\`${escapeText(lines.join('\n'))}\`\`\``)),
      ],
    };
  });
}

function linesIn(content: Upload['content']): string[] {
  return content instanceof Uint8Array ? Buffer.from(content).toString().split('\r\n') : [];
}

const CSV: readonly Asked[] = [
  ['charges', 'charges', '/charges last month by gvc'],
  [
    'charges-per-week',
    'charges in weeks that the range cuts',
    '/charges last month by gvc step week',
  ],
  ['usage', 'usage', '/usage last month by workload org acme'],
  ['hours', 'a range of hours', '/charges 2026-11-20T06:00:00Z..2026-11-20T12:00:00Z'],
  ['one-row', 'one row', '/charges 2026-11-20 of cpu where workload=web org acme'],
];

/** The answers that differ: those about other files differ only in the name of the file. */
const REPORTED = ['charges', 'one-row', 'hours'];

/** The answer to a click, and the file. */
function both(asked: Asked): Entry[] {
  const [id, of, line, world = {}] = asked;
  const when = `CSV was chosen in the menu, for ${of}.`;
  return [
    ...(REPORTED.includes(id) ? [typed(`csv-${id}`, when, line, { world, press: ['CSV'] })] : []),
    file(
      `csv-${id}-file`,
      `The file of ${of}: its title, its name and its first lines.`,
      ['CSV'],
      asked,
    ),
  ];
}

export const files: Area = {
  id: 'report-files',
  title: 'Reports as files',
  entries: [
    ...CSV.flatMap(both),
    file(
      'csv-tiers-file',
      'The file of the pricing tiers.',
      ['Tiers', 'CSV'],
      ['', '', '/charges last 60 days by gvc'],
    ),
    typed('csv-without-address', 'Slack omits the address of the file.', '/charges last month', {
      world: { fileAddress: '' },
      press: ['CSV'],
    }),
    typed(
      'csv-incomplete',
      'CSV was chosen, for charges of which some could not be read.',
      '/charges last month by gvc',
      { world: { skipped: 3, items: 'down' }, press: ['CSV'] },
    ),
    file(
      'csv-incomplete-file',
      'The file of charges of which some could not be read.',
      ['CSV'],
      ['', '', '/charges last month by gvc', { skipped: 3 }],
    ),
    typed(
      'csv-incomplete-one-row',
      'The same, and one row could be read.',
      '/charges 2026-11-20 of cpu where workload=web org acme',
      { world: { skipped: 3 }, press: ['CSV'] },
    ),
    ...(['charges', 'usage'] as const).map((name) =>
      answer(
        `csv-nothing-left-${name}`,
        `The ${name === 'usage' ? 'usage is' : 'charges are'} gone when the file is made.`,
        async () => {
          const world: { meters?: readonly Meter[] } = {};
          const { type, press } = startReports(world);
          const shown = await type(`/${name} last month by gvc`);
          world.meters = [];
          return press(shown, 'CSV');
        },
      ),
    ),
    refusal(
      'report-button-too-old',
      'A control is used whose question is no longer kept.',
      async () => {
        const { type, press } = startReports();
        const { asked: _, ...shown } = await type('/charges last month');
        return press(shown, 'By GVC');
      },
    ),
  ],
};
