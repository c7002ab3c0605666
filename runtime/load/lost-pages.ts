// In: the tools of a pack and the resources that there are. Out: what is wrong with `ui.resourceUri`: an address of no resource.
import { type Diagnostic, diagnose } from '../../schema/diagnostics.js';
import { isMap } from '../../schema/document.js';
import { didYouMean } from '../../schema/nearest.js';
import { makeUriMatcher } from '../../schema/uri-template-match.js';
import type { Tool } from './program.js';

/** Addresses of resources; definitions that are broken in other ways count too. */
export interface Addresses {
  readonly definition: unknown;
}

/** A client that shows the page would ask for it in vain. */
export function findLostPages(
  tools: readonly Pick<Tool, 'definition' | 'at'>[],
  resources: Iterable<Addresses>,
): readonly Diagnostic[] {
  const pages = tools.flatMap(({ definition, at }) => {
    const uri = isMap(definition.ui) ? definition.ui['resourceUri'] : undefined;
    return typeof uri === 'string' ? [{ uri, at }] : [];
  });
  if (pages.length === 0) return [];
  const texts = (key: 'uri' | 'uriTemplate'): readonly string[] =>
    [...resources].flatMap(({ definition }) => {
      const text = isMap(definition) ? definition[key] : undefined;
      return typeof text === 'string' ? [text] : [];
    });
  const uris = new Set(texts('uri'));
  const templates = texts('uriTemplate');
  return pages
    .filter(({ uri }) => !uris.has(uri) && !templates.some(template => fits(uri, template)))
    .map(({ uri, at }) =>
      diagnose('link/unknown-page', { uri }, at.site(['ui', 'resourceUri']), { hint: didYouMean(uri, uris) }),
    );
}

/** A template that is broken has its own diagnostic, and may mean anything. */
function fits(uri: string, template: string): boolean {
  try {
    return makeUriMatcher(template)(uri) !== undefined;
  } catch {
    return true;
  }
}
