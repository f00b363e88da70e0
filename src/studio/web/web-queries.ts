import { redirect } from 'next/navigation'
import { cache } from 'react'
import type { AnsweredQuery, KindName, QueryInput } from '#insights/answered-query'
import type { ChartSettings, ChartNote } from '#insights/chart-settings'
import { systemEvents } from '#events/taxonomy'
import { type DimensionName, wordsOf } from '#insights/text/dimension-words'
import type { SavedGoal } from '#insights/goals/goals'
import { webConditionsOf } from '#insights/people/number-queries'
import type { RowSort } from '#insights/kinds/breakdown/schema'
import type { PageGroups } from '#insights/text/page-groups'
import type { Segment } from '#insights/segments/segments'
import type { MemberViewer, Role } from '#projects/access'
import type { Outcome } from '#projects/problems'
import type { Project } from '#projects/project'
import { type Day, dayAt } from '#ui/dates'
import { numberIn } from '#studio/numbers/people-of-number'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { chartSettingsOf } from '#studio/insights/chart-settings'
import { openProject } from '#studio/parts/open-project'
import type { SearchParams } from '#studio/search-params'
import { dimensionOfTab, panelNames, shownTab } from './panels'
import { filterOf, searchOf, segmentFormParameter, type WebQuery } from './web-query'
import { queryIn } from './read-question'

/** The context of every page of web analytics: the project, the viewer, and the query in the address. */
export interface WebContext {
  project: Project
  viewer: MemberViewer
  role: Role
  question: WebQuery
  /** The project's goals, and the chosen one. */
  goals: readonly SavedGoal[]
  goal: SavedGoal | undefined
  segments: readonly Segment[]
  segment: Segment | undefined
  chartSettings: ChartSettings & { hasTestAccounts: boolean }
  /** The groups of pages of the project's settings. */
  pageGroups: PageGroups
  /** By the project's own calendar. */
  today: Day
  /** The events meanwhile that are written on the axis of time. */
  notes: readonly ChartNote[]
  /** Whether the form of a new segment is open. */
  savesSegment: boolean
}

export interface WebPageProps {
  params: Promise<{ project: string }>
  searchParams: Promise<SearchParams>
}

export async function openWeb({ params, searchParams }: WebPageProps): Promise<WebContext> {
  const { project, viewer, role } = await openProject((await params).project)
  const { insights } = getProduct()
  const { goals: allGoals, segments: allSegments, annotations } = insights
  const [goals, segments, notes] = await Promise.all([
    allGoals.list(project.id, viewer),
    allSegments.list(project.id, viewer),
    annotations.notesFor(project.id, {}, viewer),
  ])
  const search = await searchParams
  const requested = queryIn(search)
  const goal = goals.find(({ id }) => id === requested.goal)
  const segment = segments.find(({ id }) => id === requested.segment)
  const query = { ...requested, goal: goal?.id, segment: segment?.id }
  const { testAccounts, pageGroups } = insights.settingsOf(project)
  redirectToSegment(project.slug, search, requested, pageGroups)
  const chartSettings = { ...chartSettingsOf(project), hasTestAccounts: testAccounts !== undefined }
  const savesSegment = search[segmentFormParameter] === 'new'
  const today = dayAt(new Date(), project.timeZone)
  const chosen = { question: query, goals, goal, segments, segment }
  return { project, viewer, role, ...chosen, chartSettings, pageGroups, today, notes, savesSegment }
}

/** Leads from the address of a number to the page that is filtered by it, where the form of a segment is open. */
function redirectToSegment(slug: string, search: SearchParams, requested: WebQuery, groups: PageGroups) {
  const number = numberIn(search)
  const chips = number && webConditionsOf(number, groups)
  if (!number || !chips) return
  const { period = requested.period } = number.query
  const filtered = searchOf({ ...requested, period, chips })
  redirect(paths.web(slug, [...filtered, [segmentFormParameter, 'new']]))
}

/** The part of the context that the page's queries depend on. */
type QueryContext = Pick<WebContext, 'question' | 'goal' | 'segment' | 'pageGroups'>

/** The fields that the page's queries share. */
export function commonFields({ question, goal, segment, pageGroups }: QueryContext) {
  const { period, compare, withoutTestAccounts, exact } = question
  return {
    period,
    withoutTestAccounts,
    filter: filterOf(question, segment?.filter, pageGroups),
    ...(goal && { goal: goal.goal }),
    ...(compare !== undefined && { compare }),
    ...(exact && { exact }),
  }
}

type WebAnswer<Kind extends KindName> = Promise<Outcome<AnsweredQuery<Kind>>>

