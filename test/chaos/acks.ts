import { Pool } from 'undici';
import { command } from '../bench/slack.ts';

const EVERY_MS = 100;
/** Far behind the numbers of other commands. */
const FIRST = 1_000_000;

/**
 * Types `/purser help` ten times a second into a bot that listens at `port`, until the function that it
 * gives is called: that gives how long each acknowledgement took, in ascending order. Milliseconds;
 * infinite where nothing was there.
 */
export function askForHelp(port: number, slackUrl: string): () => Promise<number[]> {
  const pool = new Pool(`http://127.0.0.1:${port}`);
  const asked: Promise<number>[] = [];
  const timer = setInterval(() => {
    const began = performance.now();
    const taken = (): number => performance.now() - began;
    asked.push(command(pool, slackUrl, FIRST + asked.length).then(taken, () => Infinity));
  }, EVERY_MS);
  return async () => {
    clearInterval(timer);
    const waits = await Promise.all(asked);
    await pool.close();
    return waits.toSorted((left, right) => left - right);
  };
}
