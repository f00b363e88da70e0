import type { ReactNode } from 'react'
import type { StatusPageLink } from './status-titles'

interface StatusPageProps {
  title: string
  advice: string
  status?: number
  /** Finds the same failure in the server's log. */
  digest?: string
  /** Always a document of its own: whatever led here may have broken the one it was in. */
  link?: StatusPageLink
  children?: ReactNode
}

/** Stands in for a page that cannot be shown: what happened, and where to go from here. */
export function StatusPage({ title, advice, status, digest, link, children }: StatusPageProps) {
  return (
    <main className="status-page">
      <div className="status-page-words">
        {status && <p className="status-page-code">{status}</p>}
        <h1>{title}</h1>
        <p className="status-page-advice">{advice}</p>
        {digest && (
          <p className="status-page-digest">
            Digest: <code>{digest}</code>
          </p>
        )}
        <p className="status-page-ways">
          {link && <a href={link.address}>{link.label}</a>}
          {children}
        </p>
      </div>
    </main>
  )
}
