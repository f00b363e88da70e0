import type { Metadata } from 'next'
import { connection } from 'next/server'
import { StatusPage } from '#ui/page/StatusPage'
import { fallbackFor, frontPage } from '#ui/page/status-titles'
import '#ui/styles.css'

const notFound = fallbackFor(404)

export const metadata: Metadata = { title: notFound.title }

/** For an address that is no page at all. A page that finds nothing to show wears its own layout instead. */
export default async function GlobalNotFound() {
  // Scripts carry the nonce of one request, which a page rendered at build time could not know.
  await connection()

  return (
    <html lang="en">
      <body>
        <StatusPage status={404} {...notFound} link={frontPage} />
      </body>
    </html>
  )
}
