import { afterAll, describe, it } from '@jest/globals';

/** Only to notice a hang; busy machines are slow. */
const SCENARIO_MS_MAX = 60_000;

/**
 * A contract is a list of scenarios, so that it can be registered as tests for each adapter and
 * also be run against stores that must fail it.
 */
export interface Scenario<Subject> {
  readonly name: string;
  run(subject: Subject): Promise<void>;
}

export interface Opened<Subject> {
  readonly subject: Subject;
  close(): Promise<void>;
}

/** One subject serves all scenarios of the block: no scenario may rely on an empty store. */
export function describeScenarios<Subject>(
  title: string,
  scenarios: readonly Scenario<Subject>[],
  open: () => Promise<Opened<Subject>>,
): void {
  describe(title, () => {
    let opened: Promise<Opened<Subject>> | undefined;
    afterAll(async () => (await opened)?.close());
    it.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
      '%s',
      async (_name, scenario) => {
        opened ??= open();
        await scenario.run((await opened).subject);
      },
      SCENARIO_MS_MAX,
    );
  });
}

/** Names of the scenarios that fail, or don't end in time, on a fresh subject each. */
export async function failingScenarios<Subject>(
  scenarios: readonly Scenario<Subject>[],
  subject: () => Subject,
  timeLimitMs = 300,
): Promise<readonly string[]> {
  const verdicts = await Promise.all(
    scenarios.map(async (scenario) => {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<'failed'>((resolve) => {
        timer = setTimeout(resolve, timeLimitMs, 'failed');
      });
      const run = scenario.run(subject()).then(
        () => 'passed',
        () => 'failed',
      );
      const verdict = await Promise.race([run, late]);
      clearTimeout(timer);
      return verdict === 'failed' ? [scenario.name] : [];
    }),
  );
  return verdicts.flat();
}
