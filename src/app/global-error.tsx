'use client'

import { StatusPage } from '#ui/page/StatusPage'
import { applicationError } from '#ui/page/status-titles'
import '#ui/styles.css'

/** The page for exceptions that no other page caught. Only one thrown on the server carries a digest. */
export default function GlobalError({ error }: { error: unknown }) {
  const digest = digestOf(error)
  const { title, advice } = applicationError(digest ? 'server' : 'client')

  return (
    <html lang="en">
      <head>
        <title>{title}</title>
      </head>
      <body>
        <StatusPage title={title} advice={advice} digest={digest}>
          <button type="button" onClick={() => location.reload()}>
            Load this page again
          </button>
        </StatusPage>
      </body>
    </html>
  )
}

function digestOf(error: unknown): string | undefined {
  return error instanceof Error && 'digest' in error ? String(error.digest) : undefined
}
