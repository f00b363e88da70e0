import { z } from 'zod'
import { type Sql, sql } from '#engine/sql'
import { type Outcome, failedOutcome } from '#projects/problems'
import { defineKind } from '../../kind'
import type { Period } from '../../calendar/period'
import { questionPeriod } from '../../question'
import type { QuestionScope } from '../../scope'
import { type PathsAnswer, pathsAnswer, type PathsNode, pathsTable } from './answer'
import { endsAt, isAt, type PathMove, moves, namesOf, personsWhose } from './query'
import { leadsBack, type PathsQuestion, pathsQuestion } from './question'

const id = z.string().max(600)

/** A node, the drop-offs at a node, or a link; by the ids of the answer. */
const part = z.union([
  z.object({ node: id }),
  z.object({ dropOff: id }),
  z.object({ link: z.object({ from: id, to: id }) }),
])
type PathsPoint = z.infer<typeof part>

export const pathsKind = defineKind<PathsQuestion, PathsAnswer, PathsPoint>({
  label: 'Paths',
  about: 'The steps people take from page to page or event to event.',
  question: pathsQuestion,
  answer: async (question, scope) => {
    const problem = impossibleQuestion(question)
    return (
      problem ?? { done: true, answer: await follow(question, scope, await questionPeriod(question, scope)) }
    )
  },
  table: pathsTable,
  behind: { point: part, persons },
})

function impossibleQuestion({ of, events }: PathsQuestion) {
  if (events && of !== 'events')
    return failedOutcome(
      'Paths of pages and screens take no list of events. Ask for paths of events.',
      'events',
    )
  return undefined
}

async function follow(question: PathsQuestion, scope: QuestionScope, period: Period): Promise<PathsAnswer> {
  const found = await scope.run<PathMove>(moves(question, scope, period))
  const ids = [...new Set(found.flatMap(({ id: one, origin }) => (origin > question.top ? [] : [one])))]
  const names =
    ids.length === 0
      ? []
      : await scope.run<{ id: string; name: string }>(namesOf(question, scope, period, ids))
  return pathsAnswer(question, found, new Map(names.map((one) => [one.id, one.name])))
}

async function persons(
  question: PathsQuestion,
  point: PathsPoint,
  scope: QuestionScope,
): Promise<Outcome<{ statement: Sql }>> {
  const problem = impossibleQuestion(question)
  if (problem) return problem
  const period = await questionPeriod(question, scope)
  const { nodes, dropOffs } = await follow(question, scope, period)
  const ids =
    'link' in point ? [point.link.from, point.link.to] : ['node' in point ? point.node : point.dropOff]
  const asked = ids.map((one) => nodes.find((node) => node.id === one))
  const known = asked.flatMap((node) => (node ? [node] : []))
  const isMissing = 'dropOff' in point && !dropOffs.some(({ node }) => node === point.dropOff)
  if (known.length < ids.length || isMissing)
    return failedOutcome('This part of the answer no longer exists. Load the insight again.')
  const conditions = known.map((node) => isThere(question, node, nodes))
  if ('dropOff' in point) conditions.push(...known.map(({ step }) => endsAt(step, question)))
  return { done: true, statement: personsWhose(question, scope, period, sql.join(conditions, sql` and `)) }
}

function isThere(
  question: PathsQuestion,
  { step, name, isOthers }: PathsNode,
  nodes: readonly PathsNode[],
): Sql {
  const counted = leadsBack(question) ? question.steps + 1 - step : step
  const told = nodes.filter((node) => node.step === step && !node.isOthers).map((node) => node.name)
  return isAt(counted, isOthers ? told : [name], !isOthers)
}
