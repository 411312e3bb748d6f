import type { Command } from 'commander';
import type { AccessKey } from '../../domain/access/access-keys.js';
import { roles } from '../../domain/access/access-scopes.js';
import { checkedCount } from '../arguments.js';
import { CommandLineError, EXIT } from '../failure.js';
import { print, printJson, say, table } from '../output.js';

interface AddOptions {
  readonly name: string;
  readonly role: readonly string[];
  readonly days: string;
  readonly json?: boolean;
}

interface RotateOptions {
  readonly overlapHours: string;
  readonly days: string;
  readonly json?: boolean;
}

interface JsonOption {
  readonly json?: boolean;
}

/** The keys of one tenant: HOLDFAST_TENANT says of which. */
export function addKeys(program: Command): void {
  const keys = program
    .command('keys')
    .description('keys of a tenant, each with its roles: add, list, rotate, revoke');
  addAdd(keys);
  addList(keys);
  addRotate(keys);
  addRevoke(keys);
}

function addAdd(keys: Command): void {
  keys
    .command('add')
    .description('make a key; it is printed this once and kept nowhere')
    .requiredOption('--name <name>', 'what people call it')
    .requiredOption('--role <roles...>', `what it may do: ${roles.join(', ')}`)
    .option('--days <days>', 'how long it is good', '90')
    .option('--json', 'one JSON object on stdout')
    .action(async ({ name, role, days, json }: AddOptions) => {
      const dto = await import('../../commands/access-keys/access-key.dto.js');
      const body = await checked(dto.AddAccessKeyBody, {
        name,
        roles: role,
        expiresInDays: checkedCount('--days', days, dto.EXPIRES_IN_DAYS_MAX),
      });
      const { AddAccessKey } = await import('../../commands/access-keys/access-keys.handlers.js');
      const { withLocalApplication } = await import('../local-application.js');
      const given = await withLocalApplication(({ commands, scope }) =>
        commands.execute(new AddAccessKey(scope(''), body)),
      );
      show(given.key, given.text, json);
    });
}

function addList(keys: Command): void {
  keys
    .command('list')
    .description('list the keys, also those that open nothing any more')
    .option('--json', 'one JSON object on stdout')
    .action(async ({ json }: JsonOption) => {
      const { ListAccessKeys } = await import('../../commands/access-keys/access-keys.handlers.js');
      const { withLocalApplication } = await import('../local-application.js');
      const found = await withLocalApplication(({ queries, scope }) =>
        queries.execute(new ListAccessKeys(scope('').tenantId)),
      );
      if (json) return printJson({ keys: found.map(shown) });
      if (found.length === 0) return say('The tenant has no key.');
      print(table([KEY_COLUMNS, ...found.map(row)]));
    });
}

function addRotate(keys: Command): void {
  keys
    .command('rotate')
    .description('make the key that takes over from this one')
    .argument('<keyId>', 'the id of the old key')
    .option('--overlap-hours <hours>', 'for how long the old key is good, too', '24')
    .option('--days <days>', 'how long the new one is good', '90')
    .option('--json', 'one JSON object on stdout')
    .action(async (keyId: string, { overlapHours, days, json }: RotateOptions) => {
      const dto = await import('../../commands/access-keys/access-key.dto.js');
      const body = await checked(dto.RotateAccessKeyBody, {
        overlapHours: checkedCount('--overlap-hours', overlapHours, dto.OVERLAP_HOURS_MAX, 0),
        expiresInDays: checkedCount('--days', days, dto.EXPIRES_IN_DAYS_MAX),
      });
      const handlers = await import('../../commands/access-keys/access-keys.handlers.js');
      const { withLocalApplication } = await import('../local-application.js');
      const given = await withLocalApplication(({ commands, scope }) =>
        commands.execute(new handlers.RotateAccessKey(scope(''), keyId, body)),
      );
      show(given.key, given.text, json);
    });
}

function addRevoke(keys: Command): void {
  keys
    .command('revoke')
    .description('let a key open nothing any more')
    .argument('<keyId>', 'the id of the key')
    .action(async (keyId: string) => {
      const handlers = await import('../../commands/access-keys/access-keys.handlers.js');
      const { withLocalApplication } = await import('../local-application.js');
      await withLocalApplication(({ commands, scope }) =>
        commands.execute(new handlers.RevokeAccessKey(scope(''), keyId)),
      );
      print(`revoked  ${keyId}`);
    });
}

/** @throws CommandLineError that names everything that is wrong. */
async function checked<Body extends object>(
  bodyClass: new () => Body,
  fields: Readonly<Record<string, unknown>>,
): Promise<Body> {
  const { checkedBody } = await import('../../commands/dto/checked-body.js');
  const { body, faults } = checkedBody(bodyClass, fields);
  if (faults.length === 0) return body;
  throw new CommandLineError(faults.map(({ message }) => message).join('; '), EXIT.usage);
}

function show(key: AccessKey, text: string, json: boolean | undefined): void {
  if (json) return printJson({ ...shown(key), key: text });
  print(text);
  say(`Key ${key.keyId} (${key.roles.join(', ')}) is good until ${key.expiresAt}.`);
  say('It is shown this once: keep it where secrets are kept.');
}

function shown({ secretHash: _secretHash, ...key }: AccessKey): object {
  return key;
}

const KEY_COLUMNS = ['KEY', 'NAME', 'ROLES', 'GOOD', 'USED'];

function row(key: AccessKey): string[] {
  const { keyId, name, roles: granted, revokedAt, expiresAt, lastUsedOn } = key;
  const end = revokedAt === undefined ? `until ${expiresAt}` : `revoked ${revokedAt}`;
  return [keyId, name, granted.join(','), end, lastUsedOn ?? 'never'];
}
