import { renderConfigurationPage } from '../config/configuration-page.js';

export interface GeneratedPage {
  /** Relative to the project. */
  readonly path: string;
  readonly render: () => string | Promise<string>;
}

/** Every committed file that `npm run generate` writes. A test compares each with what is rendered. */
export const generatedPages: readonly GeneratedPage[] = [
  { path: 'docs/configuration.md', render: renderConfigurationPage },
];
