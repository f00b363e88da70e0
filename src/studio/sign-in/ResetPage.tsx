import type { Metadata } from 'next'
import { AccessCard } from './AccessPage'
import { ResetForm } from './ResetForm'

export const metadata: Metadata = { title: 'New password', referrer: 'no-referrer' }

export function ResetPage() {
  return (
    <AccessCard
      title="New password"
      description="All your sessions end. Sign in with the new password afterwards."
    >
      <noscript>
        <p>This page needs JavaScript, so that the secret of the link never reaches a log.</p>
      </noscript>
      <div className="noscript:hidden">
        <ResetForm />
      </div>
    </AccessCard>
  )
}
