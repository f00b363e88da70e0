import { clsx } from 'clsx'
import { Anchor } from '../Anchor'
import type { Amount, RetentionCohort, RetentionTriangleProps } from './chart'
import { EmptyPlot } from './internal/EmptyPlot'
import { number, percent } from '../format'
import { SidewaysScroll } from '../table/internal/SidewaysScroll'

/** Cohorts by periods: a table first, with the share who came back as the strength of its ground. */
export function RetentionTriangle(triangle: RetentionTriangleProps) {
  const { title, description, cohorts, periods, heads, show = 'percent' } = triangle
  const most = largestReturn(cohorts)
  if (cohorts.length === 0 || periods.length === 0) return <EmptyPlot />

  return (
    <SidewaysScroll
      caption={title}
      isReachable={!cohorts.some(({ hrefs }) => hrefs?.some(Boolean))}
      moreLabel="Show later periods"
    >
      <table className="w-full border-separate border-spacing-px pr-3 pb-3 text-xs tabular-nums">
        <caption className="sr-only">
          {title}
          {description && `. ${description}`}
        </caption>
        <thead>
          <tr className="text-muted">
            <th scope="col" className={clsx(stickyClass, 'text-left font-medium')}>
              {heads.cohort}
            </th>
            <th scope="col" className="px-2 text-right font-medium">
              {heads.size}
            </th>
            {periods.map((period) => (
              <th
                key={period}
                scope="col"
                className="h-8 min-w-14 px-1 text-center font-medium whitespace-nowrap"
              >
                {period}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Average {...triangle} />
          {cohorts.map((cohort) => (
            <tr key={cohort.key}>
              <CohortName label={cohort.label} size={cohort.size} />
              {periods.map((period, index) => (
                <td key={period} className="p-0">
                  <Share cohort={cohort} place={index} show={show} most={most} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </SidewaysScroll>
  )
}

const stickyClass = 'sticky left-0 z-1 bg-surface pr-2 pl-4'

function CohortName({ label, size, isAll }: { label: string; size: number; isAll?: boolean }) {
  return (
    <>
      <th
        scope="row"
        className={clsx(
          stickyClass,
          'h-8 max-w-40 truncate text-left whitespace-nowrap',
          isAll ? 'font-medium' : 'font-normal',
        )}
      >
        <bdi title={label}>{label}</bdi>
      </th>
      <td className="px-2 text-right text-muted">{number(size)}</td>
    </>
  )
}

/** Weighed by how many began, over the cohorts that are old enough. */
function Average({ cohorts, periods }: RetentionTriangleProps) {
  const shares = averages(cohorts, periods.length)
  return (
    <tr>
      <CohortName label="All" size={cohorts.reduce((sum, { size }) => sum + size, 0)} isAll />
      {periods.map((period, index) => (
        <td key={period} className="h-8 bg-sunken text-center font-medium">
          {shares[index] === null ? '' : percent(shares[index] ?? 0)}
        </td>
      ))}
    </tr>
  )
}

function Share({
  cohort,
  place: index,
  show,
  most,
}: {
  cohort: RetentionCohort
  place: number
  show: 'percent' | 'count'
  most: number
}) {
  const count = cohort.counts[index]
  if (count === null || count === undefined) return null
  const share = cohort.size > 0 ? count / cohort.size : 0
  const isOpen = cohort.lastIsIncomplete && cohort.counts.slice(index + 1).every((later) => later === null)
  const text = show === 'percent' ? percent(share) : number(count)
  const cellText = `${number(count)} of ${number(cohort.size)}, ${percent(share)}${isOpen ? '; in progress' : ''}`
  const look = clsx(
    'grid h-8 place-items-center rounded-xs px-1',
    isOpen && 'border border-dashed border-muted',
  )
  return (
    <Cell
      href={cohort.hrefs?.[index]}
      title={cellText}
      className={look}
      style={{ background: index === 0 ? 'var(--color-sunken)' : cellBackground(share / most) }}
    >
      {text}
    </Cell>
  )
}

function Cell({ href, ...cell }: CellProps) {
  return href ? (
    <Anchor
      {...cell}
      href={href}
      className={`${cell.className} hover:ring-1 hover:ring-ink hover:ring-inset focus-visible:-outline-offset-2`}
    >
      {cell.children}
    </Anchor>
  ) : (
    <span {...cell} />
  )
}

type CellProps = {
  href?: string
  title: string
  className: string
  style: { background: string }
  children: string
}

/** The largest share that came back. All are there in the period that they began in, so it is left out. */
export function largestReturn(cohorts: readonly RetentionCohort[]): number {
  const shares = cohorts.flatMap(({ size, counts }) =>
    counts.slice(1).map((count) => (count ?? 0) / (size || 1)),
  )
  return Math.max(0, ...shares) || 1
}

/** Never so strong that its number cannot be read. */
const cellBackground = (share: number): string =>
  `color-mix(in oklab, var(--color-chart-1) ${Math.round(Math.min(1, Math.max(0, share)) * 55)}%, var(--color-surface))`

/** The share of all who were back in each period; cohorts not that old yet, or still in it, are left out. */
export const averages = (cohorts: readonly RetentionCohort[], periods: number): Amount[] =>
  Array.from({ length: periods }, (_, index) => {
    const old = cohorts.filter((cohort) => isOver(cohort, index))
    const began = old.reduce((sum, { size }) => sum + size, 0)
    return began > 0 ? old.reduce((sum, { counts }) => sum + (counts[index] ?? 0), 0) / began : null
  })

function isOver({ counts, lastIsIncomplete }: RetentionCohort, index: number): boolean {
  if (counts[index] === null || counts[index] === undefined) return false
  return !lastIsIncomplete || counts.slice(index + 1).some((later) => later !== null)
}
