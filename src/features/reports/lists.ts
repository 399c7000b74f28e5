import { z } from 'zod';
import { denied } from '../../access/policy.ts';
import type { Clock } from '../../lib/time.ts';
import { Refusal, UsageError } from '../../lib/errors.ts';
import { nearest, truncate, type Word } from '../../lib/text.ts';
import {
  keywordAt,
  KNOWN_TAGS,
  properName,
  rangeAt,
  refuseSingleQuotes,
  typed,
  unknownName,
  usualOf,
  type Cursor,
} from '../../reporting/query-words.ts';
import { parseQuery, writeQuery, type ReportQuery } from '../../reporting/query.ts';
import type { Services } from '../../services.ts';
import { button, context, topText } from '../../slack/kit/blocks.ts';
import { mrkdwn } from '../../slack/kit/text.ts';
import type { ActionRoute, Answer, Person } from '../../slack/routing/routes.ts';
import { NO_BUTTONS } from '../answer-parts.ts';
import { actionId } from './answer-view.ts';
import { PLAIN_QUERY } from './customize-form.ts';
import { itemsView, tagsView } from './lists-view.ts';
import { newState, readState, resolveQuestion, type State } from './question.ts';
import type { Source, Viewer } from './source.ts';
import type { Paged } from './totals-view.ts';
import { sharing } from './words.ts';

/**
 * Reads `TAG [query]`: a known tag in any spelling, in quotes any tag (design section 3).
 * @param words those after `tags`
 * @param command with its slash
 * @throws UsageError with the whole command that was probably meant
 */
export function parseTags(
  words: readonly Word[],
  command: string,
): { tag: string; query: ReportQuery } {
  const cursor: Cursor = { words, command: `${command} tags`, at: 0 };
  refuseSingleQuotes(words, cursor.command);
  const tag = readTagName(cursor);
  const start = `${command} tags ${typed({ text: tag, quoted: words[0]?.quoted ?? false })}`;
  const query = parseQuery(words.slice(1), { command: start });
  const misplaced = query.by ? 'by' : query.step && 'step';
  if (misplaced !== undefined) {
    const meant = writeQuery({ ...query, by: undefined, step: undefined });
    throw new UsageError(`"tags" takes no "${misplaced}": leave it out.`, `${start} ${meant}`);
  }
  if (query.items.length > 0) {
    throw new UsageError(
      '"tags" takes no "item": leave it out.',
      `${start} ${writeQuery({ ...query, items: [] })}`,
    );
  }
  return { tag, query };
}

function readTagName(cursor: Cursor): string {
  const [word] = cursor.words;
  const text = word?.text.trim() ?? '';
  const tag = word?.quoted === true ? text : properName(text, KNOWN_TAGS);
  if (tag !== undefined && tag !== '') return tag;
  if (text === '' || keywordAt(cursor) !== undefined || rangeAt(cursor) !== undefined) {
    throw new UsageError(`After "tags" comes a tag: usual are ${usualOf(KNOWN_TAGS)}.`);
  }
  const meant = nearest(text, KNOWN_TAGS);
  const fix = meant && { at: 0, count: 1, words: meant };
  throw unknownName(cursor, { what: 'tag', text, known: KNOWN_TAGS }, fix);
}

/** What Previous and Next stand for. */
interface Listed {
  /** Undefined: the chargeable items. */
  readonly tag: string | undefined;
  readonly state: State;
}

const Kept = z.object({ tag: z.string().optional(), state: z.unknown() });