export const ask = <Kind extends KindName>(web: WebContext, query: QueryInput<Kind>): WebAnswer<Kind> =>
  askCached(web, query.kind, JSON.stringify(query), false)

/** For parts of the page that show the margin of approximate numbers. */
export const askWithMargin = <Kind extends KindName>(
  web: WebContext,
  query: QueryInput<Kind>,
): WebAnswer<Kind> => askCached(web, query.kind, JSON.stringify(query), true)

/** Several parts of the page may need the same answer, which is computed once. */
const askCached = cache(
  async <Kind extends KindName>(
    web: WebContext,
    kind: Kind,
    query: string,
    showsMargin: boolean,
  ): WebAnswer<Kind> => {
    const fields: object = JSON.parse(query)
    const options = { shownIn: answersOf(web), showsMargin }
    return await getProduct().insights.ask(web.project.id, { ...fields, kind }, web.viewer, options)
  },
)

/** All figures of a page are of one age. */
const answersOf = cache((web: WebContext) =>
  getProduct().insights.answersOf(web.project.id, `web ${JSON.stringify(commonFields(web))}`),
)

/** Counts each goal, whichever one of them the page is about. */
export const askGoals = (web: WebContext, goals: readonly SavedGoal[]): WebAnswer<'goals'> =>
  askWithMargin(web, {
    kind: 'goals',
    ...commonFields({ ...web, goal: undefined }),
    goals: goals.map(({ goal }) => goal),
  })

export const panelRows = 9
/** Enough that system events take no row of the project's own. */
const eventRows = panelRows + systemEvents.length
/** The number of countries on the map, which shows more of them than a panel has rows. */
const mapRows = 100

const isOfVisits = (name: DimensionName): boolean => wordsOf(name).of === 'session'

/** The dimensions about visits that the page begins with: those of each panel's first tab. */
const firstDimensions: DimensionName[] = panelNames
  .flatMap((panel) => dimensionOfTab(shownTab(panel, {})) ?? [])
  .filter(isOfVisits)

/** The figures at the top, which the page shows before anything else. */
export const askFigures = (web: WebContext): WebAnswer<'totals'> => askWithMargin(web, figuresQuery(web))

export function figuresQuery(web: QueryContext) {
  const { interval } = web.question
  return { kind: 'totals' as const, ...commonFields(web), ...(interval && { interval }) }
}

/**
 * Panels ask when the figures are answered, or failed: together they would take the engine's cores from what is read
 * first. Their own failure is theirs to show.
 */
export async function afterFigures(web: WebContext): Promise<void> {
  await Promise.allSettled([askFigures(web)])
}

export const askPanel = (web: WebContext, dimension: DimensionName): WebAnswer<'breakdown'> =>
  askWithMargin(web, panelQuery(web, dimension))

/** Panels about events, and those of later tabs, have a query each. */
export function panelQuery(web: QueryContext, dimension: DimensionName) {
  if (firstDimensions.includes(dimension)) return firstPanelsQuery(web)
  return rowsQuery(web, dimension, { limit: dimension === 'event' ? eventRows : panelRows })
}

/**
 * The panels about visits as the page begins: events are grouped into visits once for all of them. It does not depend on
 * the chosen tabs, so a press on a tab finds the answer cached.
 */
const firstPanelsQuery = (web: QueryContext) => ({
  kind: 'breakdown' as const,
  ...commonFields(web),
  groupPages: !web.question.singlePages,
  dimensions: firstDimensions,
  totals: false,
  limit: firstDimensions.includes('country') ? mapRows : panelRows,
})

/** The query of a single panel. */
export const rowsQuery = (
  web: QueryContext,
  dimension: DimensionName,
  rows: { limit: number; offset?: number; search?: string; sort?: RowSort },
) => ({
  kind: 'breakdown' as const,
  ...commonFields(web),
  dimensions: [dimension],
  totals: false,
  // the figures of reading need further scans, which other rows do not have
  details: dimension === 'page',
  groupPages: !web.question.singlePages,
  ...rows,
})

/** The query of one number of the page, as short as its address can be. */
export function numberQuery(web: WebContext, kind: 'breakdown' | 'totals', dimension?: DimensionName) {
  const { period, withoutTestAccounts, filter } = commonFields(web)
  const { interval, singlePages } = web.question
  return {
    kind,
    period,
    ...(filter && { filter }),
    ...(withoutTestAccounts && { withoutTestAccounts }),
    ...(dimension && { dimensions: [dimension] }),
    ...(dimension && singlePages && { groupPages: false }),
    ...(kind === 'totals' && interval && { interval }),
  }
}

/** The limit of rows in an exported file. */
export const maxRows = 1000
