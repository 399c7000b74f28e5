import type { Json } from '../json.ts';

/** Something on its way to the app. */
export interface Parcel {
  readonly kind: 'command' | 'interaction' | 'options' | 'event';
  readonly payload: Json;
  readonly retry?: { readonly number: number; readonly reason: string };
}

/** How the app answered within its three seconds. */
export type Answer =
  | { readonly ok: true; readonly status: number; readonly body: Json }
  | {
      readonly ok: false;
      readonly reason: 'operation_timeout' | 'dispatch_failed';
      readonly status?: number;
      readonly noRetry?: boolean;
    };
