const REASONS: Readonly<Record<string, string>> = {
  EEXIST: 'a file has this name',
  ENOTDIR: 'a file stands where a folder of its path should be',
  EACCES: 'this user has no permission',
  EPERM: 'this user has no permission',
  ENOENT: 'no folder can be made there',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left',
};

/** Why a folder cannot be made or written, in words. */
export function folderFault(error: unknown): string {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  return (typeof code === 'string' ? REASONS[code] : undefined) ?? String(message ?? error);
}
