import { TestEnvironment } from 'jest-environment-node';

/** Lets tests load modules outside of Jest's sandbox; see import-outside.ts. */
export default class OutsideEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    this.global.importOutside = (specifier) => import(specifier);
  }
}
