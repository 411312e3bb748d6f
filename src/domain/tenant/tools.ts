import { Rejection } from '../rejection.js';
import type { ToolManifest } from '../tool-manifest.js';
import { sameContent } from './same-content.js';
import { own } from '../own.js';

/** What a tenant's tools promise: every version of each, by name, the newest last. */
export type RegisteredTools = Readonly<Record<string, readonly ToolManifest[]>>;

export interface ToolManifestRegistered {
  readonly type: 'ToolManifestRegistered';
  readonly data: { readonly manifest: ToolManifest };
}

export const TOOLS_MAX = 1_000;
export const TOOL_VERSIONS_MAX = 1_000;

export function newestManifest(tools: RegisteredTools, name: string): ToolManifest | undefined {
  return own(tools, name)?.at(-1);
}

export function withManifest(tools: RegisteredTools, manifest: ToolManifest): RegisteredTools {
  const { name } = manifest;
  const versions = own(tools, name);
  return { ...tools, [name]: [...(versions ?? []), manifest] };
}

/**
 * Versions are counted here. A manifest that says what the newest version says is no new one, so
 * that a deployment may register its tools each time.
 * @param manifests sound ones, each name once.
 * @throws Rejection `limit_exceeded`
 */
export function registerTools(
  manifests: readonly ToolManifest[],
  tools: RegisteredTools,
): readonly ToolManifestRegistered[] {
  const added = manifests.flatMap((manifest): readonly ToolManifestRegistered[] => {
    const newest = newestManifest(tools, manifest.name);
    const version = (newest?.version ?? 0) + 1;
    if (newest !== undefined && sameContent(newest, { ...manifest, version: newest.version })) {
      return [];
    }
    if (version > TOOL_VERSIONS_MAX) throw tooMany('toolVersionsMax', TOOL_VERSIONS_MAX);
    return [{ type: 'ToolManifestRegistered', data: { manifest: { ...manifest, version } } }];
  });
  const names = new Set([...Object.keys(tools), ...added.map(({ data }) => data.manifest.name)]);
  if (names.size > TOOLS_MAX) throw tooMany('toolsMax', TOOLS_MAX);
  return added;
}

function tooMany(limit: string, max: number): Rejection {
  return new Rejection('limit_exceeded', `at most ${max} can be registered`, { limit });
}
