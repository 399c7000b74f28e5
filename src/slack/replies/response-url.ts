import type { KnownBlock } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { Logger } from '../../lib/logger.ts';
import { openDirect } from '../directory.ts';

/** What a response_url takes; private unless `in_channel`. */
export interface Response {
  text: string;
  blocks?: KnownBlock[];
  response_type?: 'ephemeral' | 'in_channel';
  replace_original?: boolean;
}

const TIMEOUT_MS = 10_000;

/**
 * An address that Slack handed out is used only over https on Slack's own hosts, or on the origin
 * that the Web API is configured for (design section 7).
 */
export function isSlackAddress(address: string, apiUrl: string): boolean {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return false;
  }
  if (url.origin === new URL(apiUrl).origin) return true;
  return url.protocol === 'https:' && /(^|\.)slack(-gov)?\.com$/.test(url.hostname);
}

/** What it takes to send an answer. */
export interface Sending {
  slack: WebClient;
  logger: Logger;
}

/** Posts to a response_url. Gives false when Slack did not take it, which is logged without the address. */
export async function postResponse(
  address: string,
  response: Response,
  { slack, logger }: Sending,
): Promise<boolean> {
  if (!isSlackAddress(address, slack.slackApiUrl)) {
    logger.warn({}, 'A response_url that is not Slack’s was not used');
    return false;
  }
  try {
    const answer = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify({ response_type: 'ephemeral', replace_original: false, ...response }),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    // Read in any case: an unread body keeps its connection.
    const text = (await answer.text()).slice(0, 200);
    if (!answer.ok) {
      logger.error({ status: answer.status, answer: text }, 'Slack did not take an answer');
    }
    return answer.ok;
  } catch (error) {
    logger.error({ err: error }, 'An answer did not reach Slack');
    return false;
  }
}

/** Writes to a person's messages with the bot. Gives false when that failed, which is logged. */
export async function sendDirectly(
  { slack, logger }: Sending,
  userId: string,
  message: Required<Pick<Response, 'text' | 'blocks'>>,
): Promise<boolean> {
  try {
    await slack.chat.postMessage({
      ...message,
      channel: await openDirect(slack, userId),
      unfurl_links: false,
      unfurl_media: false,
    });
    return true;
  } catch (error) {
    logger.error({ err: error }, 'A direct message was not sent');
    return false;
  }
}
