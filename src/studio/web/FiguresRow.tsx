import type { ReactNode } from 'react'
import { LinkTabs } from '#ui/page/LinkTabs'
import { LineChart } from '#ui/chart/LineChart'
import { NumberTile } from '#ui/chart/NumberTile'
import { Panel } from '#ui/page/Panel'
import { Stats } from '#ui/chart/Stat'
import { Tooltip } from '#ui/overlay/Tooltip'
import { VisuallyHidden } from '#ui/VisuallyHidden'
import { annotationsOn, fromFirstEvent, unitOf, type ChartSettings } from '#insights/chart-settings'
import { pointsOf } from '#insights/calendar/clock'
import { type Approximation, figuresOfPersons, marginText, nameWithMargin } from '#insights/approximation'
import type { Interval } from '#insights/calendar/period'
import type { VisitTotals } from '#insights/compile/visit-totals'
import { paths } from '#studio/paths'
import type { Direction } from '#ui/chart/chart'
import { AnswerAge } from '#studio/parts/AnswerAge'
import { MarginNote } from '#studio/parts/MarginNote'
import { bounceRuleText, durationText } from '#insights/bounce-rule'
import { askFigures, numberQuery, type WebContext } from './web-queries'
import { NotAnswered } from './NotAnswered'
import { comparisonLabel, intervalsFor } from './periods'
import { type FigureName, figureNames, searchOf } from './web-query'

/** The visitors, the length of their visits and their conversions; below, the course of the chosen figure. */
export async function FiguresRow({ web }: { web: WebContext }) {
  const outcome = await askFigures(web)
  if (!outcome.done) return <NotAnswered problems={outcome.problems} />
  const { answer: totals } = outcome
  const shown = figureNames.filter((name) => isShown(name, totals, web))
  const figure = shown.find((name) => name === web.question.figure) ?? 'visitors'
  return (
    <div className="flex flex-col gap-4">
      <Stats>
        {shown.map((name) => (
          <Figure key={name} name={name} totals={totals} web={web} approximate={outcome.approximate} />
        ))}
        <ScrollFigure totals={totals} web={web} />
      </Stats>
      <MarginNote
        approximate={outcome.approximate}
        exactHref={paths.web(web.project.slug, searchOf({ ...web.question, exact: true }))}
      />
      <AnswerAge {...outcome} now={new Date()} />
      <Panel title={figureLabels[figure].label} actions={<IntervalTabs totals={totals} web={web} />}>
        <FigureChart name={figure} totals={totals} web={web} approximate={outcome.approximate} />
      </Panel>
    </div>
  )
}

function isShown(name: FigureName, { figures, compared }: VisitTotals, { goal }: WebContext): boolean {
  if (figureLabels[name].ofGoal) return goal !== undefined
  return name !== 'revenue' || figures.revenue !== 0 || (compared?.figures.revenue ?? 0) !== 0
}

interface WebFigureProps {
  name: FigureName
  totals: VisitTotals
  web: WebContext
  approximate: Approximation | undefined
}

function Figure({ name, totals: { figures, compared }, web, approximate }: WebFigureProps) {
  const { project, question, chartSettings } = web
  const { label, about, as, good } = figureLabels[name]
  return (
    <MetricHint about={typeof about === 'string' ? about : about(chartSettings)}>
      <NumberTile
        label={label}
        value={figures[name]}
        unit={unitOf(as, chartSettings)}
        {...(approximate && figuresOfPersons.has(name) && { margin: marginText })}
        good={good}
        href={paths.web(project.slug, searchOf({ ...question, figure: name }))}
        current={name === question.figure}
        {...(name === 'visitors' &&
          figures.visitors > 0 && {
            valueHref: paths.personsBehind(project.slug, numberQuery(web, 'totals'), {}),
          })}
        {...(compared && {
          compared: compared.figures[name],
          comparedLabel: comparisonLabel(question.compare),
        })}
      />
    </MetricHint>
  )
}

function ScrollFigure({
  totals: { figures, compared },
  web: { question },
}: Pick<WebFigureProps, 'totals' | 'web'>) {
  if (figures.scroll === null) return null
  const ofWhole = (percent: number | null) => (percent === null ? null : percent / 100)
  return (
    <MetricHint about={scrollLabels.about}>
      <NumberTile
        label={scrollLabels.label}
        value={ofWhole(figures.scroll)}
        unit="percent"
        {...(compared && {
          compared: ofWhole(compared.figures.scroll),
          comparedLabel: comparisonLabel(question.compare),
        })}
      />
    </MetricHint>
  )
}

