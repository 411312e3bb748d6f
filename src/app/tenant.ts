/** The one tenant of an installation until tenants can be managed. */
export const DEFAULT_TENANT = 'default';
