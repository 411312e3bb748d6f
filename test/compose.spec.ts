import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { HealthController } from '../src/api/rest/health.controller.js';
import { buildProgram } from '../src/cli/program.js';
import { loadConfiguration } from '../src/config/load-configuration.js';

const ROOT = join(import.meta.dirname, '..');
const read = (name: string) => readFileSync(join(ROOT, name), 'utf8');

interface Service {
  readonly image?: string;
  readonly build?: string;
  readonly profiles?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, object>>;
  readonly network_mode?: string;
  readonly healthcheck?: { readonly test: readonly string[] };
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, object>>;
}

/** What can be known without Docker: nothing of it was run there. */
describe('docker-compose.yml', () => {
  const { services, volumes } = load(read('docker-compose.yml')) as Compose;

  it('configures Holdfast with variables and values that it takes', () => {
    const given = Object.entries(services['holdfast']!.environment!).map(([name, value]) => {
      const fallback = /^\$\{(\w+):-(.*)\}$/.exec(value);
      expect(fallback?.[1]).toBe(name);
      return [name, fallback![2]!] as const;
    });
    const configuration = loadConfiguration({ HOME: '/', ...Object.fromEntries(given) });
    const hosts = [configuration.eventStoreUrl, configuration.mongodbUrl].map(
      (url) => new URL(url!.replace(/^[a-z+]+:/, 'http:')).hostname,
    );
    for (const host of hosts) expect(Object.keys(services)).toContain(host);
  });

  it('names a release of every image, and asks every service for its health', () => {
    for (const [name, { image, build, healthcheck }] of Object.entries(services)) {
      expect([name, /:\d+\.\d+(\.\d+)?$/.test(image ?? '')]).toEqual([name, true]);
      const command = healthcheck?.test[0] ?? (build && /^HEALTHCHECK /m.exec(read('Dockerfile')));
      expect([name, command === undefined || command === null]).toEqual([name, false]);
    }
    const bases = [...read('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
    expect(bases.length).toBe(2);
    for (const base of bases) expect(base).toMatch(/^node:\d+-/);
  });

  it('opens ports on this machine only, and keeps what must be kept in volumes that it declares', () => {
    for (const service of Object.values(services)) {
      for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
      for (const volume of service.volumes ?? []) {
        expect(Object.keys(volumes)).toContain(volume.split(':')[0]);
      }
    }
    for (const name of ['holdfast', 'eventstore', 'kurrentdb', 'mongo']) {
      expect(services[name]!.volumes?.length).toBeGreaterThan(0);
    }
  });

  it('starts Holdfast when its servers are healthy, and KurrentDB only by its profile', () => {
    for (const name of Object.keys(services['holdfast']!.depends_on!)) {
      expect(services[name]!.healthcheck).toBeDefined();
    }
    expect(services['kurrentdb']!.profiles).toEqual(['kurrentdb']);
    expect(services['proxy']!.network_mode).toBe('service:holdfast');
  });
});

describe('the image', () => {
  const dockerfile = read('Dockerfile');

  it('runs a command of the program, and not as root', () => {
    const [, program] = /^ENTRYPOINT \["node", "\/app\/(.+)"\]$/m.exec(dockerfile) ?? [];
    expect(existsSync(join(ROOT, program!))).toBe(true);
    const [, command] = /^CMD \["(\w+)"\]$/m.exec(dockerfile) ?? [];
    const names = buildProgram(() => undefined).commands.map((one) => one.name());
    expect(names).toContain(command);
    expect(dockerfile.lastIndexOf('USER node')).toBeGreaterThan(dockerfile.lastIndexOf('FROM '));
  });

  it('asks for its health where the server tells it', () => {
    const [, port, path] = /fetch\('http:\/\/127\.0\.0\.1:(\d+)\/(\w+)'\)/.exec(dockerfile) ?? [];
    const { ready } = HealthController.prototype;
    expect(Reflect.getMetadata('path', ready)).toBe(path);
    expect(loadConfiguration({ HOME: '/' }).port).toBe(Number(port));
  });

  it('is built of all that a clone has: what stays outside is what git does not keep either', () => {
    const lines = (name: string) => read(name).split('\n').filter(Boolean);
    const outside = lines('.dockerignore').filter((line) => line !== '.git');
    const ignored = lines('.gitignore').map((line) => line.replace(/^\/|\/$/g, ''));
    expect(outside.length).toBeGreaterThan(2);
    for (const path of outside) {
      expect([path, ignored.includes(path.replace(/^packages\/\*\//, ''))]).toEqual([path, true]);
    }
  });

  it('has folders that the configuration takes, and copies what there is', () => {
    const [, data] = /HOLDFAST_DATA_DIR=(\S+)/.exec(dockerfile) ?? [];
    const [, keys] = /HOLDFAST_KEYS_DIR=(\S+)/.exec(dockerfile) ?? [];
    const environment = { HOLDFAST_DATA_DIR: data, HOLDFAST_KEYS_DIR: keys };
    expect(loadConfiguration(environment)).toMatchObject({ dataFolder: data, keysFolder: keys });
    const copied = [...dockerfile.matchAll(/^COPY --from=build (.+) \S+$/gm)]
      .flatMap(([, sources]) => sources!.split(' '))
      .map((source) => source.replace('/app/', ''));
    expect(copied.length).toBeGreaterThan(5);
    for (const source of copied) expect(existsSync(join(ROOT, source))).toBe(true);
  });
});
