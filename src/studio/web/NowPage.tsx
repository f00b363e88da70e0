import type { Metadata } from 'next'
import { pointsOf } from '#insights/calendar/clock'
import type { BreakdownAnswer, Panel as PanelTold } from '#insights/kinds/breakdown/answer'
import type { VisitTotals } from '#insights/compile/visit-totals'
import { BarChart } from '#ui/chart/BarChart'
import { number, plural, pluralWord } from '#ui/format'
import { LinkButton } from '#ui/LinkButton'
import { Panel } from '#ui/page/Panel'
import { paths } from '#studio/paths'
import { whyNot } from '#studio/parts/open-project'
import { ask, commonFields, openWeb, panelRows, type WebContext, type WebPageProps } from './web-queries'
import { Chips } from './Chips'
import { NotAnswered } from './NotAnswered'
import { Rows } from './Rows'
import { WebFrame } from './WebFrame'
import { PeriodicRefresh } from './now/PeriodicRefresh'

export const metadata: Metadata = { title: 'Realtime · Web analytics' }

/** The visitors who are here now: the last five minutes, the half hour before, and their pages. */
export async function NowPage(props: WebPageProps) {
  const web = await openWeb(props)
  const { project, question, segments, role } = web
  const { filter, withoutTestAccounts } = commonFields(web)
  const common = { filter, withoutTestAccounts }
  const [here, lately] = await Promise.all([
    ask(web, { kind: 'totals', period: '5m', ...common }),
    ask(web, {
      kind: 'breakdown',
      period: '30m',
      interval: 'minute',
      dimensions: ['page', 'source', 'country', 'event'],
      limit: panelRows,
      ...common,
    }),
  ])

  return (
    <WebFrame
      web={web}
      view="now"
      actions={<LinkButton href={paths.live(project.slug)}>Live events</LinkButton>}
    >
      <PeriodicRefresh />
      {(question.chips.length > 0 || question.segment) && (
        <Chips
          slug={project.slug}
          query={question}
          segments={segments.map(({ id, name, memberId }) => ({
            id,
            name,
            isShared: memberId === undefined,
          }))}
          whyNot={whyNot('insights:write', role)}
        />
      )}
      {here.done && lately.done ? (
        <RecentVisitors here={here.answer} lately={lately.answer} web={web} />
      ) : (
        <NotAnswered
          problems={[...(here.done ? [] : here.problems), ...(lately.done ? [] : lately.problems)]}
        />
      )}
    </WebFrame>
  )
}

function RecentVisitors({
  here,
  lately: { totals, panels },
  web,
}: {
  here: VisitTotals
  lately: BreakdownAnswer
  web: WebContext
}) {
  const { visitors } = here.figures
  return (
    <>
      <div className="grid gap-4 lg:grid-cols-[16rem_minmax(0,1fr)]">
        <Panel title="Realtime">
          <p className="text-3xl font-semibold tabular-nums">{number(visitors)}</p>
          <p className="mt-1 text-muted">{pluralWord(visitors, 'visitor')} in the last five minutes</p>
          {totals && (
            <p className="mt-4 text-sm text-muted">
              {plural(totals.figures.visitors, 'visitor')} and {plural(totals.figures.views, 'view')} in the
              last 30 minutes
            </p>
          )}
        </Panel>
        <Panel title="Visits per minute">{totals && <ByMinute totals={totals} web={web} />}</Panel>
      </div>
      <div className="grid gap-4 *:min-w-0 md:grid-cols-2">
        {panels.map((panel) => (
          <PanelNow key={panel.dimension} panel={panel} web={web} />
        ))}
      </div>
    </>
  )
}

const ByMinute = ({
  totals: { starts, course, interval },
  web: { chartSettings },
}: {
  totals: VisitTotals
  web: WebContext
}) => (
  <BarChart
    title="Visits per minute"
    size="sm"
    points={pointsOf(starts, interval, chartSettings.timeZone)}
    series={[{ key: 'visits', label: 'Visits', values: course.map(({ visits }) => visits) }]}
    lastIsIncomplete
  />
)

const PanelNow = ({ panel, web }: { panel: PanelTold; web: WebContext }) => (
  <Panel flush title={panel.label}>
    <Rows panel={panel} web={{ ...web, goal: undefined }} />
  </Panel>
)
