import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type * as GeneratedPages from '../src/docs/generated-pages.js';
import { projectFolder } from './architecture/project-files.js';
import { importBuilt } from './support/import-outside.js';

const { generatedPages } = await importBuilt<typeof GeneratedPages>('docs/generated-pages.js');

describe('a generated page', () => {
  it.each(generatedPages.map((page) => [page.path, page.render] as const))(
    '%s is up to date (otherwise: npm run generate)',
    async (path, render) => {
      expect(await readFile(join(projectFolder, path), 'utf8')).toBe(await render());
    },
  );
});
