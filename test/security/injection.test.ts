import { randomUUID } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAttackedBot, type AttackedBot, type Said } from './bot.ts';
import { countOf, each, report } from './count.ts';
import { strangePaths } from './paths.ts';
import { openPlatformFront, withTexts } from './platform-front.ts';

type Json = Record<string, unknown>;

const STARTING = 120_000;
const AT_ONCE = 8;
/** How a cell begins that a spreadsheet runs. */
const FORMULAS = ['=', '+', '-', '@', '\t', '\r', '=HYPERLINK("http://evil.example")&', '＝'];
/** Names that the platform chooses and that end in cells. */
const NAMED = new Set(['workload', 'gvc', 'description', 'gpuModel']);

let bot: AttackedBot;
let front: Awaited<ReturnType<typeof openPlatformFront>>;

beforeAll(async () => {
  front = await openPlatformFront((_path, body) => ({
    body: withTexts(body, (text, key) =>
      NAMED.has(key) && text !== '' ? (FORMULAS[text.length % FORMULAS.length] ?? '') + text : text,
    ),
  }));
  bot = await openAttackedBot((environment) => front.lead(environment));
}, STARTING);
afterAll(async () => {
  await bot?.close();
  await front?.close();
});

const answersIn = (said: readonly Said[]): readonly Said[] =>
  said.filter(({ method, args }) => method === '' && !String(args['text']).startsWith('Still'));

/** Types a command as Ada; gives the answer. */
async function type(command: string, text: string): Promise<Json> {
  const request = randomUUID();
  await bot.form({
    command,
    text,
    team_id: 'T0ACME',
    user_id: 'U0ADA',
    channel_id: 'C0BILLING',
    response_url: bot.responseUrl(request),
    trigger_id: `trigger-${request}`,
  });
  await bot.answered(request, (said) => answersIn(said).length > 0);
  return answersIn(bot.answersTo(request))[0]?.args ?? {};
}

/** Presses a button of an answer that sends a file, or chooses it in the menu; gives its content. */
async function fileBy(answer: Json, action: string): Promise<string> {
  const blocks = answer['blocks'] as { block_id?: string; elements?: Json[] }[];
  const chosen = (element: Json): Json | undefined => {
    const options = (element['options'] ?? []) as Json[];
    const option = options.find(({ value }) => value === action);
    if (option !== undefined) return { ...element, selected_option: option };
    return element['action_id'] === action ? element : undefined;
  };
  const block = blocks.find((one) => one.elements?.some((element) => chosen(element)));
  const pressed = block?.elements?.flatMap((element) => chosen(element) ?? [])[0];
  if (pressed === undefined) throw new Error(`no ${action} in ${JSON.stringify(blocks)}`);
  const [request, before] = [randomUUID(), bot.uploads.length];
  const payload = {
    type: 'block_actions',
    team: { id: 'T0ACME' },
    user: { id: 'U0ADA', team_id: 'T0ACME' },
    trigger_id: `trigger-${request}`,
    response_url: bot.responseUrl(request),
    container: { type: 'message', is_ephemeral: true },
    channel: { id: 'C0BILLING' },
    actions: [{ ...pressed, block_id: block?.block_id }],
  };
  await bot.form({ payload: JSON.stringify(payload) });
  await bot.answered(request, (said) => answersIn(said).length > 0);
  const [file] = bot.uploads.slice(before);
  if (file === undefined) throw new Error(`no file: ${JSON.stringify(bot.answersTo(request))}`);
  return file;
}

describe('every CSV', () => {
  const FILES = [
    ['/charges', 'last month by workload', 'charges.csv'],
    ['/usage', 'last 7 days by workload', 'usage.csv'],
    ['/invoices', 'show 10', 'invoices.csv'],
  ] as const;

  it.each(FILES)('of %s %s has no cell that runs, whatever names begin with', async (...asked) => {
    const [command, text, action] = asked;

    const file = await fileBy(await type(command, text), action);

    const cells = parse(file, { record_delimiter: '\r\n' }).flat();
    const runs = /^[\s\p{Cc}\p{Cf}]*[=+@＝]|^-(?!\d+(\.\d+)?$)|^[\t\r]/u;
    const hidden = FORMULAS.filter((start) => cells.some((cell) => cell.startsWith(`'${start}`)));
    report(`formulas in ${action}`, { cells: cells.length, formulas: hidden.length });
    expect(cells.filter((cell) => runs.test(cell))).toEqual([]);
    expect(hidden.length).toBeGreaterThan(2);
  });
});

describe('a name', () => {
  const LEADING_AWAY = [
    '../../account/other',
    '..',
    '.',
    '%2e%2e%2f%2e%2e%2f',
    '%2E%2E',
    '..%2f..',
    '..\\..',
    'shop?org=globex',
    'shop#x',
    'shop;x',
    'shop%00',
    '/org/globex/gvc/lab',
    '//evil.example/x',
    'http://evil.example/',
    'shop@evil.example',
    'x\r\nhost: evil.example',
  ];
  const PLACES: readonly (readonly [string, (name: string) => string])[] = [
    ['/deployments', (name) => name],
    ['/deployments', (name) => `shop/${name}`],
    ['/deployments', (name) => `shop/cart/${name}`],
    ['/deployments', (name) => `org ${name} shop`],
    ['/deployments', (name) => `jobs shop/${name}`],
    ['/deployments', (name) => `watch ${name}`],
    ['/workload', (name) => `addresses ${name}`],
    ['/workload', (name) => `addresses shop/${name}`],
    ['/workload', (name) => `probe ${name}/cart`],
    ['/workload', (name) => `probe shop/${name} org ${name}`],
    ['/charges', (name) => `org ${name}`],
    ['/charges', (name) => `where gvc="${name}"`],
    ['/charges', (name) => `item ${name}`],
    ['/charges', (name) => `tags ${name}`],
    ['/usage', (name) => `org ${name}`],
    ['/usage', (name) => `tags ${name}`],
    ['/invoices', (name) => `show ${name}`],
    ['/invoices', (name) => `deliveries ${name}`],
    ['/billing', (name) => `quotas org ${name}`],
    ['/changes', (name) => `show ${name}`],
  ];

  it('leads to no other path of the platform, and is no part of a query', async () => {
    const names = LEADING_AWAY.slice(0, countOf('namesOfEachPlace'));
    const texts = PLACES.flatMap(([command, textOf]) =>
      names.flatMap((name) => [name, `"${name}"`].map((one) => [command, textOf(one)] as const)),
    );
    await each(texts, AT_ONCE, ([command, text]) => type(command, text));

    const requests = await bot.harness.platformRequests();
    report('path injection', { texts: texts.length, requests: requests.length });
    expect(strangePaths(requests)).toEqual([]);
    // Some of them did come to the platform, as names.
    expect(requests.some(({ path }) => path.includes('..%2F..'))).toBe(true);
  });
});
