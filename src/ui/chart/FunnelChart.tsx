import { ArrowDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { Anchor } from '../Anchor'
import type { CountedUnit, FunnelChartProps, FunnelChartStep } from './chart'
import { ChartLegend } from './internal/ChartLegend'
import { Figure } from './internal/Figure'
import { colourAt, colourValue } from './internal/series-style'
import { EmptyPlot } from './internal/EmptyPlot'
import type { ChartTable } from './internal/chart-table'
import { duration, number, percent, plural } from '../format'
import { Icon } from '../Icon'

/** Steps from top to bottom, who got there and who did not; one bar for each group. Every part leads to who it is. */
export function FunnelChart(funnel: FunnelChartProps) {
  const { title, steps, groups, counted } = funnel
  if (steps.length === 0 || groups.length === 0) return <EmptyPlot />

  return (
    <Figure title={title} description={funnel.description ?? overall(funnel)} readings={tableOf(funnel)}>
      {groups.length > 1 && (
        <ChartLegend
          entries={groups.map(({ label }, index) => ({ label, colour: colourAt(index), mark: 'block' }))}
        />
      )}
      <ol className="chart-steps flex flex-col">
        {steps.map((step, index) => (
          <li key={step.key}>
            <Between steps={stepFiguresAt(groups, index)} counted={counted} />
            <p className="mb-1 flex items-baseline gap-2 text-sm font-medium">
              <span className="text-xs text-faint tabular-nums">{index + 1}</span>
              <bdi className="line-clamp-2 wrap-anywhere" title={step.label}>
                {step.label}
              </bdi>
              {step.optional && <span className="text-xs font-normal text-faint">optional</span>}
            </p>
            <div className="chart-bars flex flex-col gap-1">
              {stepFiguresAt(groups, index).map((reached, group) => (
                <GroupBar
                  key={groups[group]?.key}
                  funnel={funnel}
                  step={index}
                  group={group}
                  reached={reached}
                />
              ))}
            </div>
          </li>
        ))}
      </ol>
    </Figure>
  )
}

/** With one group, what happened between two steps is said between them. */
function Between({
  steps: [only, ...others],
  counted,
}: {
  steps: FunnelStepFigures[]
  counted: CountedUnit
}) {
  if (!only || only.ofBefore === undefined) return null
  if (others.length > 0) return <div className="h-4" />
  const { dropped, medianMs } = only
  return (
    <p className="flex flex-wrap items-center gap-x-1.5 py-2 pl-0.5 text-xs text-muted">
      <Icon of={ArrowDown} size="sm" className="text-faint" />
      <span className="font-medium text-ink tabular-nums">{percent(only.ofBefore)}</span> converted
      <span aria-hidden>·</span>
      <span className="tabular-nums">{plural(dropped, ...counted)}</span> dropped off
      {medianMs !== undefined && (
        <>
          <span aria-hidden>·</span> median {duration(medianMs)}
        </>
      )}
    </p>
  )
}

type BarProps = { funnel: FunnelChartProps; step: number; group: number; reached: FunnelStepFigures }

function GroupBar({ funnel, step, group, reached }: BarProps) {
  const of = funnel.groups[group]
  const words = `${of && funnel.groups.length > 1 ? `${of.label}, ` : ''}${funnel.steps[step]?.label}`
  const pick = (href?: string) =>
    funnel.onPick && (() => funnel.onPick?.({ point: step, series: of?.key ?? '', href }))
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_5.5rem] items-center gap-3">
      <div
        className={`chart-bar flex overflow-hidden rounded-sm bg-sunken ${funnel.groups.length > 1 ? 'min-h-6' : 'min-h-9'}`}
      >
        <Part
          width={reached.width}
          href={reached.href}
          onPick={pick(reached.href)}
          label={`${words}: ${plural(reached.count, ...funnel.counted)}`}
          colour={colourValue(colourAt(group))}
        />
        {reached.dropped > 0 && (
          <Part
            width={reached.droppedWidth}
            href={reached.droppedHref}
            onPick={pick(reached.droppedHref)}
            label={`${words}: ${plural(reached.dropped, ...funnel.counted)} dropped off before`}
            colour={colourValue(colourAt(group))}
            isHatched
          />
        )}
      </div>
      <p className="text-sm leading-tight tabular-nums">
        <span className="font-medium">{number(reached.count)}</span>
        <span className="ml-1.5 text-xs text-muted">{percent(reached.ofFirst)}</span>
      </p>
    </div>
  )
}

