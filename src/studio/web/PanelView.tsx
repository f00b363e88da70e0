import { Download, Maximize2 } from 'lucide-react'
import { Suspense } from 'react'
import { isSystemEvent, placesAttribution } from '#events/taxonomy'
import { nameWithMargin } from '#insights/approximation'
import type { Panel as AnswerPanel } from '#insights/kinds/breakdown/answer'
import { type DimensionName, wordsOf } from '#insights/text/dimension-words'
import { isVital } from '#insights/compile/web-vitals'
import { Anchor, TextLink } from '#ui/Anchor'
import { number } from '#ui/format'
import { Icon } from '#ui/Icon'
import { LinkTabs } from '#ui/page/LinkTabs'
import { Panel } from '#ui/page/Panel'
import { Loading, Skeleton } from '#ui/page/Skeleton'
import { WorldMap } from '#ui/chart/WorldMap'
import { paths } from '#studio/paths'
import { SystemEventsLink } from '#studio/parts/SystemEventsLink'
import type { SavedGoal } from '#insights/goals/goals'
import type { GoalsAnswer } from '#insights/kinds/goals/answer'
import { BarList } from '#ui/chart/BarList'
import type { BarRow } from '#ui/chart/chart'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { LinkButton } from '#ui/LinkButton'
import {
  afterFigures,
  askFigures,
  askGoals,
  askPanel,
  maxRows,
  panelRows,
  rowsQuery,
  type WebContext,
} from './web-queries'
import { NotAnswered } from './NotAnswered'
import { dimensionOfTab, type PanelName, panelOf, type TabName, shownTab } from './panels'
import { searchOf, toggled } from './web-query'
import { Rows } from './Rows'
import { VitalsPanel } from './VitalsPanel'

/** One panel: its tabs, of which only the shown one is asked about, and its rows. */
export function PanelView({ name, web }: { name: PanelName; web: WebContext }) {
  const tab = shownTab(name, web.question.tabs)
  const dimension = dimensionOfTab(tab)
  return (
    <Panel
      flush
      title={panelOf(name).title}
      actions={dimension && <PanelLinks web={web} dimension={dimension} />}
      footer={name === 'places' && <Attribution />}
    >
      <div className="px-4 pb-1">
        <PanelTabs name={name} shown={tab} web={web} />
      </div>
      <Suspense fallback={<RowsLoading />}>
        <PanelContent tab={tab} web={web} />
      </Suspense>
    </Panel>
  )
}

function PanelTabs({ name, shown, web }: { name: PanelName; shown: TabName; web: WebContext }) {
  const { title, tabs } = panelOf(name)
  const { project, question } = web
  return (
    <LinkTabs
      label={title}
      tabs={tabs.map((tab) => ({
        label: tab.label,
        href: paths.web(
          project.slug,
          searchOf({ ...question, tabs: { ...question.tabs, [name]: tab.name } }),
        ),
        current: tab.name === shown,
      }))}
    />
  )
}

/** The links to all rows, and to a file of them. */
function PanelLinks({ web, dimension }: { web: WebContext; dimension: DimensionName }) {
  const { project, question } = web
  const search = [...searchOf(question), ['of', dimension] as const]
  const { plural } = wordsOf(dimension)
  const look = 'grid size-7 place-items-center rounded-md text-faint hover:bg-hover hover:text-ink'
  return (
    <>
      <Anchor href={paths.webView(project.slug, 'rows', search)} className={look} title={`All ${plural}`}>
        <Icon of={Maximize2} label={`All ${plural}`} />
      </Anchor>
      <Anchor
        href={paths.answerFile(project.slug, 'csv', rowsQuery(web, dimension, { limit: maxRows }), plural)}
        download
        className={look}
        title={`All ${plural} as CSV`}
      >
        <Icon of={Download} label={`All ${plural} as CSV`} />
      </Anchor>
    </>
  )
}

async function PanelContent({ tab, web }: { tab: TabName; web: WebContext }) {
  await afterFigures(web)
  if (tab === 'goals') return <GoalsPanel web={web} />
  if (isVital(tab)) return <VitalsPanel name={tab} web={web} />
  const dimension = dimensionOfTab(tab)
  if (!dimension) return null
  return tab === 'map' ? <PanelMap web={web} /> : <PanelRows dimension={dimension} web={web} />
}

