import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { load } from 'js-yaml';
import { projectFolder } from '../../test/architecture/project-files.js';
import { ALARMS_KNOWN } from '../alarms.js';
import { PROBLEMS } from '../api/problem.js';
import { Metrics } from './metrics.js';

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly expr: string }[];
  }[];
}

const file = join(projectFolder, 'docs/prometheus/holdfast-alerts.yml');
const rules = (load(readFileSync(file, 'utf8')) as Rules).groups.flatMap((group) => group.rules);

function named(expr: string, label: string): readonly string[] {
  const found = [...expr.matchAll(new RegExp(`${label}=~?"([^"]+)"`, 'g'))];
  return found.flatMap(([, names]) => names!.split('|'));
}

describe('the rules for Prometheus', () => {
  it.each(rules)('$alert names metrics, codes and alarms that there are', async ({ expr }) => {
    const { registry } = new Metrics();
    const known = (await registry.getMetricsAsJSON()).flatMap(({ name }) => [
      name,
      `${name}_count`,
    ]);
    const metrics = expr.match(/holdfast_\w+/g) ?? [];
    expect(metrics).not.toEqual([]);
    expect(metrics.filter((name) => !known.includes(name))).toEqual([]);
    expect(named(expr, 'code').filter((code) => !Object.hasOwn(PROBLEMS, code))).toEqual([]);
  });

  it('have one for each alarm', () => {
    const alarms = rules.flatMap(({ expr }) => named(expr, 'alarm'));
    expect(alarms.toSorted()).toEqual([...ALARMS_KNOWN].toSorted());
  });

  it('read counters that are there before anything has happened', async () => {
    const text = await new Metrics().registry.metrics();
    for (const alarm of ALARMS_KNOWN) {
      expect(text).toContain(`holdfast_alarms_total{alarm="${alarm}"} 0`);
    }
    expect(text).toContain('holdfast_problems_total{code="stale_epoch"} 0');
  });
});
