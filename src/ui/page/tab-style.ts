import { clsx } from 'clsx'

/** `line`: a page's views. `segment`: a small choice beside a chart, such as day, week, month. */
export type TabStyle = 'line' | 'segment'

export const tabListClass = (variant: TabStyle) =>
  variant === 'line'
    ? 'relative flex gap-5 overflow-x-auto overflow-y-hidden border-b border-line [scrollbar-width:none]'
    : 'inline-flex gap-0.5 rounded-md bg-sunken p-0.5 ring-1 ring-line ring-inset'

export const tabClass = (variant: TabStyle) =>
  clsx(
    'relative inline-flex shrink-0 items-center gap-1.5 font-medium whitespace-nowrap select-none transition-colors',
    'focus-visible:-outline-offset-2',
    variant === 'line' ? lineClass : segmentClass,
  )

const lineClass = clsx(
  'h-9 rounded-sm text-muted hover:text-ink data-active:text-ink aria-[current=page]:text-ink',
  'after:absolute after:inset-x-0 after:bottom-0 after:h-0.5 after:rounded-full after:bg-accent after:opacity-0 after:transition-opacity',
  'data-active:after:opacity-100 aria-[current=page]:after:opacity-100',
  'data-pending:text-ink data-pending:after:opacity-100',
  'in-[nav:has([data-pending])]:not-data-pending:text-muted! in-[nav:has([data-pending])]:not-data-pending:after:opacity-0!',
)

const segmentClass = clsx(
  'h-7 rounded-sm px-2.5 text-xs text-muted hover:text-ink',
  'data-active:bg-control data-active:text-ink data-active:ring-1 data-active:ring-line-strong',
  'aria-[current=page]:bg-control aria-[current=page]:text-ink aria-[current=page]:ring-1 aria-[current=page]:ring-line-strong',
  'has-checked:bg-control has-checked:text-ink has-checked:ring-1 has-checked:ring-line-strong',
  'data-pending:bg-control data-pending:text-ink data-pending:ring-1 data-pending:ring-line-strong',
  'in-[nav:has([data-pending])]:not-data-pending:bg-transparent! in-[nav:has([data-pending])]:not-data-pending:text-muted! in-[nav:has([data-pending])]:not-data-pending:ring-0!',
)
