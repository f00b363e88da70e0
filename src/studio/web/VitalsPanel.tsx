import { type VitalName, vitalRatingOf, vitalRatings, webVitals } from '#insights/compile/web-vitals'
import type { VitalSummary } from '#insights/kinds/vitals/answer'
import { Badge, type Tone } from '#ui/Badge'
import { BarList } from '#ui/chart/BarList'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { amount, number, percent } from '#ui/format'
import { paths } from '#studio/paths'
import { ask, commonFields, panelRows, type WebContext } from './web-queries'
import { NotAnswered } from './NotAnswered'
import { searchOf, toggled } from './web-query'

/** The speed of the site for three of four visitors, and the pages that are slower. */
export async function VitalsPanel({ name, web }: { name: VitalName; web: WebContext }) {
  const { period, filter, withoutTestAccounts } = commonFields(web)
  const outcome = await ask(web, {
    kind: 'vitals',
    period,
    filter,
    withoutTestAccounts,
    vital: name,
    groupPages: !web.question.singlePages,
    limit: panelRows - 2,
  })
  if (!outcome.done) return <NotAnswered problems={outcome.problems} />
  const { site, pages } = outcome.answer
  const vital = site[name]
  if (vital.p75 === null) return <NotMeasured />
  const { label, unit } = webVitals[name]
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 pt-3 pb-1">
        <span className="text-2xl font-semibold tabular-nums">{amount(vital.p75, unit)}</span>
        <VerdictBadge name={name} p75={vital.p75} />
        <span className="text-xs text-muted">
          {label}, 75th percentile of {number(vital.measured)}
        </span>
      </div>
      <Shares vital={vital} />
      <BarList
        title={`${label} by page`}
        heads={{ label: 'Page', value: '75th percentile', second: 'Samples' }}
        unit={unit}
        good="down"
        rows={pages.map(({ page, vital: { p75, measured } }) => ({
          key: page,
          label: page,
          value: p75,
          second: measured,
          href: paths.web(web.project.slug, searchOf(toggled(web.question, 'page', page))),
        }))}
      />
    </>
  )
}

const tones: Record<keyof typeof vitalRatings, Tone> = {
  good: 'success',
  middling: 'warning',
  poor: 'danger',
}

function VerdictBadge({ name, p75 }: { name: VitalName; p75: number }) {
  const verdict = vitalRatingOf(name, p75)
  return (
    <Badge dot tone={tones[verdict]}>
      {vitalRatings[verdict]}
    </Badge>
  )
}

function Shares({ vital: { measured, good, poor } }: { vital: VitalSummary }) {
  const parts = [
    { label: vitalRatings.good, share: good / measured, look: 'bg-success' },
    { label: vitalRatings.middling, share: (measured - good - poor) / measured, look: 'bg-warning' },
    { label: vitalRatings.poor, share: poor / measured, look: 'bg-danger' },
  ]
  return (
    <div className="px-4 pb-3">
      <div aria-hidden className="my-2 flex h-1.5 gap-0.5 overflow-hidden rounded-full">
        {parts.map(({ label, share, look }) => (
          <span key={label} className={look} style={{ width: `${share * 100}%` }} />
        ))}
      </div>
      <p className="text-xs text-muted">
        {parts.map(({ label, share }) => `${label} ${percent(share, 0)}`).join(' · ')}
      </p>
    </div>
  )
}

const NotMeasured = () => (
  <EmptyMessage
    title="No measurements in this period"
    body="Turn on web vitals in the Tilth script or in posthog-js. See Connect for how."
  />
)
