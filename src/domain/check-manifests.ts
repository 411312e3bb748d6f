import { Rejection } from './rejection.js';
import { type ToolManifest, manifestFaults } from './tool-manifest.js';

/** Something that is wrong with a manifest, and where: `pay` or `pay.httpProbe…`. */
export interface ManifestFault {
  readonly at: string;
  readonly message: string;
}

/**
 * @param more faults that somebody else has found, outside of the manifests themselves.
 * @throws Rejection `invalid_manifest` that names every fault of every manifest.
 */
export function refuseFaultyManifests(
  manifests: readonly ToolManifest[],
  more: readonly ManifestFault[] = [],
): void {
  const faults = [...namedTwice(manifests), ...manifests.flatMap(faultsOf), ...more];
  const [first] = faults;
  if (first === undefined) return;
  const others = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
  throw new Rejection('invalid_manifest', `tool ${first.at}: ${first.message}${others}`, {
    errors: faults,
  });
}

function faultsOf(manifest: ToolManifest): readonly ManifestFault[] {
  return manifestFaults(manifest).map((message) => ({ at: manifest.name, message }));
}

/** Which of two promises about one tool holds must not depend on their order. */
function namedTwice(manifests: readonly ToolManifest[]): readonly ManifestFault[] {
  const names = manifests.map(({ name }) => name);
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  return [...new Set(twice)].map((at) => ({ at, message: 'is declared twice; declare it once' }));
}
