import { isView } from '#engine/entry-page'
import { sql, uuids } from '#engine/sql'
import type { Period } from '../../calendar/period'
import type { EventRange } from '../../compile/event-range'
import { Events, humansOnly } from '../../compile/internal/events'
import { lastKnownAggregates, lastKnownColumns, lastKnownIn, lastKnownKeys } from '../../compile/last-known'
import type { QueryScope } from '../../scope'
import type { StoryFacts } from '../story'

/** The facts about a person that the events of a period tell: the last place and device, and a story. */
export interface PersonTraces {
  lastKnown: Record<string, string>
  story: StoryFacts
}

interface TracesRow {
  person: string
  facts: string[]
  first_channel: string
  first_source: string
  last_page: [path: string, title: string]
  pages: number
  own_events: string[]
  variants: [flag: string, variant: string][]
  surveys: string[]
}

/** Reads the traces of some persons in one pass over the events of a period. */
export async function personTraces(
  ids: readonly string[],
  scope: QueryScope,
  range: EventRange & { period: Period },
): Promise<Map<string, PersonTraces>> {
  if (ids.length === 0) return new Map()
  const rows = await scope.run<TracesRow>(sql`
    select
      person,
      [${lastKnownColumns(lastKnownKeys)}] as facts,
      first_channel,
      first_source,
      last_page,
      pages,
      own_events,
      variants,
      surveys
    from (
      select
        person,
        ${lastKnownAggregates(lastKnownKeys)},
        ${storyColumns}
      from ${new Events(scope, humansOnly, range).rows()}
      where person in ${uuids(ids)}
      group by person
    ) as seen
    left any join (
      select
        person as person_of_answers,
        ${answerColumns}
      from ${new Events(scope, humansOnly, { ...range, names: answerEvents }).rows()}
      where person in ${uuids(ids)}
      group by person
    ) as answers on person_of_answers = person`)
  return new Map(rows.map((row) => [row.person, { lastKnown: lastKnownIn(row.facts), story: storyIn(row) }]))
}

const isTouch = sql`(${isView} and channel != '')`
const isPage = sql`(event = '$pageview' and path != '')`

const storyColumns = sql`
        toString(argMinIf(channel, timestamp, ${isTouch})) as first_channel,
        toString(argMinIf(source, timestamp, ${isTouch})) as first_source,
        argMaxIf((toString(path), toString(title)), timestamp, ${isPage}) as last_page,
        uniqExactIf(path, ${isPage}) as pages,
        groupUniqArrayIf(50)(toString(event), not startsWith(event, '$') and not startsWith(event, 'survey ')) as own_events`

/** Properties are read of these events alone: reading all of them takes three times as long. */
const answerEvents = ['$feature_flag_called', 'survey sent']

const answerColumns = sql`
        groupUniqArrayIf(20)((properties['$feature_flag'], properties['$feature_flag_response']), event = '$feature_flag_called') as variants,
        groupUniqArrayIf(20)(properties['$survey_name'], event = 'survey sent') as surveys`

const storyIn = (row: TracesRow): StoryFacts => ({
  channel: row.first_channel,
  source: row.first_source,
  lastPage: { path: row.last_page[0], title: row.last_page[1] },
  pages: row.pages,
  events: row.own_events,
  variants: row.variants
    .map(([flag, variant]) => ({ flag, variant }))
    .toSorted((one, other) => one.flag.localeCompare(other.flag, 'en')),
  surveys: row.surveys.toSorted(),
})
