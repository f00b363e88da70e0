import { z } from 'zod'
import { type Sql, sql } from '#engine/sql'
import { type Outcome, failedOutcome } from '#projects/problems'
import { defineKind } from '#insights/kind'
import type { Period } from '#insights/calendar/period'
import { queryPeriod } from '#insights/query-fields'
import type { QueryScope } from '#insights/scope'
import { type PathsAnswer, pathsAnswer, type PathsNode, pathsTable } from './answer'
import { endsAt, isAt, type PathMove, moves, namesOf, personsWhose } from './query'
import { leadsBack, type PathsQuery, pathsQuery } from './schema'

const id = z.string().max(600)

/** A node, the drop-offs at a node, or a link; by the ids of the answer. */
const part = z.union([
  z.object({ node: id }),
  z.object({ dropOff: id }),
  z.object({ link: z.object({ from: id, to: id }) }),
])
type PathsPoint = z.infer<typeof part>

export const pathsKind = defineKind<PathsQuery, PathsAnswer, PathsPoint>({
  about: 'The steps people take from page to page or event to event.',
  query: pathsQuery,
  answer: async (query, scope) => {
    const problem = impossibleQuery(query)
    return problem ?? { done: true, answer: await follow(query, scope, await queryPeriod(query, scope)) }
  },
  table: pathsTable,
  behind: { point: part, persons },
})

function impossibleQuery({ of, events }: PathsQuery) {
  if (events && of !== 'events')
    return failedOutcome(
      'Paths of pages and screens take no list of events. Ask for paths of events.',
      'events',
    )
  return undefined
}

async function follow(query: PathsQuery, scope: QueryScope, period: Period): Promise<PathsAnswer> {
  const found = await scope.run<PathMove>(moves(query, scope, period))
  const ids = [...new Set(found.flatMap(({ id: one, origin }) => (origin > query.top ? [] : [one])))]
  const names =
    ids.length === 0 ? [] : await scope.run<{ id: string; name: string }>(namesOf(query, scope, period, ids))
  return pathsAnswer(query, found, new Map(names.map((one) => [one.id, one.name])))
}

async function persons(
  query: PathsQuery,
  point: PathsPoint,
  scope: QueryScope,
): Promise<Outcome<{ statement: Sql }>> {
  const problem = impossibleQuery(query)
  if (problem) return problem
  const period = await queryPeriod(query, scope)
  const { nodes, dropOffs } = await follow(query, scope, period)
  const ids =
    'link' in point ? [point.link.from, point.link.to] : ['node' in point ? point.node : point.dropOff]
  const asked = ids.map((one) => nodes.find((node) => node.id === one))
  const known = asked.flatMap((node) => (node ? [node] : []))
  const isMissing = 'dropOff' in point && !dropOffs.some(({ node }) => node === point.dropOff)
  if (known.length < ids.length || isMissing)
    return failedOutcome('This part of the answer no longer exists. Load the insight again.')
  const conditions = known.map((node) => isThere(query, node, nodes))
  if ('dropOff' in point) conditions.push(...known.map(({ step }) => endsAt(step, query)))
  return { done: true, statement: personsWhose(query, scope, period, sql.join(conditions, sql` and `)) }
}

function isThere(query: PathsQuery, { step, name, isOthers }: PathsNode, nodes: readonly PathsNode[]): Sql {
  const counted = leadsBack(query) ? query.steps + 1 - step : step
  const told = nodes.filter((node) => node.step === step && !node.isOthers).map((node) => node.name)
  return isAt(counted, isOthers ? told : [name], !isOthers)
}
