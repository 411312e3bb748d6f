import { createHash } from 'node:crypto';

const STYLE = `
body { font: 15px/1.4 system-ui, sans-serif; margin: 1.5rem; max-width: 80rem; }
main { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; }
textarea, pre, input { font: 13px/1.4 ui-monospace, monospace; width: 100%; box-sizing: border-box; }
pre { white-space: pre-wrap; background: #f4f4f2; padding: 0.6rem; margin: 0; }
`;

/** Plain JavaScript for browsers; the key stays in the field and is kept nowhere. */
const SCRIPT = `
const part = (id) => document.getElementById(id);
const show = (value) => { part('answer').textContent = JSON.stringify(value, null, 2); };
async function send(query, variables) {
  const headers = { 'Content-Type': 'application/json', Authorization: 'Bearer ' + part('key').value.trim() };
  const answer = await window.fetch('/graphql', { method: 'POST', headers, body: JSON.stringify({ query, variables }) });
  return answer.json();
}
async function run() {
  try {
    const text = part('variables').value.trim();
    show(await send(part('query').value, text === '' ? undefined : JSON.parse(text)));
  } catch (error) { show({ error: String(error) }); }
}
const FIELDS = '{ fields { name description args { name } } }';
async function fields() {
  try {
    const { data, errors } = await send('{ __schema { queryType ' + FIELDS + ' mutationType ' + FIELDS + ' } }');
    if (!data) return show(errors);
    const lines = (type) => type.fields.map(({ name, args, description }) =>
      name + '(' + args.map((one) => one.name).join(', ') + ')  ' + (description || ''));
    part('answer').textContent = ['Queries', ...lines(data.__schema.queryType), '', 'Mutations',
      ...lines(data.__schema.mutationType)].join('\\n');
  } catch (error) { show({ error: String(error) }); }
}
part('run').onclick = run;
part('fields').onclick = fields;
`;

const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The page may run its own script and ask its own server, and nothing else. */
export const QUERY_PAGE_POLICY = [
  "default-src 'none'",
  `script-src ${hashOf(SCRIPT)}`,
  `style-src ${hashOf(STYLE)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A page to try queries on, in one file: it works without any other server. */
export const QUERY_PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Holdfast GraphQL</title><style>${STYLE}</style></head>
<body>
<h1>Holdfast GraphQL</h1>
<p><label>API key <input id="key" type="password" autocomplete="off"></label></p>
<main>
<section>
<label>Operation <textarea id="query" rows="18">{ sessions(first: 10) { nodes { sessionId title status } } }</textarea></label>
<label>Variables, as JSON <textarea id="variables" rows="5"></textarea></label>
<p><button id="run">Run</button> <button id="fields">List queries and mutations</button></p>
</section>
<pre id="answer" aria-live="polite"></pre>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`;
