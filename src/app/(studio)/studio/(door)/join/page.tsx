import type { Metadata } from 'next'
import { currentViewer } from '#app/viewer'
import { Join } from './Join'

export const metadata: Metadata = { title: 'Join', referrer: 'no-referrer' }

export default async function JoinPage() {
  const viewer = await currentViewer()

  return (
    <>
      <noscript>
        <p className="text-base">
          An invitation is read by script, so that its secret never reaches a log. Please allow scripts for
          this page, or open the link in another browser.
        </p>
      </noscript>
      <div className="noscript:hidden">
        <Join viewer={viewer && { name: viewer.name, email: viewer.email }} />
      </div>
    </>
  )
}
