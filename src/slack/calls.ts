import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import { record, type SLACK_METHODS } from '../metrics.ts';

type CallResult = 'ok' | 'error' | 'ratelimited' | 'http' | 'timeout' | 'network';

export const LIMIT_ERRORS: ReadonlySet<string> = new Set(['ratelimited', 'rate_limited']);

/** A person waits: a limit that ends this soon is waited for, once. Seconds. */
export const SHORT_LIMIT_S = 3;

/** Slack's code of an error; undefined for other errors. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof WebAPIPlatformError ? error.data.error : undefined;
}

/** Makes a call to Slack, and measures it. @param resultOf of what came back; absent: only an error is a failure */
export async function measureCall<T>(
  method: (typeof SLACK_METHODS)[number],
  call: () => Promise<T>,
  resultOf: (answer: T) => CallResult | Promise<CallResult> = () => 'ok',
): Promise<T> {
  const began = performance.now();
  const measure = (result: CallResult): void => {
    record.slackCalls.observe({ method, result }, (performance.now() - began) / 1_000);
    if (result === 'ratelimited') record.slackRateLimits.inc({});
  };
  let answer: T;
  try {
    answer = await call();
  } catch (error) {
    measure(failureOf(error));
    throw error;
  }
  measure(await resultOf(answer));
  return answer;
}

export function statusResult({ ok, status }: Response): CallResult {
  if (ok) return 'ok';
  return status === 429 ? 'ratelimited' : 'http';
}

/** Of an answer of the Web API, which names an error in its body. */
export async function bodyResult(answer: Response): Promise<CallResult> {
  if (!answer.ok) return statusResult(answer);
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => undefined);
  if (typeof body !== 'object' || body === null) return 'error';
  const { ok, error } = body as { ok?: unknown; error?: unknown };
  if (ok === true) return 'ok';
  return LIMIT_ERRORS.has(String(error)) ? 'ratelimited' : 'error';
}

function failureOf(error: unknown): CallResult {
  if (error instanceof WebAPIRateLimitedError) return 'ratelimited';
  if (error instanceof WebAPIPlatformError) {
    return LIMIT_ERRORS.has(error.data.error) ? 'ratelimited' : 'error';
  }
  if (error instanceof WebAPIHTTPError) return 'http';
  const cause = error instanceof WebAPIRequestError ? error.original : error;
  return isTimeout(cause) ? 'timeout' : 'network';
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError');
}
