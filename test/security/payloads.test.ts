import { readdirSync, readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { get } from '../support/http.ts';
import { openAttackedBot, type AttackedBot, type Said } from './bot.ts';
import { countOf, dice, each, report } from './count.ts';
import { problemsOf } from './said.ts';
import { WEAPONS } from './weapons.ts';

type Json = Record<string, unknown>;

const STARTING = 120_000;
const AT_ONCE = 8;
/** An admin, a viewer, a guest, one without an address, one who left, one of another company, and no one at all. */
const PEOPLE = ['U0ADA', 'U0CLEO', 'U0EVE', 'U0NOEL', 'U0GUS', 'U0SAM', 'U0NOBODY'] as const;
const random = dice();

let bot: AttackedBot;
let values: Map<string, string[]>;
const problems: string[] = [];
let sent = 0;

beforeAll(async () => {
  bot = await openAttackedBot();
  values = seenValues();
}, STARTING);
afterAll(() => bot.close());

/** The values of the buttons in the catalogue, by action. */
function seenValues(): Map<string, string[]> {
  const folder = new URL('../catalogue/snapshot/', import.meta.url);
  const text = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8'));
  const pairs = text.join('\n').matchAll(/action_id: ([\w.-]+)[^}]{0,200}?value: ([^,}\n]+)/g);
  const found = new Map<string, string[]>();
  for (const [, id = '', value = ''] of pairs) found.set(id, [...(found.get(id) ?? []), value]);
  return found;
}

/** Of the right kind for the place of a string, or not. */
function odd(): unknown {
  const text = random.one(WEAPONS);
  return random.one<unknown>([
    undefined,
    null,
    '',
    0,
    -1,
    true,
    [],
    {},
    [[]],
    text,
    text.repeat(900),
    'x'.repeat(100_000),
    { value: text },
    [text],
    { id: text },
    randomUUID(),
    'globex',
    'globex/lab/api',
    'U0BEN',
    'C0OPS',
    'T0OTHER',
    JSON.stringify({ org: 'globex', state: text, reply: randomUUID() }),
    '{"org":',
  ]);
}

/** Puts something odd somewhere into a payload. */
function spoil(payload: Json): void {
  let [at, key] = [payload, random.one(Object.keys(payload))];
  for (;;) {
    const next = at[key];
    if (typeof next !== 'object' || next === null || random.chance(0.3)) break;
    const inside = Object.keys(next);
    if (inside.length === 0) break;
    [at, key] = [next as Json, random.one(inside)];
  }
  const value = odd();
  if (value === undefined) delete at[key];
  else at[key] = value;
}

function envelope(type: string, request: string): Json {
  const user = random.one(PEOPLE);
  return {
    type,
    team: { id: 'T0ACME', domain: 'acme' },
    user: { id: user, username: 'name', name: 'name', team_id: 'T0ACME' },
    api_app_id: 'A0PURSER',
    enterprise: null,
    is_enterprise_install: false,
    trigger_id: `trigger-${request}`,
    nonce: request,
  };
}

/** A button, or an option of a menu, in a message, on the home tab or in a window. */
function click(action: string, request: string): Json {
  const known = values.get(action) ?? ['acme/shop/cart'];
  const value = random.one([...known, ...known, random.one(WEAPONS), action]);
  const element = random.chance(0.7)
    ? { type: 'button', value }
    : { type: 'static_select', selected_option: { text: {}, value: random.one([value, action]) } };
  const place = random.one(['message', 'message', 'home', 'modal']);
  return {
    ...envelope('block_actions', request),
    container: { type: place, message_ts: '1.1', channel_id: 'C0BILLING', is_ephemeral: true },
    ...(place === 'message'
      ? { channel: { id: 'C0BILLING' }, response_url: bot.responseUrl(request) }
      : { view: { ...viewOf(random.one(bot.views)), type: place } }),
    actions: [{ ...element, action_id: action, block_id: `${randomUUID()}:0` }],
  };
}

