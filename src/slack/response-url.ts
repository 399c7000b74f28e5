import type { KnownBlock } from '@slack/types';
import type { Logger } from '../lib/logger.ts';

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

/** Posts to a response_url. Returns false when Slack did not take it; that is logged, without the address. */
export async function postResponse(
  address: string,
  response: Response,
  deps: { apiUrl: string; logger: Logger },
): Promise<boolean> {
  if (!isSlackAddress(address, deps.apiUrl)) {
    deps.logger.warn({}, 'A response_url that is not Slack’s was not used');
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
    // Read in any case: a body that is left lying holds its connection.
    const said = (await answer.text()).slice(0, 200);
    if (!answer.ok) {
      deps.logger.error({ status: answer.status, answer: said }, 'Slack did not take an answer');
    }
    return answer.ok;
  } catch (error) {
    deps.logger.error({ err: error }, 'An answer did not reach Slack');
    return false;
  }
}
