import { SHARING } from '../../../src/features/answer-parts.ts';
import { createAnswers, type Answers, type Recipient } from '../../../src/slack/replies/answers.ts';
import {
  answerBlocks,
  restWindow,
  shareQuestion,
  warningAnswer,
  type Outcome,
} from '../../../src/slack/replies/reply.ts';
import { section } from '../../../src/slack/kit/blocks.ts';
import { createKept } from '../../../src/slack/replies/shelf.ts';
import { mrkdwn } from '../../../src/slack/kit/text.ts';
import type { Answer } from '../../../src/slack/routing/routes.ts';
import { createKeys, type RedisConnection } from '../../../src/store/redis.ts';
import { answer, direct, post, refusal, type Area, type Entry } from '../entry.ts';
import {
  ADA,
  boundary,
  BUSY,
  hurried,
  last,
  networked,
  PAGED,
  QUIET,
  scrub,
} from './slack-edge-data.ts';
import { nativeBlocks } from '../../support/native-blocks.ts';

interface Content {
  readonly text: string;
  readonly blocks: Answer['blocks'];
}
interface Post extends Partial<Content> {
  readonly response_type?: string;
}
interface Stage {
  readonly answers: Answers;
  readonly viewer: Recipient;
  /** Posts to the answer's response URL. */
  readonly posts: readonly Post[];
  readonly directs: readonly Content[];
  /** Resolves with the first post to Slack. */
  readonly heard: Promise<void>;
}
interface Setting {
  /** Whether Slack takes a post; by default it takes all. */
  readonly takes?: (post: Post) => boolean;
  /** The store answers no one. */
  readonly storeIsAway?: boolean;
}

/** As much of Redis as answers are kept in. */
function shelf(isAway: boolean): RedisConnection {
  const kept = new Map<string, string>();
  const away = (): Promise<never> => Promise.reject(new Error('away'));
  const redis = {
    get: (key: string) => Promise.resolve(kept.get(key) ?? null),
    set: (key: string, value: string) =>
      kept.has(key) ? Promise.resolve(null) : Promise.resolve(kept.set(key, value) && 'OK'),
  };
  return (isAway ? { get: away, set: redis.set } : redis) as unknown as RedisConnection;
}

/** The posts and direct messages to a person, while every wait ends at once. */
async function staged(
  play: (stage: Stage) => Promise<void>,
  { takes = () => true, storeIsAway = false }: Setting = {},
): Promise<Pick<Stage, 'posts' | 'directs'>> {
  const posts: Post[] = [];
  const directs: Content[] = [];
  let isHeard = (): void => undefined;
  const heard = new Promise<void>((resolve) => {
    isHeard = resolve;
  });
  const answers = createAnswers({
    kept: createKept({
      redis: shelf(storeIsAway),
      keys: createKeys('catalogue'),
      config: { personLimit: 0 },
      logger: QUIET,
    }),
    native: nativeBlocks(),
    slack: {
      slackApiUrl: 'https://slack.com/api/',
      conversations: { open: () => Promise.resolve({ channel: { id: 'D0ADA' } }) },
      chat: {
        postMessage: ({ text, blocks }: Content) => Promise.resolve(directs.push({ text, blocks })),
      },
    } as never,
    scrub,
    logger: QUIET,
  });
  const viewer = { userId: ADA.userId, responseUrl: 'https://hooks.slack.com/commands/1' };
  const take = (body: unknown): Response => {
    posts.push(body as Post);
    isHeard();
    return new Response('', { status: takes(body as Post) ? 200 : 400 });
  };
  await networked(take, () => hurried(() => play({ answers, viewer, posts, directs, heard })));
  return { posts, directs };
}

/** Ids of messages are random: here they are all the same. */
function steady({ text = '', blocks = [] }: Post): Content {
  const same = JSON.stringify(blocks).replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, 'm');
  return { text, blocks: JSON.parse(same) as Content['blocks'] };
}

const lastPost = async (...all: Parameters<typeof staged>): Promise<Content> =>
  steady(last((await staged(...all)).posts));

const show =
  (shown: Answer) =>
  async ({ answers, viewer }: Stage): Promise<void> =>
    answers.reply(viewer, () => Promise.resolve({ answer: shown }));

/** A click on a button below an answer, whose answer takes its place and takes long. */
const clickIn =
  (end: () => Promise<Outcome>) =>
  async (stage: Stage): Promise<void> => {
    const { answers, viewer, posts } = stage;
    await show(PAGED)(stage);
    const messageId = /"block_id":"([\da-f-]{36}):/.exec(JSON.stringify(posts))?.[1];
    const clicked = { messageId, lasting: false };
    const work = async () => {
      while (posts.length < 2) await new Promise(setImmediate);
      return end();
    };
    await answers.reply({ ...viewer, clicked, replaceable: true }, work, true);
  };

