import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { generatedPages } from '../src/docs/generated-pages.js';
import { projectFolder } from './architecture/project-files.js';

describe('a generated page', () => {
  it.each(generatedPages.map((page) => [page.path, page.render] as const))(
    '%s is up to date (otherwise: npm run generate)',
    async (path, render) => {
      expect(await readFile(join(projectFolder, path), 'utf8')).toBe(await render());
    },
  );
});
