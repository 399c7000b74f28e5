import { WebClient } from '@slack/web-api';

/** A Slack that answers every call with this value, or with the result of this function, and counts the calls. */
export function slackAnswering(answers: Readonly<Record<string, unknown>>) {
  const calls: string[] = [];
  const client = new WebClient('xoxb-token', {
    retryConfig: { retries: 0 },
    fetch: (address) => {
      const method = new URL(String(address)).pathname.split('/').at(-1) ?? '';
      calls.push(method);
      const answer: unknown = answers[method];
      const body = (typeof answer === 'function' ? answer() : answer) as object;
      return Promise.resolve(Response.json({ ok: true, ...body }));
    },
  });
  return { client, calls };
}

export function handClock() {
  let now = 0;
  return { now: () => now, elapsed: () => now, advance: (ms: number) => void (now += ms) };
}
