import { sqlQueryFrom } from '#api/posthog/hogql'
import { queryFrom } from '#api/posthog/insight-queries'
import { withRelativePeriod } from '#api/posthog/relative-periods'
import { failedOutcome, type Outcome } from '#projects/problems'
import {
  type EntryMove,
  idIn,
  makeEach,
  messagesOf,
  textIn,
  type TheirEntry,
  type Translated,
} from './entry-move'
import { withOurCohorts } from './our-cohorts'

/** Makes saved insights of the kinds that Tilth answers. */
export async function moveInsights(move: EntryMove): Promise<void> {
  const { client, product, project, viewer } = move
  const all = await client.list('insights/', { saved: 'true', basic: 'true', order: 'id' })
  await makeEach(
    move,
    'insights',
    all.filter((one) => one['deleted'] !== true),
    {
      nameOf,
      translate: (entry) => insightFrom(entry, move),
      create: async (input) => {
        const outcome = await product.insights.saved.create(project.id, input, viewer)
        return outcome.done ? { done: true, id: outcome.insight.id } : outcome
      },
    },
  )
}

const nameOf = (entry: TheirEntry): string =>
  textIn(entry, 'name') ||
  textIn(entry, 'derived_name') ||
  `insight ${textIn(entry, 'short_id') || idIn(entry)}`

type InsightContext = Pick<EntryMove, 'groupTypes' | 'cohortIds' | 'project' | 'now'>

export function insightFrom(entry: TheirEntry, move: InsightContext): Translated {
  if (!isQuery(entry['query']))
    return failedOutcome('PostHog keeps it in its form without a query. Open and save it there once more.')
  const ours = withOurCohorts(entry['query'], move.cohortIds)
  if (!ours.done) return ours
  const asked = queryOf(ours.value, move)
  if (!asked.done) return failedOutcome(messagesOf(asked))
  const tags = Array.isArray(entry['tags']) ? entry['tags'].filter((tag) => typeof tag === 'string') : []
  return {
    done: true,
    notes: asked.notes,
    input: {
      name: nameOf(entry),
      description: textIn(entry, 'description').slice(0, 1000),
      tags: tags
        .map((tag) => tag.trim().slice(0, 40))
        .filter(Boolean)
        .slice(0, 10),
      question: asked.question,
    },
  }
}

type Query = Readonly<Record<string, unknown>>
type QueryWithNotes = Outcome<{ question: object; notes: readonly string[] }>

const isQuery = (given: unknown): given is Query =>
  typeof given === 'object' && given !== null && !Array.isArray(given)

/** Nodes that only say how a query is shown. */
const shells: ReadonlySet<unknown> = new Set(['InsightVizNode', 'DataVisualizationNode', 'DataTableNode'])

function queryOf(query: Query, move: InsightContext): QueryWithNotes {
  const { kind, source } = query
  if (shells.has(kind) && isQuery(source)) return queryOf(source, move)
  if (kind === 'HogQLQuery') {
    const sql = sqlQueryFrom(query, move)
    return sql.done ? { ...sql, notes: ['Its SQL was not run. Look at its result once.'] } : sql
  }
  const { groupTypes, project, now } = move
  const outcome = queryFrom({ query: withoutShow(query), groupTypes, timeZone: project.timeZone, now })
  if (!outcome.done) return outcome
  const { question, note } = withRelativePeriod(outcome.question, query)
  return { done: true, question, notes: note === undefined ? [] : [note] }
}

/** Settings that change no number. */
const shownOnly: ReadonlySet<string> = new Set([
  'vizSpecificOptions',
  'hidePersonsModal',
  'response',
  'dataColorTheme',
])

const withoutShow = (query: Query): Query =>
  Object.fromEntries(
    Object.entries(query).filter(
      ([field, value]) => !shownOnly.has(field) && value !== null && value !== undefined,
    ),
  )
