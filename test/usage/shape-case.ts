import type { Buckets, Counts } from '../../src/domain/usage.js';
import type { ExtractOptions } from '../../src/usage/extract-usage.js';

/** A case of the specs of the shapes: what a body must give. */
export interface ShapeCase {
  readonly name: string;
  readonly shape: string;
  readonly body: unknown;
  readonly options?: ExtractOptions;
  readonly buckets: Buckets;
  readonly counts?: Counts;
}
