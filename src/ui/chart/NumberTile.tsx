import { clsx } from 'clsx'
import { Ellipsis } from 'lucide-react'
import type { ReactNode } from 'react'
import { Anchor } from '../Anchor'
import type { NumberTileProps } from './chart'
import { amount, shortAmount, type Unit } from '../format'
import { Icon } from '../Icon'
import { Skeleton } from '../page/Skeleton'
import { SparkLine } from './SparkLine'
import { Change } from './Stat'

/** A big number, where it is going, and how it came about. In Stats it also chooses the chart below. */
export function NumberTile(tile: NumberTileProps) {
  const inside = <Inside {...tile} />
  const box = clsx('flex min-w-0 flex-col', tile.isAlone ? 'chart-column -mx-4 px-4 pb-1' : 'px-4 py-3.5')
  if (!tile.href) return <div className={box}>{inside}</div>
  const pressable = <TileLink tile={tile} box={box} inside={inside} />
  if (!tile.valueHref) return pressable
  return (
    <div data-marks className="group/tile relative grid">
      {pressable}
      <Anchor
        href={tile.valueHref}
        aria-label={`${tile.label}: people`}
        className="absolute top-2 right-2 grid size-7 place-items-center rounded-md text-faint opacity-0 transition-opacity group-hover/tile:opacity-100 hover:bg-hover hover:text-ink focus-visible:opacity-100 pointer-coarse:opacity-100"
      >
        <Icon of={Ellipsis} />
      </Anchor>
    </div>
  )
}

function TileLink({ tile, box, inside }: { tile: NumberTileProps; box: string; inside: ReactNode }) {
  return (
    <Anchor
      href={tile.href ?? ''}
      aria-current={tile.current ? 'true' : undefined}
      className={clsx(
        box,
        'relative transition-colors after:absolute after:inset-x-0 after:bottom-0',
        'after:h-0.5 after:bg-accent after:opacity-0 hover:bg-hover focus-visible:-outline-offset-2',
        'aria-[current]:after:opacity-100',
      )}
    >
      {inside}
    </Anchor>
  )
}

function Inside(tile: NumberTileProps) {
  const { label, about, hint, spark, sparkCompared, lastIsIncomplete, current, isAlone } = tile
  return (
    <>
      <span
        className={clsx(
          'truncate text-xs',
          isAlone && 'sr-only',
          current ? 'font-medium text-ink' : 'text-muted',
        )}
      >
        <bdi title={about ?? label}>{label}</bdi>
      </span>
      <Figures {...tile} />
      {hint && <span className="mt-1 text-xs text-faint">{hint}</span>}
      {spark && spark.length > 0 && (
        <span className={clsx('pt-3', isAlone ? 'chart-spark flex min-h-11 grow flex-col' : 'mt-auto block')}>
          <SparkLine
            values={spark}
            compared={sparkCompared}
            lastIsIncomplete={lastIsIncomplete}
            className={isAlone ? 'min-h-8 grow basis-0' : undefined}
          />
        </span>
      )}
    </>
  )
}

function Figures({ value, unit, margin, compared, comparedLabel, good, size = 'md' }: NumberTileProps) {
  if (value === undefined) return <Skeleton className="my-2 h-6 w-24" />
  return (
    <span className="mt-1 flex flex-wrap items-baseline gap-x-2">
      <Big value={value} unit={unit} className={size === 'lg' ? 'text-3xl' : 'text-2xl'} />
      {margin && value !== null && <span className="text-xs text-muted">{margin}</span>}
      {value !== null && compared !== null && compared !== undefined && (
        <span
          className="inline-flex items-baseline gap-1.5"
          title={`${amount(compared, unit)} ${comparedLabel ?? 'in the previous period'}`}
        >
          <Change from={compared} to={value} good={good} />
          <span className="sr-only">
            from {amount(compared, unit)} {comparedLabel ?? 'in the previous period'}
          </span>
        </span>
      )}
    </span>
  )
}

/** Short for the eye; whole for who listens or asks. */
function Big({ value, unit, className }: { value: number | null; unit?: Unit; className: string }) {
  const [short, whole] = [shortAmount(value, unit), amount(value, unit)]
  return (
    <span
      className={clsx('font-semibold tabular-nums', className)}
      title={short === whole ? undefined : whole}
    >
      {short}
    </span>
  )
}