/** An answer is shown, and its button that shares it is clicked. */
const share =
  (shown: Answer, permit: Parameters<Answers['share']>[2] = () => Promise.resolve(undefined)) =>
  async (stage: Stage): Promise<void> => {
    const { answers, viewer, posts } = stage;
    await show(shown)(stage);
    const id = /"action_id":"answer.share".*?"value":"([\da-f-]{36})"/.exec(JSON.stringify(posts));
    await answers.share(viewer, id?.[1], permit);
  };

const inChannel = ({ response_type: type }: Post): boolean => type === 'in_channel';

function reported(
  id: string,
  when: string,
  play: (stage: Stage) => Promise<void>,
  setting?: Setting,
): Entry {
  return answer(id, when, () => lastPost(play, setting));
}

const LINES = Array.from({ length: 60 }, (_, at) => section(mrkdwn`Line ${at + 1} of many`));

const LONG: Answer = {
  ...PAGED,
  blocks: LINES,
  rest: { button: 'All 60 lines', title: 'Lines', blocks: LINES },
};

/** A click in the question about guests. */
const ASKED = { messageId: '6f1c2f0e-5d0b-4f43-9a3e-0d6b7c1a2b3c', lasting: false };

function confirmed(...shown: Parameters<typeof shareQuestion>): Answer {
  const question = shareQuestion(...shown);
  if (question === undefined) throw new Error('nothing is asked');
  return question;
}

export const slackEdgeAnswers: Area = {
  id: 'answers',
  title: 'Private answers: on their way, shared, and where Slack does not take them',
  entries: [
    answer('answer-progress', 'A command takes longer than a moment.', async () => {
      const { posts } = await staged(async ({ answers, viewer, heard }) =>
        answers.reply(viewer, async () => {
          await heard;
          return { answer: PAGED };
        }),
      );
      return steady(posts[0] ?? {});
    }),
    answer(
      'answer-progress-in-place',
      'A click takes longer than a moment: the answer loses its buttons meanwhile.',
      async () => {
        const { posts } = await staged(clickIn(() => Promise.resolve({ answer: PAGED })));
        return steady(posts[1] ?? {});
      },
    ),
    reported(
      'answer-refused-after-progress',
      'A click took long and was refused: the earlier answer comes back, with the reason below.',
      clickIn(async () => ({ answer: await boundary(() => Promise.reject(BUSY)), refused: true })),
    ),
    reported('answer-shareable', 'An answer that anyone may see can be shared.', show(PAGED)),
    answer(
      'answer-share-question',
      'An answer with billing data can be shared, after a question.',
      () => ({ ...PAGED, ...SHARING }),
    ),
    post('answer-shared', 'An answer was shared with the channel.', async () => {
      const { posts } = await staged(share(PAGED));
      return steady(last(posts.filter(inChannel)));
    }),
    reported('answer-after-sharing', 'The private answer, once it was shared.', share(PAGED)),
    reported(
      'answer-share-too-late',
      'A person shares an answer of yesterday, or the same one twice.',
      async ({ answers, viewer }) =>
        answers.share(viewer, 'gone', () => Promise.resolve(undefined)),
    ),
    reported(
      'answer-share-right-lost',
      'A person shares an answer that they may no longer see.',
      share(PAGED, () => Promise.resolve(warningAnswer('(Why they may not see it.)'))),
    ),
    answer('answer-share-guests', 'A member shares an answer where guests read.', () =>
      confirmed('6f1c2f0e-5d0b-4f43-9a3e-0d6b7c1a2b3c', 2),
    ),
    answer('answer-share-guests-unknown', 'The same, in a channel of many members.', () =>
      confirmed('6f1c2f0e-5d0b-4f43-9a3e-0d6b7c1a2b3c', 'unknown'),
    ),
    reported(
      'answer-shared-with-guests',
      'The question about guests, once it was shared.',
      (stage) => share(PAGED)({ ...stage, viewer: { ...stage.viewer, clicked: ASKED } }),
    ),
    refusal('answer-rest-too-late', 'A person opens the rest of an answer of yesterday.', () =>
      restWindow(PAGED),
    ),
    reported(
      'answer-share-not-confirmed',
      'Slack did not confirm the shared message.',
      share(PAGED),
      {
        takes: (one) => !inChannel(one),
      },
    ),
    reported(
      'answer-share-store-away',
      'The store is away while an answer is shared.',
      share(PAGED),
      {
        storeIsAway: true,
      },
    ),
    answer('answer-cut', 'An answer has more than Slack takes.', () => LONG),
    reported(
      'answer-plain',
      'Slack did not take the blocks of an answer: its text alone.',
      show(PAGED),
      {
        takes: ({ blocks }) => blocks === undefined,
      },
    ),
    direct(
      'answer-direct',
      'Slack took no answer where the command was typed: it cannot be shared from here.',
      async () => {
        const { directs } = await staged(show(PAGED), { takes: () => false });
        return steady(last(directs));
      },
    ),
    direct('answer-not-kept', 'The same, while the store keeps no answers.', () => ({
      blocks: answerBlocks({ ...PAGED, shareable: false }, 'm', { kept: false }),
    })),
  ],
};