/** As the bot opened it, when it did. */
function viewOf(callbackId: string): Json {
  const opened = bot.said.flatMap(({ args }): Json[] => {
    const view = args['view'] as Json | undefined;
    return view?.['callback_id'] === callbackId ? [view] : [];
  });
  const view: Json = opened.length > 0 ? random.one(opened) : {};
  const blocks = (view['blocks'] ?? [
    { type: 'input', block_id: 'name', element: { action_id: 'name' } },
  ]) as readonly Json[];
  return {
    title: { text: 'Title' },
    submit: { text: 'Submit' },
    private_metadata: JSON.stringify({ state: random.one(WEAPONS), reply: randomUUID() }),
    ...structuredClone({ ...view, blocks }),
    id: `V${randomUUID()}`,
    hash: 'hash',
    callback_id: callbackId,
    state: { values: Object.fromEntries(blocks.map(filledIn)) },
  };
}

function filledIn({ block_id: id, element }: Json): [string, Json] {
  const {
    action_id: action,
    type,
    options,
    initial_value: text,
  } = (element ?? {}) as { action_id?: string; type?: string; options?: Json[] } & Json;
  const chosen = options === undefined ? undefined : random.one(options);
  const value = random.one([text, random.one(WEAPONS), 'acme', '5']);
  return [
    String(id),
    { [action ?? 'x']: { type, value, selected_option: chosen, selected_options: [chosen] } },
  ];
}

const submission = (callbackId: string, request: string): Json => ({
  ...envelope(random.chance(0.9) ? 'view_submission' : 'view_closed', request),
  view: { ...viewOf(callbackId), type: 'modal' },
  response_urls: [],
});

async function attack(payload: Json, name: string): Promise<void> {
  sent += 1;
  const body = JSON.stringify(payload);
  const answer = await (random.chance(0.9) ? bot.form({ payload: body }) : bot.json(payload)).catch(
    (error: unknown) => ({ status: 0, text: () => Promise.resolve(String(error)) }),
  );
  const text = await answer.text();
  if (answer.status === 0 || answer.status >= 500) {
    problems.push(`${name}: ${answer.status} ${text} for ${body.slice(0, 600)}`);
  }
}

/** The data of the platform, which may not be different afterwards. */
const accounts = async (): Promise<unknown> =>
  (await get<{ accounts: unknown }>(`${bot.harness.platformUrl}/_sandbox/state`)).accounts;

it('a payload of any action or window that is spoiled in any way does nothing, and gets a sentence', async () => {
  const before = await accounts();
  // The windows that it opens for people with the rights, so that these can be submitted with hostile content.
  await each(bot.actions, AT_ONCE, (action) => attack(click(action, randomUUID()), action));

  const targets = [
    ...bot.actions.map((id) => [id, click] as const),
    ...bot.views.map((id) => [id, submission] as const),
  ];
  const attacks = Array.from({ length: countOf('payloadsOfEachId') }, () => targets).flat();
  await each(attacks, AT_ONCE, async ([id, make]) => {
    const payload = make(id, randomUUID());
    for (let left = 1 + random.below(3); left > 0; left -= 1) spoil(payload);
    await attack(payload, id);
  });
  const answers: readonly Said[] = await bot.settled();

  const written = (await bot.harness.platformRequests()).filter(
    ({ method, path }) => method !== 'GET' && !/[-/]query$/.test(path),
  );
  report('hostile payloads', { ids: targets.length, sent, answers: answers.length });
  expect(targets.length).toBeGreaterThan(100);
  expect.soft(problems).toEqual([]);
  // A window that is refused shows its own blocks again, which are as spoiled as they came.
  const sentences = answers.filter(({ method }) => !method.startsWith('views.'));
  expect.soft(sentences.flatMap(problemsOf)).toEqual([]);
  expect.soft(written).toEqual([]);
  expect(await accounts()).toEqual(before);
});
