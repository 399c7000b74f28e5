import type { SandboxClock } from './platform/clock.ts';

/** A step of the demo: after `atMs` milliseconds, a call of the platform's control API. */
interface Step {
  atMs: number;
  path: string;
  body: object;
}

const SHOP = { org: 'acme', gvc: 'shop' };
const WEB = { ...SHOP, workload: 'web' };
const PAYMENTS = { ...SHOP, workload: 'payments' };

/** The events of the first two minutes, one after the other. */
const STORY: readonly Step[] = [
  { atMs: 9_000, path: 'story', body: { ...WEB, name: 'ready' } },
  { atMs: 45_000, path: 'story', body: { ...PAYMENTS, name: 'oom', location: 'aws-us-west-2' } },
  {
    atMs: 85_000,
    path: 'story',
    body: { ...WEB, name: 'location-stale', location: 'azure-eastus2' },
  },
];
/** By then the bot has looked once, so that the digest is news to it. */
const DIGEST_AT_MS = 7_000;

/** Does not let people wait for the digest: moves the clock to when it is due. */
export function hurryDigest(clock: SandboxClock, dueMs: number, signal: AbortSignal): void {
  const hurry = () => clock.advance(Math.max(0, dueMs - clock.now()));
  const timer = setTimeout(hurry, DIGEST_AT_MS);
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
}

/** Plays the story once; a step that fails is reported and the next one still comes. */
export function playStory(
  platformUrl: string,
  signal: AbortSignal,
  report: (problem: string) => void,
): void {
  for (const { atMs, path, body } of STORY) {
    const timer = setTimeout(() => {
      fetch(`${platformUrl}/_sandbox/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal,
      }).catch((error: unknown) => report(`the demo's ${path} failed: ${String(error)}`));
    }, atMs);
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  }
}
