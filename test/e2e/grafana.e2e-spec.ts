import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { anthropicAnswer } from '../support/provider-answers.js';
import { SessionWorker } from '../support/session-worker.js';

jest.setTimeout(120_000);

const FILE = join(import.meta.dirname, '../../docs/grafana/holdfast-costs.json');
const DATASOURCE = 'yesoreyeram-infinity-datasource';

interface Dashboard {
  readonly templating: {
    readonly list: readonly {
      readonly name: string;
      readonly type: string;
      readonly query: string;
    }[];
  };
  readonly panels: readonly {
    readonly title: string;
    readonly datasource: { readonly type: string };
    readonly targets: readonly {
      readonly datasource: { readonly type: string };
      readonly type: string;
      readonly url: string;
      readonly columns: readonly { readonly selector: string; readonly type: string }[];
    }[];
  }[];
}

const dashboard = JSON.parse(readFileSync(FILE, 'utf8')) as Dashboard;
const panels = dashboard.panels.map((panel) => [panel.title, panel] as const);

let app: AppInProcess;
beforeAll(async () => {
  app = await startApp();
  const worker = new SessionWorker(app.http, 'session-1');
  await worker.start({ labels: { project: 'apollo' } });
  await worker.input('Begin.');
  await worker.claim();
  const model = { provider: 'anthropic', model: 'claude-sonnet-4-5' };
  await worker.turn(anthropicAnswer('One.'), model);
  const key = { 'Idempotency-Key': 'labels-1' };
  const set = { set: { stage: 'test' } };
  const { body } = await app.http.post<{ position: string }>(worker.path('/labels'), set, key);
  await app.http.get(`/v1/cost?atLeast=${body.position}`);
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

/** As Grafana fills them in: the last 30 days, and what the dashboard's own variables say. */
function filledIn(url: string): string {
  const day = 24 * 3_600_000;
  const values: Record<string, string> = {
    '__from:date:iso': new Date(Date.now() - 30 * day).toISOString(),
    '__to:date:iso': new Date(Date.now() + day).toISOString(),
  };
  for (const { name, type, query } of dashboard.templating.list) {
    if (type === 'textbox') values[`${name}:percentencode`] = encodeURIComponent(query);
  }
  return url.replace(/\$\{([^}]+)\}/g, (_, name: string) => {
    if (values[name] === undefined) throw new Error(`nobody fills in ${name}`);
    return values[name];
  });
}

function rowsOf(csv: string): readonly Record<string, string>[] {
  const [header = '', ...lines] = csv.trimEnd().split('\r\n');
  const names = header.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']));
  });
}

describe('the Grafana dashboard', () => {
  it('reads everything through the Infinity data source that its reader picks', () => {
    expect(dashboard.templating.list).toContainEqual(
      expect.objectContaining({ name: 'datasource', type: 'datasource', query: DATASOURCE }),
    );
    for (const { datasource, targets } of dashboard.panels) {
      expect(targets.length).toBeGreaterThan(0);
      for (const one of [datasource, ...targets.map((target) => target.datasource)]) {
        expect(one).toEqual({ type: DATASOURCE, uid: '${datasource}' });
      }
    }
  });

  it.each(panels)('has a panel that a running server answers: %s', async (_title, panel) => {
    for (const { url, type, columns } of panel.targets) {
      expect(type).toBe('csv');
      const path = filledIn(url);
      const answer = await app.http.get(path);
      expect([path, answer.status]).toEqual([path, 200]);
      expect(answer.headers['content-type']).toMatch('text/csv');
      const rows = rowsOf(answer.text);
      expect(rows).toHaveLength(1);
      for (const { selector, type: kind } of columns) {
        expect(Object.keys(rows[0]!)).toContain(selector);
        const value = rows[0]![selector]!;
        if (kind === 'number') expect([selector, Number(value)]).not.toEqual([selector, NaN]);
        if (kind === 'timestamp') expect(Date.parse(value)).not.toBeNaN();
      }
      expect(rows[0]).toMatchObject({ amount: '0.0045', calls: '1' });
    }
  });
});
