import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { AccessCard } from './AccessPage'
import { SetupForm } from './SetupForm'

export const metadata: Metadata = { title: 'Set up' }

export async function SetupPage() {
  if (!(await getProduct().signIn.setup.isNeeded())) redirect(paths.signIn())

  return (
    <AccessCard
      title="Set up Tilth"
      description="Enter the set-up code from the terminal where Tilth was started."
    >
      <SetupForm />
    </AccessCard>
  )
}