/** `tags TAG [query]` of both commands, and `items` of `/charges`. */
export function createLists(source: Source, services: ListServices) {
  const { clock, interactions } = services;
  const show = (person: Person, listed: Listed) => showList(source, services, person, listed);
  const turn = (action: string, step: number): ActionRoute => ({
    actionId: actionId(source.name, action),
    inPlace: true,
    async run({ person, value = '' }) {
      const kept = Kept.safeParse(await interactions.get(person.userId, value)).data;
      const state = readState(kept?.state, source.name);
      const page = Math.max(1, state.page + step);
      return show(person, { tag: kept?.tag, state: { ...state, page } });
    },
  });
  return {
    /** The distinct values of a tag (spec 4.6). @throws Refusal, PlatformError */
    showTag: (person: Person, { tag, query }: ReturnType<typeof parseTags>): Promise<Answer> =>
      show(person, { tag, state: newState(source.name, query, clock.now()) }),
    /** The chargeable items by name (spec 2.6). @throws Refusal, PlatformError */
    showItems: (person: Person): Promise<Answer> =>
      show(person, { tag: undefined, state: newState(source.name, PLAIN_QUERY, clock.now()) }),
    /** Previous and Next of both lists; the person is authorized again. */
    actions: [turn(PREVIOUS, -1), turn(NEXT, 1)],
  };
}

type ListServices = Pick<Services, 'clock' | 'interactions'>;

const PREVIOUS = 'list-previous';
const NEXT = 'list-next';

/**
 * Why there is no list for these words after `items`; who names an item there probably wants what is
 * charged as that.
 */
export function itemsRefusal(
  { name, help: { command } }: Source,
  words: readonly Word[],
): UsageError | undefined {
  const [extra] = words;
  if (extra !== undefined && isQuery([{ text: 'item', quoted: false }, ...words])) {
    return new UsageError(
      '"items" lists the chargeable items, and "item" asks for those that you name.',
      [command, 'item', ...words.map(typed)].join(' '),
    );
  }
  if (name !== 'charges') {
    return new UsageError('Chargeable items are with the charges: "/charges items" lists them.');
  }
  if (extra === undefined) return undefined;
  return new UsageError(
    `After "items" comes nothing: leave "${truncate(extra.text, 60)}" out.`,
    `${command} items`,
  );
}

function isQuery(words: readonly Word[]): boolean {
  try {
    return parseQuery(words).items.length > 0;
  } catch (error) {
    if (error instanceof UsageError) return false;
    throw error;
  }
}

async function showList(
  source: Source,
  { clock, interactions }: ListServices,
  person: Person,
  listed: Listed,
): Promise<Answer> {
  const viewer = await source.authorize(person);
  const view = await (listed.tag === undefined
    ? readItems(source, viewer, listed.state, clock)
    : readTag(source, viewer, { ...listed, tag: listed.tag }, clock));
  const state = { ...listed.state, page: view.page };
  const id =
    view.pages > 1 ? await interactions.put(person.userId, { ...listed, state }) : undefined;
  const isStuck = view.pages > 1 && id === undefined;
  const press = (name: string, text: string) =>
    button({
      action: actionId(source.name, name),
      text,
      ...(id === undefined ? {} : { value: id }),
    });
  const turning = [
    ...(view.page > 1 ? [press(PREVIOUS, 'Previous')] : []),
    ...(view.page < view.pages ? [press(NEXT, 'Next')] : []),
  ];
  return {
    text: topText(view.head),
    blocks: isStuck ? [...view.blocks, context(mrkdwn`${NO_BUTTONS}`)] : view.blocks,
    notes: view.notes,
    ...(view.rest && { rest: view.rest }),
    controls: id === undefined ? [] : [turning],
    ...sharing(source, viewer),
  };
}

async function readTag(
  source: Source,
  viewer: Viewer,
  { tag, state }: Listed & { readonly tag: string },
  clock: Clock,
): Promise<Paged> {
  // Before anything else, such as an org that has to be named, because nothing would help.
  if (viewer.orgsOnly !== undefined) throw denied('role', viewer.orgsOnly);
  const question = await resolveQuestion(source, viewer, state, clock);
  const found = await source.tagValues(viewer, tag, question.range, question.query);
  return tagsView({ source, tag, question, found, page: state.page, now: clock.now() });
}

async function readItems(
  source: Source,
  viewer: Viewer,
  { page }: State,
  clock: Clock,
): Promise<Paged> {
  const catalogue = await source.items?.(viewer);
  if (catalogue === undefined) throw new Refusal('There is no list of chargeable items here.');
  return itemsView({ catalogue, page, now: clock.now() });
}