async function PanelRows({ dimension, web }: { dimension: DimensionName; web: WebContext }) {
  const [outcome, total] = await Promise.all([askPanel(web, dimension), totalOf(web, dimension)])
  if (!outcome.done) return <NotAnswered problems={outcome.problems} />
  const panel = outcome.answer.panels.find((one) => one.dimension === dimension)
  if (!panel) return null
  const { system, ...shown } = dimension === 'event' ? ownFirst(panel, web) : firstRows(panel)
  return (
    <>
      <Rows panel={shown} web={web} total={total} approximate={outcome.approximate} />
      {system > 0 && <SystemEventsFold count={system} web={web} />}
      {panel.valuesInAll > shown.rows.length + (web.question.systemEvents ? 0 : system) && (
        <p className="px-4 py-2.5 text-xs text-muted">
          <TextLink
            href={paths.webView(web.project.slug, 'rows', [...searchOf(web.question), ['of', dimension]])}
          >
            All {number(panel.valuesInAll)} {wordsOf(dimension).plural}
          </TextLink>
        </p>
      )}
    </>
  )
}

/** The visitors whose share a row of visits is. */
async function totalOf(web: WebContext, dimension: DimensionName): Promise<number | undefined> {
  if (wordsOf(dimension).of !== 'session') return undefined
  const outcome = await askFigures(web)
  return outcome.done ? outcome.answer.figures.visitors : undefined
}

const firstRows = (panel: AnswerPanel) => ({ ...panel, rows: panel.rows.slice(0, panelRows), system: 0 })

/** The events of the project's own; and after them, where they are unfolded, those that no one sends on purpose. */
function ownFirst(panel: AnswerPanel, { question }: WebContext) {
  const system = panel.rows.filter(({ value }) => isSystemEvent(value ?? ''))
  const own = panel.rows.filter(({ value }) => !isSystemEvent(value ?? '')).slice(0, panelRows)
  return { ...panel, rows: question.systemEvents ? [...own, ...system] : own, system: system.length }
}

const SystemEventsFold = ({ count, web: { project, question } }: { count: number; web: WebContext }) => (
  <p className="px-4 pt-2.5 text-xs last:pb-2.5">
    <SystemEventsLink
      count={count}
      isShown={question.systemEvents}
      href={paths.web(project.slug, searchOf({ ...question, systemEvents: !question.systemEvents }))}
    />
  </p>
)

async function PanelMap({ web }: { web: WebContext }) {
  const outcome = await askPanel(web, 'country')
  if (!outcome.done) return <NotAnswered problems={outcome.problems} />
  const rows = outcome.answer.panels.find(({ dimension }) => dimension === 'country')?.rows ?? []
  return (
    <div className="px-4 py-3">
      <WorldMap
        title="Visitors by country"
        valueLabel={nameWithMargin({ name: 'Visitors', ...outcome.approximate })}
        places={rows.flatMap(({ value, visitors }) =>
          value === null ? [] : [{ code: value, value: visitors, href: hrefOf(web, value) }],
        )}
      />
    </div>
  )
}

const hrefOf = ({ project, question }: WebContext, country: string): string =>
  paths.web(project.slug, searchOf(toggled(question, 'country', country)))

/** The licence of the places asks for it. */
const Attribution = () => <TextLink href={placesAttribution.href}>{placesAttribution.text}</TextLink>

const RowsLoading = () => (
  <Loading>
    <div className="flex flex-col gap-3 px-4 py-3">
      {Array.from({ length: panelRows }, (_, row) => (
        <Skeleton key={row} className="h-5 w-full" />
      ))}
    </div>
  </Loading>
)

/** The number who reached each goal. A press on one shows its conversion rate in every row of the page. */
async function GoalsPanel({ web }: { web: WebContext }) {
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
  const outcome = await askGoals(web, goals)
  if (!outcome.done) return <NotAnswered problems={outcome.problems} />
  const { answer } = outcome
  const rows = goals.map((goal, index) => goalRow(goal, answer.goals[index], web))
  return (
    <BarList
      title="Visitors by goal"
      heads={{
        label: 'Goal',
        value: nameWithMargin({ name: 'Visitors', ...outcome.approximate }),
        second: nameWithMargin({ name: 'Conversion', ...outcome.approximate }),
      }}
      secondUnit="percent"
      rows={rows.toSorted((one, other) => (other.value ?? 0) - (one.value ?? 0)).slice(0, panelRows)}
    />
  )
}

function goalRow(
  { id, name }: SavedGoal,
  numbers: GoalsAnswer['goals'][number] | undefined,
  { project, question }: WebContext,
): BarRow {
  const isChosen = question.goal === id
  return {
    key: id,
    label: name,
    value: numbers?.figures.conversions ?? null,
    compared: numbers?.compared?.conversions ?? null,
    second: numbers?.figures.rate ?? null,
    href: paths.web(project.slug, searchOf({ ...question, goal: isChosen ? undefined : id })),
    current: isChosen,
  }
}
