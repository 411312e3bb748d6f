import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type AuditExport,
  type AuditManifest,
  EXPORTED_EVENTS_FILE,
} from '../audit/export-audit.js';
import { writeAsItComes } from '../storage/growing-file.js';
import { CommandLineError } from './failure.js';

const MANIFEST_FILE = 'manifest.json';

/** Writes the events, then the manifest: without it the export is not whole. */
export async function writeAuditExport(
  folder: string,
  begin: () => Promise<AuditExport>,
): Promise<AuditManifest> {
  const [events, manifestFile] = [EXPORTED_EVENTS_FILE, MANIFEST_FILE].map((name) =>
    join(folder, name),
  ) as [string, string];
  if (existsSync(manifestFile)) {
    throw new CommandLineError(`${folder} holds an export already; name another folder`);
  }
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { lines, manifest } = await begin();
  await writeAsItComes(events, lines);
  const done = manifest();
  const text = `${JSON.stringify(done, undefined, 2)}\n`;
  await writeFile(manifestFile, text, { mode: 0o600, flush: true });
  return done;
}
