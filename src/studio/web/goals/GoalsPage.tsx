import type { Metadata } from 'next'
import { Suspense } from 'react'
import { propertyLabel } from '#events/taxonomy'
import { filterInWords } from '#filters/words'
import { getProduct } from '#studio/product'
import { MarginNote } from '#studio/parts/MarginNote'
import { whyNot } from '#studio/parts/open-project'
import { unitOf } from '#insights/chart-settings'
import type { SavedGoal } from '#insights/goals/goals'
import { paths } from '#studio/paths'
import { NotAnswered } from '../NotAnswered'
import { comparisonLabel } from '../periods'
import { Toolbar } from '../Toolbar'
import { askGoals, openWeb, type WebContext, type WebPageProps } from '../web-queries'
import { searchOf } from '../web-query'
import { WebFrame } from '../WebFrame'
import { goalSuggestionIn } from './goal-suggestion'
import { type GoalRow, GoalsTable, type GoalsTableContext } from './GoalsTable'
import { SegmentsTable } from './SegmentsTable'

export const metadata: Metadata = { title: 'Goals · Web analytics' }

/** The saved goals and segments. */
export async function GoalsPage(props: WebPageProps) {
  const web = await openWeb(props)
  const { project, viewer, role, goals, segments } = web
  const events = await getProduct().insights.names.events(project.id, viewer)
  const context = { slug: project.slug, whyNot: whyNot('insights:write', role) }

  const table = {
    ...context,
    suggestion: goalSuggestionIn(await props.searchParams),
    events: events
      .filter(({ isAuxiliary }) => !isAuxiliary)
      .map(({ name, label, isVerified }) => ({ name, label, isVerified })),
  }

  return (
    <WebFrame web={web} view="goals" actions={<GoalsToolbar web={web} />}>
      <Suspense
        fallback={<GoalsTable {...table} suggestion={undefined} goals={goals.map(rowOf)} unit="number" />}
      >
        <CountedGoals web={web} table={table} />
      </Suspense>
      <SegmentsTable
        {...context}
        segments={segments.map(({ id, name, filter, memberId, createdBy }) => ({
          id,
          name,
          isShared: memberId === undefined,
          createdBy,
          words: filterInWords(filter, propertyLabel),
        }))}
      />
    </WebFrame>
  )
}

const rowOf = ({ id, name, goal }: SavedGoal): GoalRow => ({ id, name, goal })

/** The goals with their numbers, for which one statement counts all of them. */
async function CountedGoals({ web, table }: { web: WebContext; table: GoalsTableContext }) {
  const { project, goals, question, chartSettings } = web
  if (goals.length === 0) return <GoalsTable {...table} goals={[]} unit="number" />
  const outcome = await askGoals(web, goals)
  if (!outcome.done)
    return (
      <>
        <NotAnswered problems={outcome.problems} />
        <GoalsTable {...table} goals={goals.map(rowOf)} unit="number" />
      </>
    )
  const { answer, question: asked, approximate } = outcome
  const rows = goals.map((goal, index): GoalRow => {
    const numbers = answer.goals[index]
    const personsHref = paths.personsBehind(project.slug, asked, { goal: index })
    return { ...rowOf(goal), ...(numbers && { numbers, personsHref }) }
  })
  return (
    <>
      <MarginNote
        approximate={approximate}
        exactHref={paths.webView(project.slug, 'goals', searchOf({ ...question, exact: true }))}
      />
      <GoalsTable
        {...table}
        goals={rows}
        approximate={approximate}
        unit={unitOf('money', chartSettings)}
        lastIsIncomplete={answer.lastIsIncomplete}
        comparedLabel={
          question.compare === undefined ? undefined : comparisonLabel(question.compare).toLowerCase()
        }
      />
    </>
  )
}

const GoalsToolbar = ({ web: { project, question, chartSettings, today } }: { web: WebContext }) => (
  <Toolbar
    slug={project.slug}
    view="goals"
    query={question}
    hasTestAccounts={chartSettings.hasTestAccounts}
    today={today}
  />
)
