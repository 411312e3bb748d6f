// Writes the CycloneDX bill of materials of what is delivered to stdout: npm run --silent sbom > bom.json
import { spawnSync } from 'node:child_process';

const asked = spawnSync('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], {
  encoding: 'utf8',
  maxBuffer: 64 * 1_024 * 1_024,
});
if (asked.status !== 0) {
  console.error(`npm sbom failed: ${asked.stderr.trim() || asked.error?.message}`);
  process.exit(1);
}

// `npm sbom --omit=dev` leaves out what a development package needs too: that is most of it.
const isForDevelopment = ({ properties = [] }) =>
  properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true');

const bill = JSON.parse(asked.stdout);
const left = new Set(bill.components.filter(isForDevelopment).map((each) => each['bom-ref']));
const isDelivered = (reference) => !left.has(reference);
const delivered = {
  ...bill,
  components: bill.components.filter((each) => isDelivered(each['bom-ref'])),
  dependencies: bill.dependencies
    .filter(({ ref }) => isDelivered(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(isDelivered) })),
};
process.stdout.write(`${JSON.stringify(delivered, null, 2)}\n`);
