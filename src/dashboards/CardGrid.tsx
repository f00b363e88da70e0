import type { CSSProperties, ReactNode, Ref } from 'react'
import { Anchor } from '#ui/Anchor'
import type { CardPlacement } from './grid'

/** The height of a row and the gap to the next; the class of `CardGrid` repeats them. */
export const rowRem = 4
export const gapRem = 1

/** A grid of twelve columns; where the board is narrow, the cards stack. */
export function CardGrid({ ref, children }: { ref?: Ref<HTMLDivElement>; children: ReactNode }) {
  return (
    <div className="board min-w-0">
      <div ref={ref} className="grid min-w-0 gap-4 @xl/board:auto-rows-[4rem] @xl/board:grid-cols-12">
        {children}
      </div>
    </div>
  )
}

/** The cell of one card. Cards are rendered in reading order, for narrow screens and screen readers. */
export function CardCell({ place: { x, y, w, h }, children }: { place: CardPlacement; children: ReactNode }) {
  // React’s type of styles knows no properties of our own
  const style = { '--columns': `${x + 1} / span ${w}`, '--rows': `${y + 1} / span ${h}` } as CSSProperties
  return (
    <div
      style={style}
      className="min-w-0 @xl/board:[grid-column:var(--columns)] @xl/board:[grid-row:var(--rows)]"
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
