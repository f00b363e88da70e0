import type { Metadata } from 'next'
import { trafficLabels } from '#events/taxonomy'
import { InsightChart } from '#studio/insights/chart/InsightChart'
import type { Panel as PanelTold } from '#insights/kinds/breakdown/answer'
import { BarList } from '#ui/chart/BarList'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { TextLink } from '#ui/Anchor'
import { LinkTabs } from '#ui/page/LinkTabs'
import { Panel } from '#ui/page/Panel'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { ask, openWeb, type WebContext, type WebPageProps } from './web-queries'
import { NotAnswered } from './NotAnswered'
import { searchOf } from './web-query'
import { Toolbar } from './Toolbar'
import { WebFrame } from './WebFrame'

export const metadata: Metadata = { title: 'Bots · Web analytics' }

const kinds = {
  ai: {
    label: 'AI',
    about: 'Crawlers for language models, and assistants that fetch a page for a person.',
  },
  bot: { label: 'Other bots', about: 'Search engines, monitors, libraries and scripts.' },
  feed: { label: 'Feed readers', about: 'Programs that fetch feeds for subscribers.' },
} as const
type RobotKind = keyof typeof kinds

const isRobotKind = (name: unknown): name is RobotKind =>
  typeof name === 'string' && Object.hasOwn(kinds, name)

/** Counts robots, which no number about visitors includes. */
export async function RobotsPage(props: WebPageProps) {
  const [web, searchParams] = await Promise.all([openWeb(props), props.searchParams])
  const kind: RobotKind = isRobotKind(searchParams.kind) ? searchParams.kind : 'ai'
  const { period, compare } = web.question
  const outcome = await ask(web, {
    kind: 'breakdown',
    period,
    ...(compare !== undefined && { compare }),
    traffic: kind,
    dimensions: ['robot', 'robot_page'],
    limit: 20,
    totals: false,
  })

  return (
    <WebFrame web={web} view="robots" actions={<RobotsToolbar web={web} />}>
      <div>
        <LinkTabs
          look="segment"
          label="Types of bots"
          tabs={Object.entries(kinds).map(([name, { label }]) => ({
            label,
            href: paths.webView(web.project.slug, 'robots', [...searchOf(web.question), ['kind', name]]),
            current: name === kind,
          }))}
        />
      </div>
      <p className="-mt-2 max-w-2xl text-muted">{kinds[kind].about} They do not count as visitors.</p>
      {outcome.done ? (
        <>
          <RobotsChart kind={kind} web={web} />
          <div className="grid gap-4 *:min-w-0 md:grid-cols-2">
            {outcome.answer.panels.map((panel) => (
              <RobotRows key={panel.dimension} panel={panel} />
            ))}
          </div>
        </>
      ) : (
        <NotAnswered problems={outcome.problems} />
      )}
      <p className="text-xs text-muted">
        See dropped and refused events{' '}
        <TextLink href={paths.live(web.project.slug, { kind: 'dropped' })}>in Live</TextLink>. Choose which
        bots to keep in <TextLink href={paths.collection(web.project.slug)}>Settings → Collection</TextLink>.
      </p>
    </WebFrame>
  )
}

const RobotsToolbar = ({ web: { project, question, chartSettings, today } }: { web: WebContext }) => (
  <Toolbar
    slug={project.slug}
    view="robots"
    query={question}
    hasTestAccounts={chartSettings.hasTestAccounts}
    today={today}
  />
)

async function RobotsChart({
  kind,
  web: { project, viewer, question, chartSettings },
}: {
  kind: RobotKind
  web: WebContext
}) {
  const outcome = await getProduct().insights.ask(
    project.id,
    {
      kind: 'trend',
      period: question.period,
      traffic: kind,
      series: [{ event: null, label: trafficLabels[kind] }],
      breakdowns: [{ type: 'event', key: '$browser' }],
      limit: 7,
      chart: 'stacked',
    },
    viewer,
  )
  return (
    <Panel title="Requests over time">
      {outcome.done ? (
        <InsightChart answered={outcome} settings={chartSettings} />
      ) : (
        <NotAnswered problems={outcome.problems} />
      )}
    </Panel>
  )
}

const RobotRows = ({ panel: { label, rows, dimension } }: { panel: PanelTold }) => (
  <Panel flush title={dimension === 'robot' ? 'Bots' : 'Pages'}>
    <BarList
      title={dimension === 'robot' ? 'Bots' : 'Pages requested by bots'}
      heads={{ label, value: 'Requests' }}
      rows={rows.map(({ value, events = 0, compared }) => ({
        key: value ?? '',
        label: value ?? 'Unknown',
        value: events,
        compared: compared?.events,
      }))}
      empty={<EmptyMessage title="No bots in this period" body="Try a longer date range." />}
    />
  </Panel>
)
