import { describe, expect, it } from '@jest/globals';
import { renderConfigurationPage } from './configuration-page.js';
import { Configuration } from './configuration.js';
import { configurationVariables } from './configuration-variables.js';
import { loadConfiguration } from './load-configuration.js';

describe('the page about the configuration', () => {
  it('has one row for each variable, with its default and what is allowed', () => {
    const page = renderConfigurationPage();
    for (const { name } of Object.values(configurationVariables)) {
      expect(page.match(new RegExp(`^\\| \`${name}\` \\|`, 'gm'))).toHaveLength(1);
    }
    expect(page).toContain(
      '| `HOLDFAST_PORT` | `4680` | a whole number from 0 to 65535 | TCP port',
    );
  });

  it('describes exactly what is read', () => {
    const configuration = loadConfiguration({ HOLDFAST_API_KEY: 'hf_1_secret' });
    expect(configuration).toBeInstanceOf(Configuration);
    expect(Object.keys(configuration).sort()).toEqual(Object.keys(configurationVariables).sort());
  });
});
