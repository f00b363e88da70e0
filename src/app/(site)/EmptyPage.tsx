import type { ReactNode } from 'react'
import { paths } from '#studio/paths'

interface EmptyPageProps {
  title: string
  advice: string
  /** Shows a link to the studio, for the owners of the site. */
  leadsToStudio?: boolean
  children?: ReactNode
}

/** A page of the site before there is anything on it. */
export function EmptyPage({ title, advice, leadsToStudio = false, children }: EmptyPageProps) {
  return (
    <main id="content" className="column alone" tabIndex={-1}>
      <h1 dir="auto">{title}</h1>
      <p className="lead-words">{advice}</p>
      {children}
      {leadsToStudio && (
        <p>
          <a className="press" href={paths.studio}>
            Open the studio
          </a>
        </p>
      )}
    </main>
  )
}
