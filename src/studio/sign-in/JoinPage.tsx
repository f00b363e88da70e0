import type { Metadata } from 'next'
import { currentViewer } from '#studio/viewer'
import { Join } from './Join'

export const metadata: Metadata = { title: 'Join', referrer: 'no-referrer' }

export async function JoinPage() {
  const viewer = await currentViewer()

  return (
    <>
      <noscript>
        <p className="text-base">
          This page needs JavaScript, so that the secret of the link never reaches a log. Allow it, or open
          the link in another browser.
        </p>
      </noscript>
      <div className="noscript:hidden">
        <Join viewer={viewer && { name: viewer.name, email: viewer.email }} />
      </div>
    </>
  )
}
