import type { SavedGoal } from '../../../../../../insights/goals'
import type { Totals } from '../../../../../../insights/tell-visits'
import { BarList } from '../../../../../../ui/BarList'
import { EmptyMessage } from '../../../../../../ui/EmptyMessage'
import { LinkButton } from '../../../../../../ui/LinkButton'
import { paths } from '../../../../../paths'
import { ask, askedBy, panelRows, type Web } from './asking'
import { searchOf } from './question'

/** How many reached each goal. A press on one shows its conversion rate in every row of the page. */
export async function GoalsPanel({ web }: { web: Web }) {
  const { project, question, goals } = web
  const search = searchOf(question)
  if (goals.length === 0)
    return (
      <EmptyMessage
        title="No goal is set yet"
        body="A goal is what you hope visitors do: reach a page, do something, read to the end, buy."
        action={<LinkButton href={paths.webView(project.slug, 'goals', search)}>Set a goal</LinkButton>}
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

async function rowOf({ id, name, goal }: SavedGoal, web: Web) {
  const { project, question } = web
  const told = await ask<Totals>(web, { kind: 'totals', ...askedBy(web), goal })
  const isChosen = question.goal === id
  return {
    key: id,
    label: name,
    value: told.done ? told.answer.figures.conversions : null,
    compared: told.done ? told.answer.compared?.figures.conversions : null,
    second: told.done ? told.answer.figures.conversionRate : null,
    href: paths.web(project.slug, searchOf({ ...question, goal: isChosen ? undefined : id })),
    current: isChosen,
  }
}
