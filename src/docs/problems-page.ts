import { PROBLEMS } from '../api/problem.js';

/** Every `code` that an answer can have. */
export function renderProblemsPage(): string {
  const rows = Object.entries(PROBLEMS).map(
    ([code, { status, title, retryable }]) =>
      `| ${status} | \`${code}\` | ${title} | ${retryable ? 'yes' : ''} |`,
  );
  return [
    '# Problems',
    '',
    'Every refusal is a problem document (RFC 9457, `application/problem+json`) with `type`, `title`,',
    '`status`, `detail`, `code`, `retryable` and the facts that help: who holds a session, which',
    'calls are open, what comes next. `detail` says what to do. *Again* means that the identical',
    'request can succeed later. A heartbeat gets `run_ended` with the status 410. Generated from `src/api/problem.ts` by `npm run generate`.',
    '',
    '| status | code | meaning | again |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}
