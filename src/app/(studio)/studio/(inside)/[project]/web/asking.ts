import { cache } from 'react'
import type { Answered } from '../../../../../../insights/ask'
import type { ChartGround, Note } from '../../../../../../insights/chart-ground'
import { type DimensionName, wordsOf } from '../../../../../../insights/dimension-words'
import type { SavedGoal } from '../../../../../../insights/goals'
import type { BreakdownAnswer } from '../../../../../../insights/panel'
import type { Segment } from '../../../../../../insights/segments'
import type { MemberViewer, Role } from '../../../../../../projects/access'
import type { Outcome } from '../../../../../../projects/problems'
import type { Project } from '../../../../../../projects/project'
import { type Day, dayAt } from '../../../../../../ui/dates'
import { getProduct } from '../../../../../product'
import { openProject } from '../../../../open-project'
import { dimensionOfTab, panelNames, tabShown } from './panels'
import { filterOf, type WebQuestion } from './question'
import { questionIn, type Searched } from './read-question'

/** What every page of web analytics stands on: who looks at which project, and what the address asks. */
export interface Web {
  project: Project
  viewer: MemberViewer
  role: Role
  question: WebQuestion
  /** Those there are, and the one that is chosen. */
  goals: readonly SavedGoal[]
  goal: SavedGoal | undefined
  segments: readonly Segment[]
  segment: Segment | undefined
  ground: ChartGround & { hasTestAccounts: boolean }
  /** By the project's own calendar. */
  today: Day
  /** What happened meanwhile, to be written on the axis of time. */
  notes: readonly Note[]
}

export interface WebPageProps {
  params: Promise<{ project: string }>
  searchParams: Promise<Searched>
}

export async function openWeb({ params, searchParams }: WebPageProps): Promise<Web> {
  const { project, viewer, role } = await openProject((await params).project)
  const { goals: allGoals, segments: allSegments, insights, annotations } = getProduct()
  const [goals, segments, notes] = await Promise.all([
    allGoals.list(project.id, viewer),
    allSegments.list(project.id, viewer),
    annotations.notesFor(project.id, {}, viewer),
  ])
  const asked = questionIn(await searchParams)
  const goal = goals.find(({ id }) => id === asked.goal)
  const segment = segments.find(({ id }) => id === asked.segment)
  const question = { ...asked, goal: goal?.id, segment: segment?.id }
  const { currency, weekStart, testAccounts } = insights.settingsOf(project)
  const ground = {
    timeZone: project.timeZone,
    currency,
    weekStart,
    hasTestAccounts: testAccounts !== undefined,
  }
  const today = dayAt(new Date(), project.timeZone)
  return { project, viewer, role, question, goals, goal, segments, segment, ground, today, notes }
}

/** What each of the page's questions says. */
export function askedBy({ question, goal, segment }: Web) {
  const { period, compare, withoutTestAccounts } = question
  return {
    period,
    withoutTestAccounts,
    filter: filterOf(question, segment?.filter),
    ...(goal && { goal: goal.goal }),
    ...(compare !== undefined && { compare }),
  }
}

export type Told<Answer> = Outcome<{ answer: Answer; at: Date }>

/** Asks, and says what the answer is: each question's kind has one shape of answer. */
export async function ask<Answer>(web: Web, question: object): Promise<Told<Answer>> {
  // each kind of question has one shape of answer
  return (await askedOnce(web, JSON.stringify(question))) as Told<Answer>
}

/** Several parts of the page may be told by one answer; it is looked for once. */
const askedOnce = cache(
  async ({ project, viewer }: Web, question: string): Promise<Outcome<Answered>> =>
    await getProduct().insights.ask(project.id, JSON.parse(question), viewer),
)

/** How many rows a panel shows. */
export const panelRows = 9
/** What is drawn on a map goes on after that. */
const mapRows = 100

/**
 * The figures, and all visible panels that are about visits: events are grouped into visits once for all of them.
 * Panels about events have a question each.
 */
export function askOverview(web: Web): Promise<Told<BreakdownAnswer>> {
  const shown = dimensionsShown(web.question).filter(isOfVisits)
  const dimensions = shown.length > 0 ? shown : ['channel']
  return ask(web, {
    kind: 'breakdown',
    ...askedBy(web),
    dimensions,
    limit: shown.includes('country') ? mapRows : panelRows,
  })
}

export const askPanel = (web: Web, dimension: DimensionName): Promise<Told<BreakdownAnswer>> =>
  isOfVisits(dimension) ? askOverview(web) : ask(web, rowsQuestion(web, dimension, { limit: panelRows }))

/** A panel by itself. */
export const rowsQuestion = (
  web: Web,
  dimension: DimensionName,
  wanted: { limit: number; offset?: number; search?: string },
) => ({
  kind: 'breakdown',
  ...askedBy(web),
  dimensions: [dimension],
  totals: false,
  ...wanted,
})

/** As many as there can be in a file. */
export const mostRows = 1000

export const isOfVisits = (name: DimensionName): boolean => wordsOf(name).of === 'session'

const dimensionsShown = ({ tabs }: WebQuestion): DimensionName[] =>
  panelNames.flatMap((panel) => dimensionOfTab(tabShown(panel, tabs)) ?? [])