const hatched = (colour: string) =>
  `repeating-linear-gradient(-45deg, color-mix(in oklab, ${colour} 45%, transparent) 0 1.5px, transparent 1.5px 7px)`

/** A stretch of a bar; pressable where it leads somewhere. */
function Part({ width, label, colour, isHatched, href, onPick }: PartProps) {
  const background = isHatched ? hatched(colour) : colour
  const style = { width: `${Math.round(width * 10_000) / 100}%`, background, color: colour }
  const look = 'block min-w-px'
  const pressable = `${look} transition-opacity hover:opacity-80 focus-visible:-outline-offset-2`
  if (onPick) return <Press {...{ label, style, onPick }} look={pressable} />
  if (!href) return <span title={label} className={look} style={style} />
  return (
    <Anchor href={href} title={label} aria-label={label} className={pressable} style={style}>
      <Nothing />
    </Anchor>
  )
}

type PartProps = {
  width: number
  label: string
  colour: string
  isHatched?: boolean
  href?: string
  onPick?: () => void
}

function Press({
  label,
  look,
  style,
  onPick,
}: {
  label: string
  look: string
  style: object
  onPick: () => void
}): ReactNode {
  return (
    <button type="button" title={label} aria-label={label} className={look} style={style} onClick={onPick} />
  )
}

/** A link is its bar; its words are its label. */
const Nothing = () => <span aria-hidden />

function overall({ groups, steps, counted }: FunnelChartProps): string {
  return groups
    .slice(0, 8)
    .map(({ label, steps: counts }, index) => {
      const last = stepFiguresAt(groups, steps.length - 1)[index]
      const name = groups.length > 1 ? `${label}: ` : ''
      return `${name}${number(last?.count ?? 0)} of ${plural(counts[0]?.count ?? 0, ...counted)} reached the last step, ${percent(last?.ofFirst ?? 0)}.`
    })
    .join(' ')
}

function tableOf({ steps, groups, counted }: FunnelChartProps): ChartTable {
  const nameOf = (label: string, what: string) => (groups.length > 1 ? `${label}, ${what}` : what)
  return {
    first: 'Step',
    headings: groups.flatMap(({ label }) => [
      { label: nameOf(label, counted[1]) },
      { label: nameOf(label, 'of all') },
      { label: nameOf(label, 'dropped off') },
      { label: nameOf(label, 'median time') },
    ]),
    rows: steps.map((step, index) => ({
      title: `${index + 1}. ${step.label}`,
      x: 0,
      cells: stepFiguresAt(groups, index).flatMap(({ count, ofFirst, dropped, medianMs }) => [
        { text: number(count) },
        { text: percent(ofFirst) },
        { text: number(dropped) },
        { text: medianMs === undefined ? '–' : duration(medianMs) },
      ]),
    })),
  }
}

/** A step of one group, beside the step before it and the first. */
type FunnelStepFigures = FunnelChartStep & {
  /** Of those who entered. */
  ofFirst: number
  /** Of those at the step before; undefined for the first. */
  ofBefore?: number
  dropped: number
  /** For drawing: of the largest first step of all groups. */
  width: number
  droppedWidth: number
}

/** Per step, what each group reached. */
export function stepFiguresAt(groups: FunnelChartProps['groups'], step: number): FunnelStepFigures[] {
  const largest = Math.max(0, ...groups.flatMap(({ steps }) => steps.map(({ count }) => count)))
  return groups.map(({ steps }) => stepFigures(steps, step, largest))
}

function stepFigures(steps: readonly FunnelChartStep[], step: number, largest: number): FunnelStepFigures {
  const here = steps[step] ?? { count: 0 }
  const before = step === 0 ? undefined : steps[step - 1]?.count
  const dropped = before === undefined ? 0 : Math.max(0, before - here.count)
  return {
    ...here,
    dropped,
    ofFirst: ratio(here.count, steps[0]?.count),
    ofBefore: before === undefined ? undefined : ratio(here.count, before),
    width: ratio(here.count, largest),
    droppedWidth: ratio(dropped, largest),
  }
}

/** 0 of 0 is 0, not NaN. */
const ratio = (part: number, whole = 0): number => (whole > 0 ? part / whole : 0)
