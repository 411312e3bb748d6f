import { describe, expect, it, jest } from '@jest/globals';
import { ruleNames, violationsIn, withFiles } from './architecture/cruise.js';
import {
  allowedFiles,
  plantedFiles,
  plantedViolations,
} from './architecture/planted-violations.js';
import { projectFolder } from './architecture/project-files.js';

jest.setTimeout(120_000);

describe('the dependency rules', () => {
  it('hold in this project', async () => {
    expect(await violationsIn(projectFolder, ['src', 'packages'])).toEqual([]);
  });

  it('find every planted violation', async () => {
    const found = await withFiles(plantedFiles, (folder) =>
      violationsIn(folder, ['src', 'packages', 'test']),
    );
    for (const planted of plantedViolations) {
      expect(found).toContainEqual(planted);
    }
  });

  it('have a planted violation each', async () => {
    const planted = new Set(plantedViolations.map(({ rule }) => rule));
    expect((await ruleNames()).filter((name) => !planted.has(name))).toEqual([]);
  });

  it('leave alone what is allowed', async () => {
    const found = await withFiles(allowedFiles, (folder) => violationsIn(folder, ['src', 'test']));
    expect(found).toEqual([]);
  });
});
