import { Inject, Injectable } from '@nestjs/common';
import type { PromisesNow, RunSetup } from '../domain/run-setup.js';
import { type SessionState, callsOf, isUnresolved } from '../domain/state.js';
import { type RegisteredTools, newestManifest } from '../domain/tenant/tools.js';
import { type ToolManifest, manifestOf } from '../domain/tool-manifest.js';
import { HASHER, type SessionHasher } from '../tokens.js';
import type { CommandScope } from './command-scope.js';
import { canonicalText } from './session-command.js';
import { TenantRepository } from './tenant-repository.js';

/** What a worker says of itself. */
export interface WorkerSetup {
  readonly profileVersion?: string;
  readonly toolNames?: readonly string[];
}

/** What a claim is compared with: the worker as it is, and what tools promise now. */
@Injectable()
export class SetupCheck {
  constructor(
    private readonly tenants: TenantRepository,
    @Inject(HASHER) private readonly hasher: SessionHasher,
  ) {}

  /** Where the tenant's registry cannot be read, nothing is known of what tools promise. */
  async of(
    { tenantId, sessionId }: CommandScope,
    state: SessionState,
    { profileVersion, toolNames }: WorkerSetup,
  ): Promise<{ readonly setup?: RunSetup; readonly promises: PromisesNow }> {
    const registered = (await this.tenants.currentIfReadable(tenantId))?.tools;
    const promises = registered === undefined ? {} : promisesOfOpenCalls(state, registered);
    if (profileVersion === undefined && toolNames === undefined) return { promises };
    const names = toolNames && [...new Set(toolNames)].sort();
    const set =
      registered && names?.map((name) => unversioned(manifestNow(name, state, registered)));
    const hash = await this.hasher(tenantId, sessionId);
    const toolSetHash = set && hash(canonicalText(set));
    return { setup: { profileVersion, toolNames: names, toolSetHash }, promises };
  }
}

function promisesOfOpenCalls(state: SessionState, registered: RegisteredTools): PromisesNow {
  const names = callsOf(state)
    .filter(isUnresolved)
    .map(({ tool }) => tool);
  return Object.fromEntries(names.map((name) => [name, manifestNow(name, state, registered)]));
}

function manifestNow(name: string, state: SessionState, registered: RegisteredTools): ToolManifest {
  return newestManifest(registered, name) ?? manifestOf(name, state.tools);
}

function unversioned({ version: _version, ...promises }: ToolManifest): object {
  return promises;
}
