import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { ConfigurationError, type ConfigurationProblem } from './configuration-error.js';
import { Configuration } from './configuration.js';
import { configurationVariables, type VariableKey } from './configuration-variables.js';
import { type Variable } from './variable.js';
import { nearestName } from './nearest-name.js';

export type Environment = Readonly<Record<string, string | undefined>>;

const prefix = 'HOLDFAST_';
const variables = Object.entries(configurationVariables) as [VariableKey, Variable][];
const knownNames = variables.map(([, { name }]) => name);

/**
 * The configuration that `env` (usually `process.env`) describes. An empty variable counts as not
 * set. A value that was derived from a wrong one is not reported beside it.
 * @throws ConfigurationError with every unknown variable and every value that is not allowed
 */
export function loadConfiguration(env: Environment): Configuration {
  const given = Object.fromEntries(
    knownNames.map((name) => [name, env[name]?.trim() || undefined]),
  );
  const values = withDefaults(given, defaultDataFolder(env));
  const configuration = plainToInstance(Configuration, values, { excludeExtraneousValues: true });
  const problems = [
    ...unknownVariables(env),
    ...validateSync(configuration)
      .filter((error) => given[nameOf(error)] !== undefined)
      .map((error) => valueProblem(error, values)),
  ];
  if (problems.length > 0) {
    throw new ConfigurationError(problems);
  }
  return Object.freeze(configuration);
}

/** The XDG Base Directory Specification: a relative XDG_DATA_HOME is to be ignored. */
function defaultDataFolder(env: Environment): string {
  const dataHome = env['XDG_DATA_HOME'] ?? '';
  const home = env['HOME'] || homedir();
  return join(isAbsolute(dataHome) ? dataHome : join(home, '.local', 'share'), 'holdfast');
}

function withDefaults(given: Environment, dataFolder: string): Environment {
  const values: Record<string, string | undefined> = {};
  for (const [, variable] of variables) {
    values[variable.name] = given[variable.name] ?? variable.default;
  }
  const { dataFolder: data, keysFolder: keys, url, host, port } = configurationVariables;
  values[data.name] ??= dataFolder;
  values[keys.name] ??= `${values[data.name]?.replace(/(?<=.)[\\/]+$/, '')}-keys`;
  values[url.name] ??= urlOf(values[host.name] ?? '', values[port.name] ?? '');
  return values;
}

/** Where a server with this host and port is reached from the same machine. */
function urlOf(host: string, port: string): string {
  if (host === '0.0.0.0' || host === '::') {
    return `http://127.0.0.1:${port}`;
  }
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function unknownVariables(env: Environment): ConfigurationProblem[] {
  return Object.keys(env)
    .filter((name) => name.startsWith(prefix) && !knownNames.includes(name))
    .sort()
    .map((name) => ({
      variable: name,
      message: `unknown variable ${name}: did you mean ${nearestName(name, knownNames)}?`,
    }));
}

function nameOf(error: ValidationError): string {
  return configurationVariables[error.property as VariableKey].name;
}

function valueProblem(error: ValidationError, values: Environment): ConfigurationProblem {
  const variable: Variable = configurationVariables[error.property as VariableKey];
  const hidden = variable.kind === 'secret' || variable.kind === 'storeUrl';
  const value = hidden ? '(hidden)' : JSON.stringify(values[variable.name]);
  const allowed = Object.values(error.constraints ?? {}).join('; ');
  return { variable: variable.name, message: `${variable.name} is ${value}: ${allowed}` };
}
