import { createHmac } from 'node:crypto';
import { isJson, parseJson, type Json } from '../json.ts';
import { LIMITS } from '../limits.ts';
import type { Answer, Parcel } from './parcel.ts';

/** One request as it went out, byte for byte. */
export interface SignedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Slack's v0 signature over the raw body. `timestamp` is in seconds. */
export function sign(secret: string, timestamp: number, body: string): string {
  return `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`;
}

function bodyOf({ kind, payload }: Parcel): { type: string; body: string } {
  if (kind === 'event') return { type: 'application/json', body: JSON.stringify(payload) };
  const fields =
    kind === 'command' ? (payload as Record<string, string>) : { payload: JSON.stringify(payload) };
  return {
    type: 'application/x-www-form-urlencoded',
    body: new URLSearchParams(fields).toString(),
  };
}

/** Builds the request that Slack would send. `timestamp` is in seconds. */
export function signedRequest(parcel: Parcel, secret: string, timestamp: number): SignedRequest {
  const { type, body } = bodyOf(parcel);
  return {
    body,
    headers: {
      'content-type': type,
      'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
      'x-slack-request-timestamp': String(timestamp),
      'x-slack-signature': sign(secret, timestamp, body),
      ...(parcel.retry && {
        'x-slack-retry-num': String(parcel.retry.number),
        'x-slack-retry-reason': parcel.retry.reason,
      }),
    },
  };
}

/** Sends it and waits as long as Slack waits. Never throws. */
export async function sendSigned(url: string, request: SignedRequest): Promise<Answer> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: request.headers,
      body: request.body,
      redirect: 'manual',
      signal: AbortSignal.timeout(LIMITS.answerTime),
    });
    const text = await response.text();
    if (response.status !== 200) {
      const noRetry = response.headers.get('x-slack-no-retry') === '1';
      return { ok: false, reason: 'dispatch_failed', status: response.status, noRetry };
    }
    const json = parseJson(text);
    const body: Json = isJson(json) ? json : text ? { text } : {};
    return { ok: true, status: response.status, body };
  } catch (error) {
    const timedOut = error instanceof Error && error.name === 'TimeoutError';
    return { ok: false, reason: timedOut ? 'operation_timeout' : 'dispatch_failed' };
  }
}
