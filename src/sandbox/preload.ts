import { moveDate } from './moved-date.ts';

// Preloaded into the bot with `--import`: its clock is that of the stand-ins. The bot itself has no switch for time.
moveDate(Number(new URL(import.meta.url).searchParams.get('ahead')));
process.on('message', (aheadMs) => moveDate(Number(aheadMs)));
// The bot ends as it does without a parent that moves its clock.
process.channel?.unref();