/** Explains how a metric is counted. */
function MetricHint({ about, children }: { about: string; children: ReactNode }) {
  return (
    <Tooltip label={about} side="bottom">
      <div className="grid">
        {children}
        <VisuallyHidden>{about}</VisuallyHidden>
      </div>
    </Tooltip>
  )
}

/** The length of one point of the chart. */
function IntervalTabs({ totals, web: { project, question } }: Pick<WebFigureProps, 'totals' | 'web'>) {
  const offered = intervalsFor(totals.period)
  if (offered.length < 2) return null
  return (
    <LinkTabs
      look="segment"
      label="Interval"
      tabs={offered.map((interval) => ({
        label: intervalLabels[interval],
        href: paths.web(project.slug, searchOf({ ...question, interval })),
        current: interval === totals.interval,
      }))}
    />
  )
}

const intervalLabels: Record<Interval, string> = {
  minute: 'Minute',
  hour: 'Hour',
  day: 'Day',
  week: 'Week',
  month: 'Month',
}

function FigureChart({ name, totals, web, approximate }: WebFigureProps) {
  const { project, question, chartSettings, notes } = web
  const { starts, course, compared, interval, lastIsIncomplete, period } = totals
  const { label, as } = figureLabels[name]
  return (
    <LineChart
      title={label}
      unit={unitOf(as, chartSettings)}
      {...fromFirstEvent(
        {
          points: pointsOf(starts, interval, chartSettings.timeZone),
          series: [
            {
              key: name,
              label: figuresOfPersons.has(name) ? nameWithMargin({ name: label, ...approximate }) : label,
              values: course.map((figures) => figures[name]),
              ...(ofVisitors.has(name) && {
                hrefs: course.map(({ visitors }, bucket) =>
                  visitors > 0
                    ? paths.personsBehind(
                        project.slug,
                        { ...numberQuery(web, 'totals'), interval },
                        { bucket },
                      )
                    : undefined,
                ),
              }),
              ...(compared && { compared: starts.map((_, index) => compared.course[index]?.[name] ?? null) }),
            },
          ],
          annotations: annotationsOn(starts, period.until, notes),
          ...(compared && {
            comparison: {
              label: comparisonLabel(question.compare),
              points: pointsOf(compared.starts, interval, chartSettings.timeZone),
            },
          }),
        },
        starts,
        chartSettings.since,
      )}
      shape="area"
      lastIsIncomplete={lastIsIncomplete}
    />
  )
}

/** The figures that all visitors of a point are behind. */
const ofVisitors: ReadonlySet<FigureName> = new Set(['visitors', 'visits', 'views'])

/** A figure at the top of the page: its label, and the rule by which it is counted. */
interface FigureLabels {
  label: string
  about: string | ((settings: Pick<ChartSettings, 'bounceRule'>) => string)
  as: 'number' | 'percent' | 'duration' | 'money'
  good?: Direction
  /** Only beside a goal. */
  ofGoal?: true
}

const figureLabels: Record<FigureName, FigureLabels> = {
  visitors: {
    label: 'Visitors',
    about: 'Unique visitors. Without a cookie, a device counts once per day.',
    as: 'number',
  },
  visits: {
    label: 'Visits',
    about: 'A visit ends after 30 minutes without an event, or after 24 hours.',
    as: 'number',
  },
  views: { label: 'Views', about: 'Page and screen views, repeats included.', as: 'number' },
  viewsPerVisit: { label: 'Views per visit', about: 'Views divided by visits.', as: 'number' },
  bounceRate: {
    label: 'Bounce rate',
    about: ({ bounceRule }) => bounceRuleText(bounceRule),
    as: 'percent',
    good: 'down',
  },
  duration: {
    label: 'Visit duration',
    about: ({ bounceRule }) => durationText(bounceRule),
    as: 'duration',
  },
  revenue: { label: 'Revenue', about: 'Sum of the revenue property of events.', as: 'money' },
  conversions: {
    label: 'Conversions',
    about: 'Visitors who reached the goal at least once.',
    as: 'number',
    ofGoal: true,
  },
  conversionRate: {
    label: 'Conversion rate',
    about: 'Share of visitors who reached the goal.',
    as: 'percent',
    ofGoal: true,
  },
}

const scrollLabels = {
  label: 'Scroll depth',
  about: 'Average share of the page that was seen, once per visit.',
} as const
