import type { Metadata } from 'next'
import { AccessCard } from '../AccessPage'
import { ResetForm } from './ResetForm'

export const metadata: Metadata = { title: 'New password', referrer: 'no-referrer' }

export default function ResetPage() {
  return (
    <AccessCard
      title="New password"
      description="It ends every session of yours. Afterwards you sign in with it."
    >
      <noscript>
        <p>The link is read by script, so that its secret never reaches a log. Please allow scripts here.</p>
      </noscript>
      <div className="noscript:hidden">
        <ResetForm />
      </div>
    </AccessCard>
  )
}
