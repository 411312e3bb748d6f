import type { Command } from 'commander';
import { CommandLineError, EXIT } from '../failure.js';
import { print, printJson, say, table } from '../output.js';

const FILE = 'JSON: a tool, a list of tools, or {"tools": […]}; - reads standard input';

interface Output {
  readonly json?: boolean;
}

/** What the tenant's tools promise: registered once, for every session. */
export function addTools(program: Command): void {
  const tools = program
    .command('tools')
    .description('what tools promise: list, add, show the versions of one');
  tools
    .command('list')
    .description('list the newest version of each registered tool')
    .option('--json', 'one JSON object on stdout')
    .action(async ({ json }: Output) => {
      const found = await listed();
      if (json) return printJson({ tools: found });
      if (found.length === 0) return say('No tool is registered; sessions declare their own.');
      const rows = found.map(({ name, version, effect }) => [name, String(version), effect]);
      print(table(rows, [1]));
    });
  tools
    .command('add')
    .description('register tools from a file; what is new becomes a new version')
    .argument('<file>', FILE)
    .option('--json', 'one JSON object on stdout')
    .action(async (file: string, { json }: Output) => {
      const added = await registeredFrom(file);
      if (json) return printJson({ tools: added });
      for (const tool of added) {
        print(`${tool.added ? 'added' : 'there already'}  ${tool.name} version ${tool.version}`);
      }
    });
  tools
    .command('show')
    .description('show every version of a tool, the newest first')
    .argument('<name>', 'name of the tool')
    .action(async (name: string) => printJson({ tools: await listed(name) }));
}

async function listed(name?: string) {
  const { withLocalApplication } = await import('../local-application.js');
  const { ListTools } = await import('../../commands/register-tools/list-tools.query.js');
  return withLocalApplication(({ queries, configuration }) =>
    queries.execute(new ListTools(configuration.tenant, name)),
  );
}

async function registeredFrom(file: string) {
  const { readJson } = await import('../json-file.js');
  const { checkedBody } = await import('../../commands/dto/checked-body.js');
  const { RegisterToolsBody } = await import('../../commands/register-tools/register-tools.dto.js');
  const { body, faults } = checkedBody(RegisterToolsBody, { tools: toolsIn(await readJson(file)) });
  if (faults.length > 0) {
    const lines = faults.map(({ at, message }) => `${at}: ${message}`);
    throw new CommandLineError(`${file}: ${lines.join('\n')}`, EXIT.usage);
  }
  const { withLocalApplication } = await import('../local-application.js');
  const { RegisterTools } = await import('../../commands/register-tools/register-tools.handler.js');
  return withLocalApplication(({ commands, scope }) => {
    const { tenantId, actor } = scope('');
    return commands.execute(new RegisterTools({ tenantId, actor }, body.tools));
  });
}

function toolsIn(value: unknown): unknown {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null) return [value];
  return 'tools' in value ? value.tools : [value];
}
