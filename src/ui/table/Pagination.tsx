import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Anchor } from '../Anchor'
import { Icon } from '../Icon'
import { buttonClass } from '../keyboard/button-style'

/** Forwards and backwards through a list too long to count. A missing side is the end. */
export function CursorPagination({
  label,
  previousHref,
  nextHref,
  children,
}: {
  /** Of what: "Pages of persons". */
  label: string
  previousHref?: string
  nextHref?: string
  /** Words on the left, such as how many there are. */
  children?: ReactNode
}) {
  return (
    <nav aria-label={label} className="flex items-center justify-between gap-4 text-xs text-muted">
      <span>{children}</span>
      <span className="flex gap-2">
        <Step href={previousHref} rel="prev">
          <Icon of={ChevronLeft} size="sm" /> Previous
        </Step>
        <Step href={nextHref} rel="next">
          Next <Icon of={ChevronRight} size="sm" />
        </Step>
      </span>
    </nav>
  )
}

/** Through a list of known length, by number. */
export function PagePagination({
  label,
  page,
  pages,
  href,
}: {
  label: string
  /** From 1. */
  page: number
  pages: number
  href: (page: number) => string
}) {
  return (
    <nav aria-label={label} className="flex items-center justify-center gap-1">
      <Step href={page > 1 ? href(page - 1) : undefined} rel="prev">
        <Icon of={ChevronLeft} size="sm" label="Previous" />
      </Step>
      {shownPages(page, pages).map((shown, index) =>
        shown === 'gap' ? (
          <span key={`gap ${index}`} className="w-7 text-center text-faint">
            …
          </span>
        ) : (
          <PageLink key={shown} page={shown} href={href(shown)} isCurrent={shown === page} />
        ),
      )}
      <Step href={page < pages ? href(page + 1) : undefined} rel="next">
        <Icon of={ChevronRight} size="sm" label="Next" />
      </Step>
    </nav>
  )
}

function PageLink({ page, href, isCurrent }: { page: number; href: string; isCurrent: boolean }) {
  return (
    <Anchor
      href={href}
      aria-label={`Page ${page}`}
      aria-current={isCurrent ? 'page' : undefined}
      className={`grid h-7 min-w-7 place-items-center rounded-md px-1.5 text-xs font-medium tabular-nums ${
        isCurrent ? 'bg-pressed text-ink' : 'text-muted hover:bg-hover hover:text-ink'
      }`}
    >
      {page}
    </Anchor>
  )
}

function Step({ href, rel, children }: { href?: string; rel: 'prev' | 'next'; children: ReactNode }) {
  const look = buttonClass({ size: 'sm' })
  return href ? (
    <Anchor href={href} rel={rel} className={look}>
      {children}
    </Anchor>
  ) : (
    <span aria-hidden aria-disabled="true" className={look}>
      {children}
    </span>
  )
}

/** First, last, and the neighbourhood of the current page; never a gap of one. */
export function shownPages(page: number, pages: number): (number | 'gap')[] {
  const all = Array.from({ length: pages }, (_, index) => index + 1)
  const kept = all.filter(
    (n) => n === 1 || n === pages || Math.abs(n - page) <= 1 || (pages <= 7 && n <= pages),
  )
  return kept.flatMap((n, place) => {
    const missing = n - (kept[place - 1] ?? 0) - 1
    if (missing === 0) return [n]
    return missing === 1 ? [n - 1, n] : ['gap' as const, n]
  })
}
