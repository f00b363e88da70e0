import { clsx } from 'clsx'
import { ArrowDownRight, ArrowUpRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Anchor } from '../Anchor'
import { change, unchanged } from '../format'
import { Icon } from '../Icon'
import { Skeleton } from '../page/Skeleton'
import type { ChartColour } from './chart'
import { ColourMark } from './ColourMark'

type StatProps = {
  label: string
  /** The colour that charts have for it. */
  mark?: ChartColour
  /** As written: `12.3k`, `1m 23s`. Undefined while it loads. */
  value?: ReactNode
  /** The number before and now; `good` says which way is good news. */
  change?: { from: number; to: number; good?: 'up' | 'down' | 'neither' }
  hint?: ReactNode
  /** Makes it a way to choose what is shown below. */
  href?: string
  current?: boolean
}

/** A number, what it counts, and where it is going. */
export function Stat(props: StatProps) {
  if (!props.href) return <div className="px-4 py-3.5">{inside(props)}</div>
  return (
    <Anchor
      href={props.href}
      aria-current={props.current ? 'true' : undefined}
      className={clsx(
        'relative block px-4 py-3.5 transition-colors after:absolute after:inset-x-0 after:bottom-0',
        'after:h-0.5 after:bg-accent after:opacity-0 hover:bg-hover focus-visible:-outline-offset-2',
        'aria-[current]:after:opacity-100',
      )}
    >
      {inside(props)}
    </Anchor>
  )
}

/** Stats side by side, with hairlines between; they wrap where there is little room. In a card they have no frame. */
export function Stats({ framed = true, children }: { framed?: boolean; children: ReactNode }) {
  return (
    <div className={clsx('@container/stats', framed || '-mx-4')}>
      <div
        className={clsx(
          'grid grid-cols-[repeat(auto-fit,minmax(9.5rem,1fr))] overflow-clip',
          framed && 'rounded-lg border border-line',
          // two full rows rather than a full one and a short one; seven stand in one row where there is room
          '@xl/stats:has-[>:nth-child(7)]:grid-cols-4 @2xl/stats:has-[>:nth-child(9)]:grid-cols-5',
          '@4xl/stats:has-[>:nth-child(7):last-child]:grid-cols-7',
          'bg-surface *:shadow-[1px_1px_0_var(--color-line)]',
        )}
      >
        {children}
      </div>
    </div>
  )
}

function inside({ label, mark, value, change: changed, hint, current }: StatProps) {
  return (
    <div className="flex flex-col gap-1">
      <span className={clsx('text-xs', current ? 'font-medium text-ink' : 'text-muted')}>
        {mark && (
          <>
            <ColourMark colour={mark} />{' '}
          </>
        )}
        {label}
      </span>
      <span className="flex flex-wrap items-baseline gap-x-2">
        {value === undefined ? (
          <Skeleton className="my-1 h-5 w-20" />
        ) : (
          <span className="text-2xl font-semibold tabular-nums">{value}</span>
        )}
        {changed && <Change {...changed} />}
      </span>
      {hint && <span className="text-xs text-faint">{hint}</span>}
    </div>
  )
}

/** Green and red mean good and bad news, not up and down. */
export function Change({
  from,
  to,
  good = 'up',
}: {
  from: number
  to: number
  good?: 'up' | 'down' | 'neither'
}) {
  const direction = to > from ? 'up' : 'down'
  const isGood = direction === good
  const text = change(from, to)
  const isUnchanged = text === unchanged
  return (
    <span
      className={clsx(
        'inline-flex items-center gap-0.5 text-xs font-medium tabular-nums',
        isUnchanged || good === 'neither' ? 'text-muted' : isGood ? 'text-success-ink' : 'text-danger-ink',
      )}
    >
      {!isUnchanged && <Icon of={direction === 'up' ? ArrowUpRight : ArrowDownRight} size="sm" />}
      {text}
    </span>
  )
}
