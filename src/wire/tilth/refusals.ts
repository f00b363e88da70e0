import { jsonResponse } from '../internal/responses'
import type { WireServices, WireResponse } from '../dialect'
import { noteUnknownProject } from '../internal/tracker-events'

/** Refuses an unknown key, or a page of a host that belongs to no project. */
export function refuseUnknownProject(
  services: WireServices,
  key: string | undefined,
  url: string | undefined,
): WireResponse {
  noteUnknownProject(services, 'tilth', key ?? url)
  if (key !== undefined)
    return jsonResponse(404, {
      error: `Unknown project key "${key.slice(0, 12)}…". Copy it from Settings → Project.`,
    })
  return jsonResponse(404, {
    error:
      'This page belongs to no project. Add its host in Settings → Project, or data-project="<key>" to the tag.',
  })
}
