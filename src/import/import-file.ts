import { loadPriceCards } from '../pricing/load-price-cards.js';
import type { PriceCards } from '../pricing/card-index.js';
import type { ArtifactStore } from '../storage/artifact-store.js';
import type { EventCodec } from '../storage/event-codec.js';
import type { EventStore } from '../storage/event-store.js';
import { claudeCodeFormat } from './claude-code/claude-code-format.js';
import { type FoundLogs, findLogs } from './find-logs.js';
import { ImportCollisionError, ImportError } from './import-error.js';
import type { ImportReport, LogReport, RefusedFile } from './import-report.js';
import { holdfastFormat } from './holdfast/holdfast-format.js';
import { type LogFormat, type ReadableLog, type RedactorOf, recognise } from './log-format.js';
import type { ReadProgress } from './open-log.js';
import type { SessionHasher } from '../tokens.js';
import { type OnCollision, SessionIds } from './session-ids.js';

export interface ImportProgress extends ReadProgress {
  /** Every file is read twice: to see what it holds, and to import it. */
  readonly phase: 'survey' | 'import';
  readonly fileNumber: number;
  readonly files: number;
}

export interface ImportOptions {
  /** A file, or a folder with logs at any depth. */
  readonly path: string;
  /** Left out: recognised by content. A file with nothing of the format is refused all the same. */
  readonly format?: string;
  /** What to do when a session of the log is there already. Default `merge`: add what is new. */
  readonly onCollision?: OnCollision;
  readonly tenantId: string;
  readonly actor: string;
  readonly events: EventStore;
  readonly artifacts: ArtifactStore;
  readonly codec: EventCodec;
  /** HMAC-SHA-256 with the session's own key, hex. */
  readonly hasher: SessionHasher;
  /** Default: nothing is masked. */
  readonly redactorOf?: RedactorOf;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Default: the cards that come with the release. */
  readonly cards?: PriceCards;
  readonly onProgress?: (progress: ImportProgress) => void;
}

export const IMPORT_FORMATS: readonly LogFormat[] = [claudeCodeFormat, holdfastFormat];

/**
 * Imports the logs at a path. Importing again adds only what is new, in any order of files; a file
 * of a folder that cannot be imported is listed and the others are imported.
 * @throws ImportError when nothing at the path can be imported.
 */
export async function importPath(options: ImportOptions): Promise<ImportReport> {
  const format = formatNamed(options.format);
  const found = await findLogs(options.path);
  const run = new PathImport(options, found, format);
  return run.run();
}

function formatNamed(name: string | undefined): LogFormat | undefined {
  if (name === undefined) return undefined;
  const format = IMPORT_FORMATS.find((known) => known.name === name);
  if (format !== undefined) return format;
  const names = IMPORT_FORMATS.map((known) => known.name).join(', ');
  const message = `there is no importer for the format "${name}"; known formats: ${names}; auto recognises one by its content`;
  throw new ImportError('unsupported_format', message, { format: name });
}

class PathImport {
  private readonly logs: LogReport[] = [];
  private readonly refused: RefusedFile[];
  private readonly ids: ReadonlyMap<LogFormat, SessionIds>;
  private readonly cards: PriceCards;
  private firstError: ImportError | undefined;

  constructor(
    private readonly options: ImportOptions,
    private readonly found: FoundLogs,
    private readonly format: LogFormat | undefined,
  ) {
    const { events, tenantId, onCollision = 'merge' } = options;
    this.refused = [...found.refused];
    this.ids = new Map(
      IMPORT_FORMATS.map((known) => {
        const derive = (nativeId: string) => known.sessionIdOf(tenantId, nativeId);
        return [known, new SessionIds({ events, tenantId, derive, onCollision })];
      }),
    );
    this.cards = options.cards ?? loadPriceCards();
  }

  async run(): Promise<ImportReport> {
    const { files } = this.found;
    if (this.options.onCollision === 'fail') await this.refuseExisting();
    for (const [place, file] of files.entries()) await this.takeFile(file, place);
    if (this.logs.length === 0) throw this.nothingImported();
    return {
      logs: this.logs,
      refused: this.refused,
      events_appended: this.logs.reduce((sum, log) => sum + log.events_appended, 0),
      id_map: Object.fromEntries([...this.ids.values()].flatMap(({ replaced }) => [...replaced])),
    };
  }

  private async takeFile(file: string, place: number): Promise<void> {
    try {
      this.logs.push(await this.importFile(file, place));
    } catch (error) {
      if (!(error instanceof ImportError)) throw error;
      this.firstError ??= error;
      const { code, message } = error;
      this.refused.push({ file: this.found.nameOf(file), code, message });
    }
  }

  private nothingImported(): ImportError {
    const first = this.firstError!;
    const { length } = this.found.files;
    if (length === 1) return first;
    const message = `none of the ${length} files in ${this.options.path} can be imported: ${first.message}`;
    return new ImportError(first.code, message, { refused: this.refused }, { cause: first });
  }

  private async importFile(file: string, place: number): Promise<LogReport> {
    const { log, ids } = await this.read(file, this.progress(place, 'survey'));
    const { events, codec, tenantId, actor, now, artifacts, hasher, redactorOf } = this.options;
    const report = await log.import({
      events,
      codec,
      tenantId,
      actor,
      now,
      artifacts,
      hasher,
      redactorOf,
      cards: this.cards,
      ids,
      onProgress: this.progress(place, 'import'),
    });
    return { ...report, file: this.found.nameOf(file) };
  }

  private async read(
    file: string,
    onProgress?: (progress: ReadProgress) => void,
  ): Promise<{ readonly log: ReadableLog; readonly ids: SessionIds }> {
    const isNamed = this.format !== undefined;
    const format = await recognise(file, isNamed ? [this.format] : IMPORT_FORMATS, isNamed);
    return { log: await format.read(file, onProgress), ids: this.ids.get(format)! };
  }

  /** Before anything is written: a file that cannot be read is refused later, with the others. */
  private async refuseExisting(): Promise<void> {
    for (const file of this.found.files) {
      const read = await this.read(file).catch((error: unknown) => {
        if (error instanceof ImportError) return undefined;
        throw error;
      });
      const existing = read === undefined ? [] : await read.ids.existing(read.log.nativeIds);
      if (existing.length > 0) throw new ImportCollisionError(this.found.nameOf(file), existing);
    }
  }

  private progress(place: number, phase: ImportProgress['phase']) {
    const { onProgress } = this.options;
    if (onProgress === undefined) return undefined;
    const files = this.found.files.length;
    return (progress: ReadProgress) =>
      onProgress({ ...progress, phase, fileNumber: place + 1, files });
  }
}
