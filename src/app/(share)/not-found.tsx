import type { Metadata } from 'next'
import { EmptyMessage } from '#ui/page/EmptyMessage'

/** Next takes the title of a page that finds nothing from here. */
export const metadata: Metadata = { title: 'This link does not work' }

export default function ShareNotFound() {
  return (
    <main className="grid min-h-dvh place-items-center">
      <EmptyMessage
        title="This link does not work"
        body="It may be mistyped, revoked or expired. Ask the sender for a new one."
      />
    </main>
  )
}
