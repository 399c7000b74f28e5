/** Untyped JSON as it crosses the wire, and a few readers for it. */
export type Json = Record<string, unknown>;

/** A block as the bot sent it, after `block_id` and `action_id` were filled in. */
export interface Block {
  type: string;
  block_id: string;
  [key: string]: unknown;
}

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function asJson(value: unknown): Json {
  return isJson(value) ? value : {};
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

export function objectsOf(value: unknown): Json[] {
  return asList(value).filter(isJson);
}

/** `undefined` when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
