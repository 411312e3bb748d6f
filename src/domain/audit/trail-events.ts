/** What an audit export let through; the same words as in its request. */
export interface AuditFilterText {
  readonly actor?: string;
  readonly commands?: readonly string[];
  readonly types?: readonly string[];
  readonly sessions?: readonly string[];
  readonly label?: string;
  readonly since?: string;
  readonly until?: string;
  readonly trail?: boolean;
  readonly redacted?: boolean;
}

/** One file of an export, as it was handed out. */
export interface ExportedFile {
  readonly name: string;
  readonly bytes: number;
  /** SHA-256, hex. */
  readonly sha256: string;
}

/**
 * What concerns a tenant's security and is a fact of no session and of no setting: by its stored
 * name, in the stream `audit-<tenant>`. Nothing in it is content.
 */
export type TrailEvent =
  /** Somebody known was refused; equal refusals of a minute are one event. */
  | {
      readonly type: 'AccessDenied';
      readonly data: {
        readonly reason: 'scopeMissing' | 'wrongSecret';
        /** Method and route. */
        readonly operation: string;
        readonly sessionId?: string;
        readonly needed?: readonly string[];
        /** The address that the request came from. */
        readonly source: string;
        readonly count: number;
      };
    }
  /** Stands before the first byte leaves. */
  | {
      readonly type: 'AuditExportStarted';
      readonly data: {
        readonly exportId: string;
        readonly filter: AuditFilterText;
        /** The rules of that moment were applied once more. */
        readonly redact?: boolean;
      };
    }
  /** Absent where the reader went away before the end. */
  | {
      readonly type: 'AuditExported';
      readonly data: {
        readonly exportId: string;
        readonly events: number;
        readonly sessions: number;
        readonly files: readonly ExportedFile[];
      };
    }
  /** A server was started with other settings than the one before it; of the default tenant only. */
  | {
      readonly type: 'ConfigurationChanged';
      readonly data: {
        /** Names of variables. */
        readonly changed: readonly string[];
        /** By name: all that are not as they are by default, none of which is a secret. */
        readonly settings: Readonly<Record<string, string | number>>;
      };
    }
  /** The whole store, with what it holds of this tenant, was written into a folder to be moved. */
  | {
      readonly type: 'StoreExported';
      readonly data: {
        readonly events: number;
        readonly streams: number;
        readonly artifacts: number;
      };
    };

export type TrailEventType = TrailEvent['type'];
