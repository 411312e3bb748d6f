/** Whose the installation's own key is, and what was recorded before there were tenants. */
export const DEFAULT_TENANT = 'default';
