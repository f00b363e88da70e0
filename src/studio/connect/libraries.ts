import type { MemberViewer } from '#projects/access'
import type { ClientName } from '#studio/live/client-names'
import { askForViewer } from '#studio/insights/ask'

/** Finds the libraries (`$lib`) that sent the project's events lately, the most frequent first. */
export async function recentLibraries(projectId: number, viewer: MemberViewer): Promise<string[]> {
  const outcome = await askForViewer(
    projectId,
    {
      kind: 'trend',
      period: '7d',
      series: [{ event: null }],
      breakdowns: [{ type: 'event', key: '$lib' }],
      limit: 10,
      chart: 'table',
    },
    viewer,
  )
  if (!outcome.done) return []
  return outcome.answer.lines
    .toSorted((one, other) => (other.total ?? 0) - (one.total ?? 0))
    .flatMap(({ breakdown: [library] }) => (library ? [library] : []))
}

/** The beginnings of the names by which the clients' libraries call themselves. */
const clientsByLibrary: readonly (readonly [beginning: string, client: ClientName])[] = [
  ['web', 'posthog'],
  ['posthog', 'posthog'],
  ['@vercel', 'vercel'],
  ['plausible', 'plausible'],
  ['umami', 'umami'],
  ['analytics', 'segment'],
  ['@segment', 'segment'],
  ['amplitude', 'amplitude'],
  ['mixpanel', 'mixpanel'],
  ['goatcounter', 'goatcounter'],
  ['matomo', 'matomo'],
  ['simple-analytics', 'simpleAnalytics'],
  ['ga4', 'ga4'],
]

/** The client that a project's events come from; Tilth's own tag where that is unknown. */
export function clientOf(libraries: readonly string[]): ClientName {
  for (const library of libraries) {
    if (library === 'tilth') return 'tilth'
    const known = clientsByLibrary.find(([beginning]) => library.startsWith(beginning))
    if (known) return known[1]
  }
  return 'tilth'
}
