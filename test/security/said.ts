import { createBlockChecker } from '../../src/sandbox/slack/block-check.ts';
import type { Said } from './bot.ts';

type Json = Record<string, unknown>;

const checker = createBlockChecker();
/** The words of the error boundary for an unexpected error. */
const UNEXPECTED = /Something went wrong inside Purser/;
/** Purser's own use of these signs: dates, people, and links that it made. */
const OWN =
  /<!date\^[^<>]*>|<@U0[A-Z]+>|<#C0[A-Z]+>|<!subteam\^S0[A-Z]+>|<https?:[^<>|\s]*\|[^<>]*>/g;

/** The problems of a message of the bot; empty when all is well. */
export function problemsOf({ method, args }: Said): string[] {
  const { text, blocks, view } = args;
  const isView = method.startsWith('views.');
  const surface = method === 'views.publish' ? 'home' : isView ? 'modal' : 'message';
  const shown = view === undefined ? blocks : (view as Json)['blocks'];
  const words = [text, ...mrkdwnIn(shown)].filter((one) => typeof one === 'string').join('\n');
  const isSilent = method === '' && (typeof text !== 'string' || text.trim() === '');
  return [
    ...(shown === undefined ? [] : checker.blocks(shown, surface)).map(
      ({ pointer, message }) => `Slack refuses ${pointer}: ${message}`,
    ),
    ...(UNEXPECTED.test(words) ? ['an unexpected error'] : []),
    ...(/<[!@#]|<https?:|\u202E/.test(words.replaceAll(OWN, '')) ? ['not escaped'] : []),
    ...(/<[^<>&]*evil\.example/.test(words) ? ['a foreign link'] : []),
    ...(/undefined|\[object|\bNaN\b/.test(words) ? ['no sentence'] : []),
    ...(isSilent ? ['no text'] : []),
  ].map((problem) => `${problem}: ${JSON.stringify(args).slice(0, 600)}`);
}

/** The texts that Slack acts on: rich text and plain text are shown as they are. */
function mrkdwnIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('type' in value && value.type === 'mrkdwn' && 'text' in value) return [String(value.text)];
  return Object.values(value).flatMap(mrkdwnIn);
}
