import { asJson, asText, objectsOf } from '../json.ts';
import type { Clock } from '../ids.ts';
import type { Answer, Parcel } from './parcel.ts';
import { createRetries } from './retries.ts';
import { sendSigned, sign, signedRequest, type SignedRequest } from './signed-http.ts';
import type { SocketMode } from './socket-mode.ts';

/** One delivery and how it was answered. */
interface DeliveryRecord {
  readonly via: 'socket' | 'http' | 'nowhere';
  readonly kind: Parcel['kind'];
  /** The command, the action ids, the callback id or the event type. */
  readonly name: string;
  readonly user: string;
  readonly at: number;
  readonly retry: number;
  readonly ok: boolean;
  readonly status?: number;
  readonly error?: string;
  readonly answer?: unknown;
  /** Milliseconds until the answer. */
  readonly ackMs: number;
}

export interface Skew {
  /** Added to the time stamp, in seconds; negative is the past. */
  readonly timestampSkew?: number;
  /** Replaces the right signature. */
  readonly signature?: string;
  /** Sent without being signed again. */
  readonly body?: string;
  readonly contentType?: string;
}

export interface Delivery {
  /** To Socket Mode when a connection is open, else as a signed request. Never throws. */
  deliver(parcel: Parcel): Promise<Answer>;
  /** Repeats the last signed request byte for byte; `undefined` when nothing was there. */
  replay(): Promise<Answer | undefined>;
  /** A command of this name with something wrong about it, on purpose. */
  raw(parcel: Parcel, skew: Skew): Promise<Answer>;
  /** Sends what waits for its next repetition, now. */
  runRetries(): Promise<number>;
  records(): readonly DeliveryRecord[];
  setRequestUrl(url: string | undefined): void;
  close(): void;
}

function nameOf({ kind, payload }: Parcel): string {
  if (kind === 'command') return asText(payload['command']) ?? '';
  if (kind === 'event') return asText(asJson(payload['event'])['type']) ?? '';
  const actions = objectsOf(payload['actions']).map((action) => String(action['action_id']));
  if (actions.length > 0) return actions.join(' ');
  return asText(payload['action_id']) ?? asText(asJson(payload['view'])['callback_id']) ?? '';
}

function userOf({ kind, payload }: Parcel): string {
  if (kind === 'command') return asText(payload['user_id']) ?? '';
  const source =
    kind === 'event' ? asJson(payload['event'])['user'] : asJson(payload['user'])['id'];
  return asText(source) ?? '';
}

function recordOf(
  parcel: Parcel,
  answer: Answer,
  times: { via: DeliveryRecord['via']; at: number; ackMs: number },
): DeliveryRecord {
  const { status } = answer;
  return {
    ...times,
    kind: parcel.kind,
    name: nameOf(parcel),
    user: userOf(parcel),
    retry: parcel.retry?.number ?? 0,
    ok: answer.ok,
    ...(status !== undefined && { status }),
    ...(answer.ok ? { answer: answer.body } : { error: answer.reason }),
  };
}

/** Hands deliveries to the app and remembers how each was answered. */
export function createDelivery(deps: {
  clock: Clock;
  signingSecret: string;
  socketMode: SocketMode;
  requestUrl?: string | undefined;
}): Delivery {
  const { clock, signingSecret, socketMode } = deps;
  let { requestUrl } = deps;
  let lastRequest: SignedRequest | undefined;
  const records: DeliveryRecord[] = [];
  const retries = createRetries(deliver);
  const seconds = () => Math.floor(clock.now() / 1000);

  function send(parcel: Parcel): { via: DeliveryRecord['via']; answer: Promise<Answer> } {
    if (socketMode.connections > 0) return { via: 'socket', answer: socketMode.send(parcel) };
    if (!requestUrl) {
      return { via: 'nowhere', answer: Promise.resolve({ ok: false, reason: 'dispatch_failed' }) };
    }
    lastRequest = signedRequest(parcel, signingSecret, seconds());
    return { via: 'http', answer: sendSigned(requestUrl, lastRequest) };
  }
  async function deliver(parcel: Parcel): Promise<Answer> {
    const at = clock.now();
    const started = performance.now();
    const { via, answer: promise } = send(parcel);
    const answer = await promise;
    const ackMs = Math.round(performance.now() - started);
    records.push(recordOf(parcel, answer, { via, at, ackMs }));
    if (parcel.kind === 'event' && !answer.ok && !answer.noRetry)
      retries.plan(parcel, answer.reason);
    return answer;
  }
  return {
    deliver,
    async replay() {
      if (!lastRequest || !requestUrl) return undefined;
      return sendSigned(requestUrl, lastRequest);
    },
    async raw(parcel, { timestampSkew = 0, signature, body, contentType }) {
      if (!requestUrl) return { ok: false, reason: 'dispatch_failed' };
      const timestamp = seconds() + timestampSkew;
      const request = signedRequest(parcel, signingSecret, timestamp);
      const bytes = body ?? request.body;
      const headers = {
        ...request.headers,
        ...(contentType && { 'content-type': contentType }),
        'x-slack-signature': signature ?? sign(signingSecret, timestamp, bytes),
      };
      return sendSigned(requestUrl, { headers, body: bytes });
    },
    runRetries: () => retries.runAll(),
    records: () => records,
    setRequestUrl(url) {
      requestUrl = url;
    },
    close: () => retries.close(),
  };
}
