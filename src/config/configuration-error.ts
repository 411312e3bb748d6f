export interface ConfigurationProblem {
  /** The variable's name as it stands in the environment. */
  readonly variable: string;
  /** One sentence: the variable, what stands there (secrets are hidden), and what is allowed. */
  readonly message: string;
}

/** Everything that is wrong with the configuration, at once. */
export class ConfigurationError extends Error {
  constructor(readonly problems: readonly ConfigurationProblem[]) {
    super(problems.map(({ message }) => message).join('\n'));
    this.name = 'ConfigurationError';
  }
}
