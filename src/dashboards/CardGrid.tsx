import type { CSSProperties, ReactNode, Ref } from 'react'
import { Anchor } from '../ui/Anchor'
import type { Place } from './grid'

/** How tall a row is, and how far it is from the next; `CardGrid` says the same in its class. */
export const rowRem = 4
export const gapRem = 1

/** Twelve columns; below each other where there is no room for that. */
export function CardGrid({ ref, children }: { ref?: Ref<HTMLDivElement>; children: ReactNode }) {
  return (
    <div ref={ref} className="grid min-w-0 gap-4 md:auto-rows-[4rem] md:grid-cols-12">
      {children}
    </div>
  )
}

/** Where one card stands. Cards come in reading order, for narrow screens and for whoever hears them. */
export function CardCell({ place: { x, y, w, h }, children }: { place: Place; children: ReactNode }) {
  // React’s type of styles knows no properties of our own
  const style = { '--columns': `${x + 1} / span ${w}`, '--rows': `${y + 1} / span ${h}` } as CSSProperties
  return (
    <div style={style} className="min-w-0 md:[grid-column:var(--columns)] md:[grid-row:var(--rows)]">
      {children}
    </div>
  )
}

/** The sheet of a card. What is too large for it is scrolled to. */
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
      className="flex min-w-0 flex-col overflow-clip rounded-lg border border-line bg-surface md:h-full"
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
        className="min-h-0 min-w-0 grow overflow-x-hidden overflow-y-auto px-4 pt-1 pb-4 focus-visible:-outline-offset-2"
      >
        {children}
      </div>
      {note && <p className="shrink-0 border-t border-line px-4 py-1.5 text-xs text-muted">{note}</p>}
    </section>
  )
}
