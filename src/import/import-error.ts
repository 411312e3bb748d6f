export type ImportErrorCode =
  | 'unreadable_path'
  | 'not_a_file'
  | 'empty_file'
  | 'empty_folder'
  | 'unknown_format'
  | 'unsupported_format'
  | 'unsupported_compression'
  | 'unsupported_version'
  | 'damaged_file'
  | 'session_exists'
  | 'session_differs'
  | 'session_continued'
  | 'stream_contended';

/** Why a log was not imported: what, where, and what to do. Nothing of it was written. */
export class ImportError extends Error {
  constructor(
    readonly code: ImportErrorCode,
    message: string,
    readonly details: Readonly<Record<string, unknown>> = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ImportError';
  }
}

/** The sessions of a log exist already, and the caller asked to fail then. */
export class ImportCollisionError extends ImportError {
  constructor(
    readonly file: string,
    readonly sessionIds: readonly string[],
  ) {
    super(
      'session_exists',
      `${file}: session ${sessionIds.join(', ')} exists already; import with merge to add what is ` +
        'new, or with newIds to import a second copy',
      { file, sessionIds },
    );
    this.name = 'ImportCollisionError';
  }
}
