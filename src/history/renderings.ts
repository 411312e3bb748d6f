import { Inject, Injectable } from '@nestjs/common';
import { ARTIFACTS, HASHER, type SessionHasher } from '../tokens.js';
import type { ContextRequest } from '../context/build-context.js';
import { type ArtifactOwner, type ArtifactStore, readArtifact } from '../storage/artifact-store.js';

const MEDIA_TYPE = 'application/vnd.holdfast.rendering+json';
const VERSION = 1;
const KNOWN_MAX = 10_000;

/**
 * What contexts were rendered with (instructions, tools, format, date, budget, options), kept for
 * the audit: a context is never built from it, except to show an earlier one again.
 */
@Injectable()
export class Renderings {
  /** Addresses of what this process has kept already, by the hash of the text. */
  private readonly known = new Map<string, string>();

  constructor(
    @Inject(ARTIFACTS) private readonly artifacts: ArtifactStore,
    @Inject(HASHER) private readonly hasher: SessionHasher,
  ) {}

  /** The address of the request; the same one again is kept once. */
  async keep(owner: ArtifactOwner, request: ContextRequest): Promise<string> {
    const text = textOf(request);
    const hashOf = await this.hasher(owner.tenantId, owner.sessionId);
    const mark = hashOf(text);
    const known = this.known.get(mark);
    if (known !== undefined) return known;
    const { hash } = await this.artifacts.put(owner, Buffer.from(text), MEDIA_TYPE);
    const [oldest] = this.known.keys();
    if (this.known.size >= KNOWN_MAX && oldest !== undefined) this.known.delete(oldest);
    this.known.set(mark, hash);
    return hash;
  }

  async find(owner: ArtifactOwner, hash: string): Promise<ContextRequest | undefined> {
    const bytes = await readArtifact(this.artifacts, owner, hash);
    if (bytes === undefined) return undefined;
    const kept = parsed(bytes.toString('utf8'));
    return kept?.version === VERSION ? (kept.request as ContextRequest) : undefined;
  }
}

/** Fields in one order, whoever asks; inside `tools` the order that the caller gave is sent. */
function textOf(request: ContextRequest): string {
  const { format, instructions, tools, now, provider, model, budgetTokens, ...rest } = request;
  const { options, cache } = rest;
  const ordered = {
    format,
    instructions,
    tools,
    now,
    provider,
    model,
    budgetTokens,
    options,
    cache,
  };
  return JSON.stringify({ version: VERSION, request: ordered });
}

/** An artifact of another kind can stand at the address that a made-up id names. */
function parsed(
  text: string,
): { readonly version?: unknown; readonly request?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
