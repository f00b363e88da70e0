import { json } from '../answers'
import type { Desk, WireAnswer } from '../dialect'
import { noteUnknown } from '../trackers/arrivals'

/** By a key that nobody has, or from a page of nobody's. */
export function refuseUnknown(desk: Desk, key: string | undefined, url: string | undefined): WireAnswer {
  noteUnknown(desk, 'tilth', key ?? url)
  if (key !== undefined)
    return json(404, {
      error: `Unknown project key "${key.slice(0, 12)}…". Copy it from Settings → Project.`,
    })
  return json(404, {
    error:
      'This page belongs to no project. Add its host in Settings → Project, or data-project="<key>" to the tag.',
  })
}
