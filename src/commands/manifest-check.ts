import { Injectable } from '@nestjs/common';
import { type ManifestFault, refuseFaultyManifests } from '../domain/check-manifests.js';
import type { HttpRequestTemplate } from '../domain/http-request.js';
import {
  type ToolDeclaration,
  type ToolManifest,
  completeManifest,
} from '../domain/tool-manifest.js';
import { Egress } from '../egress/egress.js';
import { NamedProbes } from '../egress/named-probes.js';

/** Manifests as this installation can keep them: sound in themselves, and their targets in reach. */
@Injectable()
export class ManifestCheck {
  constructor(
    private readonly egress: Egress,
    private readonly probes: NamedProbes,
  ) {}

  /** @throws Rejection `invalid_manifest` with every fault. */
  complete(declarations: readonly ToolDeclaration[]): readonly ToolManifest[] {
    const manifests = declarations.map((declaration) => completeManifest(declaration));
    refuseFaultyManifests(
      manifests,
      manifests.flatMap((manifest) => [...this.outOfReach(manifest), ...this.unnamed(manifest)]),
    );
    return manifests;
  }

  private unnamed({ name, namedProbe }: ToolManifest): readonly ManifestFault[] {
    if (namedProbe === undefined || this.probes.has(namedProbe)) return [];
    const known = this.probes.names.join(', ') || 'none';
    const message = `namedProbe: this server was given no probe ${namedProbe}; it has ${known}`;
    return [{ at: name, message }];
  }

  private outOfReach({ name, httpProbe, voidByKey }: ToolManifest): readonly ManifestFault[] {
    const requests: readonly [string, HttpRequestTemplate | undefined][] = [
      ['httpProbe', httpProbe],
      ['voidByKey', voidByKey],
    ];
    return requests.flatMap(([field, request]) => {
      const template: unknown = request?.urlTemplate;
      const url = typeof template === 'string' ? template.replaceAll(/\{\w*\}/g, 'x') : '';
      if (!URL.canParse(url) || this.egress.allows(url)) return [];
      const { origin } = new URL(url);
      const message =
        `${field}.urlTemplate: the operator of this server has not allowed requests to ${origin} ` +
        '(HOLDFAST_EGRESS_ORIGINS)';
      return [{ at: name, message }];
    });
  }
}
