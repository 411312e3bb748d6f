import type { ToolManifest } from './tool-manifest.js';

/** What a worker said of itself when it claimed. */
export interface RunSetup {
  readonly profileVersion?: string;
  /** The tools that it can call. */
  readonly toolNames?: readonly string[];
  /** Of what these tools promise; keyed. */
  readonly toolSetHash?: string;
}

/** Something that the worker of the last claim had otherwise. */
export interface SetupDifference {
  readonly what: 'profileVersion' | 'toolAdded' | 'toolMissing' | 'toolPromises';
  readonly tool?: string;
  readonly before?: string;
  readonly now?: string;
  /** An open call depends on it: the run goes on only when that is confirmed. */
  readonly isIncompatible: boolean;
}

/** What a tool promises now, by name; those of which nothing is known are missing. */
export type PromisesNow = Readonly<Record<string, ToolManifest>>;
