import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { AccessCard } from '#studio/sign-in/AccessPage'
import { SetupForm } from '#studio/sign-in/SetupForm'

export const metadata: Metadata = { title: 'Set up' }

export default async function SetupPage() {
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
