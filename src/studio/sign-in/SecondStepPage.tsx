import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { stepToken } from '#studio/viewer'
import { returnPath } from '#studio/return-path'
import { AccessCard } from './AccessPage'
import { PasskeyButton } from './PasskeyButton'
import { StepForm } from './StepForm'

export const metadata: Metadata = { title: 'Two-factor authentication' }

export async function SecondStepPage({ searchParams }: { searchParams: Promise<{ to?: unknown }> }) {
  const to = returnPath((await searchParams).to)
  const { signIn } = getProduct()
  const { passkeys } = signIn
  if (!(await signIn.isStepOpen(await stepToken()))) redirect(paths.signIn(to))

  return (
    <AccessCard
      title="Two-factor authentication"
      description="Enter the code from your authenticator app, or a recovery code."
    >
      <StepForm to={to} />
      {passkeys.objection === undefined && <PasskeyButton to={to} />}
    </AccessCard>
  )
}
