import { renderConfigurationPage } from '../config/configuration-page.js';
import { renderCommandLinePage } from './command-line-page.js';
import { renderGraphqlPage } from './graphql-page.js';
import { renderOpenApiPage } from './openapi-page.js';
import { renderProblemsPage } from './problems-page.js';

export interface GeneratedPage {
  /** Relative to the project. */
  readonly path: string;
  readonly render: () => string | Promise<string>;
}

/** Every committed file that `npm run generate` writes. A test compares each with what is rendered. */
export const generatedPages: readonly GeneratedPage[] = [
  { path: 'docs/configuration.md', render: renderConfigurationPage },
  { path: 'docs/reference/command-line.md', render: renderCommandLinePage },
  { path: 'docs/reference/openapi.json', render: renderOpenApiPage },
  { path: 'docs/reference/schema.graphql', render: renderGraphqlPage },
  { path: 'docs/reference/problems.md', render: renderProblemsPage },
];
