import type { PosthogClient } from '../posthog-client'

/** The contents of a project of PostHog's, as PostHog counts them. */
export interface HistoryCounts {
  events: number
  /** Distinct ids of persons. */
  distinctIds: number
  firstAt: string | undefined
  lastAt: string | undefined
  /** The events by name, the most frequent first. */
  names: { name: string; events: number }[]
}

const mostNamesListed = 50_000

/** Asks PostHog for counts; reads no event. */
export async function historyCounts(client: PosthogClient, until: Date): Promise<HistoryCounts> {
  const rows = await client.query(
    `select event, count() as events, toString(min(timestamp)) as first, toString(max(timestamp)) as last
     from events
     where timestamp < toDateTime({until})
     group by event
     order by events desc, event
     limit ${mostNamesListed}`,
    { until: until.toISOString() },
  )
  const [persons] = await client.query('select count() as persons from person_distinct_ids')
  const names = rows.map((row) => ({ name: String(row['event']), events: Number(row['events']) }))
  return {
    events: names.reduce((sum, one) => sum + one.events, 0),
    distinctIds: Number(persons?.['persons'] ?? 0),
    firstAt: rows.map((row) => String(row['first'])).toSorted()[0],
    lastAt: rows
      .map((row) => String(row['last']))
      .toSorted()
      .at(-1),
    names,
  }
}
