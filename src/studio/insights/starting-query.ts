import type { MemberViewer } from '#projects/access'
import { isEngineError } from '#studio/parts/refusals'
import { getProduct } from '#studio/product'
import { readQuery } from './ask'
import { kindViews, labelsFor } from './kinds'
import type { KindQuery } from './use-query-draft'

interface StartingQuery {
  question: KindQuery
  /** The problem with the query in the address. */
  problem?: string
}

/** Returns the query in the address; if it is invalid, the kind's default and the reason. */
export async function startingQuery(
  projectId: number,
  { asked, kind, period }: { asked: unknown; kind: string | undefined; period?: string | undefined },
  viewer: MemberViewer,
): Promise<StartingQuery> {
  const outcome = asked === undefined ? undefined : readQuery(asked)
  if (outcome?.done) return { question: outcome.question }
  const startingKind = kind ?? kindIn(asked)
  const start = labelsFor(startingKind).start ?? kindViews.trend?.start
  const usual = start?.(await customEvent(projectId, viewer))
  const query = queryOver(period, usual) ?? defaultQuery(usual)
  return { question: query, problem: outcome?.problems.map(({ message }) => message).join(' ') }
}

const kindIn = (asked: unknown): string =>
  typeof asked === 'object' && asked !== null && 'kind' in asked && typeof asked.kind === 'string'
    ? asked.kind
    : ''

function defaultQuery(start: unknown): KindQuery {
  const outcome = readQuery(start)
  if (!outcome.done) throw new Error(`The usual question is none: ${JSON.stringify(outcome.problems)}`)
  return outcome.question
}

/** Returns the default query about another period; undefined where the kind cannot be asked about it. */
function queryOver(period: string | undefined, usual: object | undefined): KindQuery | undefined {
  if (period === undefined) return undefined
  const outcome = readQuery({ ...usual, period })
  return outcome.done ? outcome.question : undefined
}

/** Returns the period of a query, if it is not the one its kind begins with. */
export function chosenPeriod({ kind, period }: KindQuery): string | undefined {
  const { start } = labelsFor(kind)
  return start && period === defaultQuery(start(null)).period ? undefined : period
}

/** The project's most frequent custom event; null if it sends none or the engine is unavailable. */
async function customEvent(projectId: number, viewer: MemberViewer): Promise<string | null> {
  try {
    const events = await getProduct().insights.names.events(projectId, viewer)
    return events.find(({ name }) => !name.startsWith('$'))?.name ?? null
  } catch (problem) {
    if (isEngineError(problem)) return null
    throw problem
  }
}
