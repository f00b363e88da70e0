import type { SavedGoal } from '#insights/goals/goals'
import type { VisitTotals } from '#insights/compile/visit-totals'
import { BarList } from '#ui/chart/BarList'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { LinkButton } from '#ui/LinkButton'
import { paths } from '#studio/paths'
import { ask, commonFields, panelRows, type WebContext } from './web-questions'
import { searchOf } from './question'

/** How many reached each goal. A press on one shows its conversion rate in every row of the page. */
export async function GoalsPanel({ web }: { web: WebContext }) {
  const { project, question, goals } = web
  const search = searchOf(question)
  if (goals.length === 0)
    return (
      <EmptyMessage
        title="No goals yet"
        body="A goal is a conversion to track: a page view, an event, a read page or a purchase."
        action={<LinkButton href={paths.webView(project.slug, 'goals', search)}>Create goal</LinkButton>}
      />
    )
  const rows = await Promise.all(goals.slice(0, panelRows).map(async (goal) => await rowOf(goal, web)))
  return (
    <BarList
      title="Visitors by goal"
      heads={{ label: 'Goal', value: 'Visitors', second: 'Conversion' }}
      secondUnit="percent"
      rows={rows.toSorted((one, other) => (other.value ?? 0) - (one.value ?? 0))}
    />
  )
}

async function rowOf({ id, name, goal }: SavedGoal, web: WebContext) {
  const { project, question } = web
  const outcome = await ask<VisitTotals>(web, { kind: 'totals', ...commonFields(web), goal })
  const isChosen = question.goal === id
  return {
    key: id,
    label: name,
    value: outcome.done ? outcome.answer.figures.conversions : null,
    compared: outcome.done ? outcome.answer.compared?.figures.conversions : null,
    second: outcome.done ? outcome.answer.figures.conversionRate : null,
    href: paths.web(project.slug, searchOf({ ...question, goal: isChosen ? undefined : id })),
    current: isChosen,
  }
}
