import { TestEnvironment } from 'jest-environment-node';

/** Lets tests reach out of Jest's sandbox; see import-outside.ts. */
export default class OutsideEnvironment extends TestEnvironment {
  endings = [];

  async setup() {
    await super.setup();
    this.global.importOutside = (specifier) => import(specifier);
    this.global.atTheEnd = (ending) => this.endings.push(ending);
  }

  async teardown() {
    for (const ending of this.endings) await ending();
    await super.teardown();
  }
}
