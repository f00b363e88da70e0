import { clsx } from 'clsx'
import type { CSSProperties, ReactNode, Ref } from 'react'
import { Anchor } from '#ui/Anchor'
import type { CardPlacement } from './grid'

/** The height of a row and the gap to the next; the classes of `CardGrid` repeat them. */
export const rowRem = 4
export const gapRem = 1

interface CardGridProps {
  ref?: Ref<HTMLDivElement>
  /** Rows of one height, which a drag is measured by; otherwise rows are as high as their cards need. */
  hasFixedRows?: boolean
  children: ReactNode
}

/** A grid of twelve columns; where the board is narrow, the cards stack. */
export function CardGrid({ ref, hasFixedRows = false, children }: CardGridProps) {
  return (
    <div className="board min-w-0">
      <div
        ref={ref}
        className={clsx(
          'grid min-w-0 gap-4 @xl/board:grid-cols-12',
          hasFixedRows && '@xl/board:auto-rows-[4rem]',
        )}
      >
        {children}
      </div>
    </div>
  )
}

/**
 * The cell of one card. A drawing has the height of its rows, a list at most that, and text and steps what they need:
 * see charts.css. Cards are rendered in reading order, for narrow screens and screen readers. */
export function CardCell({ place: { x, y, w, h }, children }: { place: CardPlacement; children: ReactNode }) {
  // React’s type of styles knows no properties of our own
  const style = {
    '--columns': `${x + 1} / span ${w}`,
    '--rows': `${y + 1} / span ${h}`,
    '--height': `${h * rowRem + (h - 1) * gapRem}rem`,
  } as CSSProperties
  return (
    <div
      style={style}
      className="board-cell min-w-0 @xl/board:[grid-column:var(--columns)] @xl/board:[grid-row:var(--rows)]"
    >
      {children}
    </div>
  )
}

/** The frame of a card. A chart fills it; what is longer scrolls. */
export function CardFrame({
  title,
  titleHref,
  actions,
  note,
  children,
}: {
  title: string
  titleHref?: string
  actions?: ReactNode
  note?: ReactNode
  children: ReactNode
}) {
  return (
    <section
      aria-label={title}
      className="flex min-w-0 flex-col overflow-clip rounded-lg border border-line bg-surface @xl/board:h-full"
    >
      <header className="flex min-h-11 shrink-0 items-center justify-between gap-3 px-4 pt-1.5 pb-0.5">
        <h2 className="min-w-0 truncate text-base font-semibold" title={title}>
          {titleHref === undefined ? (
            title
          ) : (
            <Anchor href={titleHref} className="rounded-xs hover:underline">
              {title}
            </Anchor>
          )}
        </h2>
        <div className="flex shrink-0 items-center gap-1">{actions}</div>
      </header>
      {/* A box that scrolls must be reachable without a mouse. */}
      <div
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="chart-fill min-h-0 min-w-0 grow overflow-x-hidden overflow-y-auto px-4 pt-1 pb-4 focus-visible:-outline-offset-2"
      >
        {children}
      </div>
      {note && <p className="shrink-0 border-t border-line px-4 py-1.5 text-xs text-muted">{note}</p>}
    </section>
  )
}
