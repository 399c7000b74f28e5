import { listen } from '../support/http.ts';

/** The answer in place of the stand-in's. */
export interface Twisted {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A hostile platform: it passes everything on to the stand-in, and twists the answers. */
export async function openPlatformFront(twist: (path: string, body: string) => Twisted) {
  let standIn = '';
  const front = await listen(async (request, response, body) => {
    const { authorization = '', accept = '*/*', 'content-type': type } = request.headers;
    const path = request.url ?? '';
    const passed = await fetch(standIn + path, {
      method: request.method ?? 'GET',
      headers: { authorization, accept, ...(type !== undefined && { 'content-type': type }) },
      ...(body !== '' && { body }),
    });
    const { status, headers, body: said } = twist(path, await passed.text());
    const kind = passed.headers.get('content-type') ?? 'application/json';
    response.writeHead(status ?? passed.status, { 'content-type': kind, ...headers }).end(said);
  });
  return {
    url: front.url,
    close: () => front.close(),
    /** The addresses of a bot's environment, led through here. */
    lead(environment: Readonly<Record<string, string>>): Record<string, string> {
      standIn = environment['API_URL'] ?? '';
      return Object.fromEntries(
        ['API_URL', 'BILLING_URL', 'USAGE_URL'].map((name) => [
          name,
          (environment[name] ?? '').replace(standIn, front.url),
        ]),
      );
    },
  };
}

/** The same JSON with other texts, wherever they are. */
export function withTexts(body: string, change: (text: string, key: string) => string): string {
  try {
    return JSON.stringify(JSON.parse(body), (key, value: unknown) =>
      typeof value === 'string' ? change(value, key) : value,
    );
  } catch {
    return body;
  }
}
