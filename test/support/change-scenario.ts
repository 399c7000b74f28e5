import { cardOf, writes } from './approvals.ts';
import { direct, enter, fill, openBy, openForm, shown, submit, valuesOf } from './changes-page.ts';
import type { Entries } from './modal.ts';
import type { Visitor } from './page.ts';
import type { World } from './world.ts';
import { REASON } from './changes.ts';

/** The request of one person in a browser. */
export interface Wish {
  readonly command: string;
  readonly entries?: Entries;
  /** The first entries, since other fields depend on them, and the text of the form after them. */
  readonly first?: { readonly entries: Entries; readonly says: string };
}

/** Stories by topic, such as `alert`: within one topic, each goes on where the one before ended. */
export function byTopic<Story extends { readonly kind: string }>(
  stories: readonly Story[],
): [topic: string, stories: Story[]][] {
  const topicOf = ({ kind }: Story) => kind.replace(/\..*/, '');
  const topics = new Set(stories.map(topicOf));
  return [...topics].map((topic) => [topic, stories.filter((one) => topicOf(one) === topic)]);
}

/** A change as two people saw it, from the command to the audit; each text as the page has it. */
export interface Seen {
  readonly id: string;
  /** The initial values of the fields, by their labels. */
  readonly prefilled: Readonly<Record<string, string>>;
  readonly card: string;
  readonly review: string;
  readonly end: string;
  readonly reported: string;
  readonly audit: string;
  /** The calls that changed something: before the decision, and in all. */
  readonly early: number;
  readonly sent: Awaited<ReturnType<typeof writes>>;
}

/** Of a rejection. */
export const COMMENT = 'looked at it';

/** One asks for a change in #billing, another approves it in #approvals, and both read how it ended. */
export async function playOut(
  world: World,
  [viewer, approver]: readonly [Visitor, Visitor],
  wish: Wish,
): Promise<Seen> {
  const before = (await writes(world)).length;
  const since = async () => (await writes(world)).slice(before);

  const asked = await ask(viewer, wish);
  await enter(approver, 'approvals');
  const card = shown(approver, await cardOf(world, asked.id, 'pending'));
  await card.getByRole('button', { name: 'Review' }).waitFor();
  const pending = await card.innerText();
  const early = (await since()).length;

  const review = await decideOn(approver, card, 'Approve');
  await cardOf(world, asked.id, 'succeeded');
  await card.getByText('Done').first().waitFor();
  const audit = await approver.ask(`/changes show ${asked.id}`);
  const reported = await direct(viewer, asked.id);
  return {
    ...asked,
    card: pending,
    review,
    end: await card.innerText(),
    reported: await reported.innerText(),
    audit: await audit.innerText(),
    early,
    sent: await since(),
  };
}

/** Asks for a change; gives the contents of the form, and the id that the answer names. */
export async function ask(visitor: Visitor, { command, entries = {}, first }: Wish) {
  await enter(visitor, 'billing');
  const form = await openForm(visitor, command);
  if (first !== undefined) {
    await fill(form, first.entries);
    await form.getByText(first.says).waitFor();
  }
  const { Reason: _, ...prefilled } = await valuesOf(form);
  await fill(form, { Reason: REASON, ...entries });
  const answer = await visitor.newAnswer(() => sendOff(form));
  const [, id = ''] = / as ([a-z\d]{8})\b/.exec(await answer.innerText()) ?? [];
  return { id, prefilled };
}

/** Decides on a change by its card; gives the text of the review. */
export async function decideOn(
  visitor: Visitor,
  card: ReturnType<Visitor['message']>,
  decision: 'Approve' | 'Reject',
): Promise<string> {
  const form = await openBy(visitor, card, 'Review');
  const words = await form.innerText();
  if (decision === 'Reject') {
    await form.getByRole('button', { name: 'Reject...' }).click();
    await form.getByText('Comment').waitFor();
    await fill(form, { Comment: COMMENT });
  }
  await sendOff(form);
  return words;
}

/** @throws for errors in the form */
async function sendOff(form: Visitor['modal']): Promise<void> {
  const errors = await submit(form);
  if (Object.keys(errors).length > 0) throw new Error(JSON.stringify(errors));
}
