import { createHmac } from 'node:crypto';
import { CREDENTIALS } from '../../src/sandbox/bot.ts';

/** Slash commands, one after the other, and how long each acknowledgement took. */
export interface Acks {
  /** Stops asking. @returns milliseconds, in ascending order */
  stop(): Promise<number[]>;
}

const EVERY_MS = 100;

/** Types `/purser help` ten times a second into a bot that listens at `port`. */
export function askForHelp(port: number, slackUrl: string): Acks {
  const taken: number[] = [];
  const running = new Set<Promise<void>>();
  const timer = setInterval(() => {
    const asked = ask(port, slackUrl).then((ms) => void taken.push(ms));
    running.add(asked);
    void asked.finally(() => running.delete(asked));
  }, EVERY_MS);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(running);
      return taken.toSorted((left, right) => left - right);
    },
  };
}

/** Infinite when it was not acknowledged at all. */
async function ask(port: number, slackUrl: string): Promise<number> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const body = new URLSearchParams({
    command: '/purser',
    text: 'help',
    user_id: 'U0ADA',
    team_id: 'T0CHAOS',
    channel_id: 'C0MAIN',
    trigger_id: `${process.hrtime.bigint()}.1`,
    response_url: `${slackUrl}response/1`,
  }).toString();
  const mac = createHmac('sha256', CREDENTIALS.signingSecret);
  const began = performance.now();
  const answer = await fetch(`http://127.0.0.1:${port}/slack/events`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': `v0=${mac.update(`v0:${timestamp}:${body}`).digest('hex')}`,
    },
    body,
  }).catch(() => undefined);
  await answer?.arrayBuffer();
  return answer?.ok ? performance.now() - began : Infinity;
}
