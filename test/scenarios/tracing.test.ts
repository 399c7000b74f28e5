import { afterEach, beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest';
import { listen } from '../support/http.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

const PACKAGES = String.raw`/^(?:bullmq-otel|@opentelemetry\/(?!api$))/`;
const REFUSAL = `export function resolve(name, context, next) {
  if (!${PACKAGES}.test(name)) return next(name, context);
  throw Object.assign(new Error(name), { code: 'ERR_MODULE_NOT_FOUND' });
}`;
const script = (text: string): string => `data:text/javascript,${encodeURIComponent(text)}`;

/** The bot in an installation without the packages for traces. */
const withoutPackages = () => {
  const hook = `import { register } from 'node:module'; register(${JSON.stringify(script(REFUSAL))});`;
  return [process.execPath, '--import', script(hook), inject('bot')];
};

interface Span {
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: unknown }[];
}
interface Traces {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: Span[] }[] }[];
}

const spansOf = (body: string): Span[] =>
  (JSON.parse(body) as Traces).resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) => spans),
  );

let world: World;

beforeEach(async () => {
  world = await openWorld();
});

afterEach(() => world.close());

describe('traces', () => {
  it('of each job go to the collector that is named, without secrets', async () => {
    const bodies: string[] = [];
    let isHanging = false;
    const collector = await listen((request, response, body) => {
      bodies.push(request.url ?? '', body);
      if (!isHanging) response.end('{}');
    });
    onTestFinished(() => collector.close());
    const bot = await world.startBot({
      environment: {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20key-of-the-collector',
        OTEL_BSP_SCHEDULE_DELAY: '200',
        WATCHES: 'acme/data',
      },
    });

    const isPoll = ({ attributes }: Span): boolean =>
      attributes.some(
        ({ key, value }) =>
          key === 'bullmq.job.name' && JSON.stringify(value) === '{"stringValue":"poll"}',
      );
    await until('a span of a poll', () =>
      bodies.some((body) => body.startsWith('{') && spansOf(body).some(isPoll)),
    );
    const sent = bodies.join('\n');
    expect(sent).toContain('/v1/traces');
    expect(sent).toContain('"service.name"');
    const environment = world.environment({ port: 1, opsPort: 2 });
    const secrets = [
      ...Object.values(world.orgTokens),
      ...['SLACK_BOT_TOKEN', 'SLACK_SIGNING_SECRET', 'BILLING_TOKEN', 'SECRET_KEY'].map(
        (name) => environment[name] ?? name,
      ),
    ];
    expect(secrets.filter((secret) => sent.includes(secret))).toEqual([]);
    expect(bot.log()).not.toContain('key-of-the-collector');

    isHanging = true;
    expect(await bot.stop()).toBe(0);
  });

  it('are off without the variable, and then need no packages', async () => {
    const bot = await world.startBot({ program: withoutPackages() });

    expect(await bot.stop()).toBe(0);
  });

  it('without their packages keep the bot from starting, with one sentence', async () => {
    const starting = world.startBot({
      program: withoutPackages(),
      environment: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' },
    });

    await expect(starting).rejects.toThrow(
      /"msg":"OTEL_EXPORTER_OTLP_ENDPOINT is set, but the packages for traces are not installed/,
    );
  });
});
