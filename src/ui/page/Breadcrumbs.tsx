import { Anchor } from '../Anchor'

export type Crumb = { label: string; href: string }

/** The way up from here. The page itself is not in it: its title stands below. */
export function Breadcrumbs({ trail }: { trail: Crumb[] }) {
  return (
    <nav aria-label="Breadcrumbs">
      <ol className="flex flex-wrap items-center gap-1.5 text-xs text-muted">
        {trail.map((crumb) => (
          <li
            key={crumb.href}
            className="flex items-center gap-1.5 not-last:after:text-faint not-last:after:content-['/']"
          >
            <Anchor
              href={crumb.href}
              className="rounded-xs hover:text-ink hover:underline hover:underline-offset-3"
            >
              {crumb.label}
            </Anchor>
          </li>
        ))}
      </ol>
    </nav>
  )
}
