import { WebClient } from '@slack/web-api';
import { createLogger } from '../../../src/lib/logger.ts';
import { clientOptions } from '../../../src/slack/client.ts';

/** A body, which is ok unless it says otherwise; a whole response; or an error of the network. */
export type Answer = object | Response | Error;

interface Call {
  readonly method: string;
  readonly args: Readonly<Record<string, string>>;
}

/** A Slack that answers each call so, and lists the calls. */
export function slackSaying(answerTo: (method: string) => Answer) {
  const calls: Call[] = [];
  const client = new WebClient('xoxb-token', {
    ...clientOptions('https://slack.test/api/', createLogger({ level: 'silent', secrets: [] })),
    fetch: async (address, init) => {
      const method = String(address).split('/').at(-1) ?? '';
      calls.push({ method, args: Object.fromEntries(new URLSearchParams(init?.body as string)) });
      const answer = answerTo(method);
      if (answer instanceof Error) throw answer;
      return answer instanceof Response ? answer : Response.json({ ok: true, ...answer });
    },
  });
  return { client, calls };
}

/** A Slack that answers each method with this value, or with the result of this function. */
export function slackAnswering(answers: Readonly<Record<string, unknown>>) {
  return slackSaying((method) => {
    const answer: unknown = answers[method];
    return (typeof answer === 'function' ? answer() : answer) as object;
  });
}

/** One after the other; a call beyond them is a defect. */
export function inOrder(...answers: Answer[]): (method: string) => Answer {
  return (method) => {
    const answer = answers.shift();
    if (answer === undefined) throw new Error(`one call too many: ${method}`);
    return answer;
  };
}

export const refusing = (error: string): Answer => ({ ok: false, error });

export function networkError(code: string): TypeError {
  const cause = Object.assign(new Error('connect failed'), { code });
  return new TypeError('fetch failed', { cause });
}

export function handClock() {
  let now = 0;
  return { now: () => now, elapsed: () => now, advance: (ms: number) => void (now += ms) };
}
