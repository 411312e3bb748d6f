/** What an operation of the API needs. Each operation declares one. */
export const accessScopes = [
  'session:read',
  'content:read',
  'session:write',
  'session:resume',
  /** Only sessions that the sender started. */
  'session:resume:own',
  'run:execute',
  'escalation:decide',
  'audit:read',
  'audit:export',
  'session:erase',
  'manifest:write',
  'key:manage',
  'quota:manage',
] as const;
export type AccessScope = (typeof accessScopes)[number];

/**
 * Bundles of scopes. Deciding an unknown outcome and erasing are in no bundle together, and who manages
 * keys reads no content.
 */
export const roleScopes = {
  reader: ['session:read', 'content:read'],
  writer: ['session:read', 'content:read', 'session:write', 'session:resume:own'],
  worker: ['session:read', 'content:read', 'session:write', 'run:execute'],
  operator: ['session:read', 'session:write', 'session:resume', 'escalation:decide'],
  auditor: ['session:read', 'content:read', 'audit:read', 'audit:export'],
  eraser: ['session:erase'],
  admin: ['manifest:write', 'key:manage', 'quota:manage'],
} as const satisfies Readonly<Record<string, readonly AccessScope[]>>;
export type Role = keyof typeof roleScopes;

export const roles = Object.keys(roleScopes) as readonly Role[];

export function scopesOf(granted: readonly Role[]): ReadonlySet<AccessScope> {
  return new Set(granted.flatMap((role): readonly AccessScope[] => roleScopes[role]));
}
