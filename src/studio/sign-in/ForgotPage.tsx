import type { Metadata } from 'next'
import { TextLink } from '#ui/Anchor'
import { tilthCommand } from '#studio/tilth-command'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { AccessCard } from './AccessPage'
import { ForgotForm } from './ForgotForm'

export const metadata: Metadata = { title: 'Reset password' }

export function ForgotPage() {
  if (!getProduct().signIn.passwordResets.canMail) return <WithoutMail />

  return (
    <AccessCard
      title="Reset password"
      description="We send you a link to set a new password. It works once, for 30 minutes."
    >
      <ForgotForm />
    </AccessCard>
  )
}

function WithoutMail() {
  return (
    <AccessCard
      title="Reset password"
      description="E-mail isn’t set up on this server, so it cannot send you a link."
    >
      <p>Ask the operator to create one on the server with this command:</p>
      <p className="my-3 overflow-x-auto rounded-md bg-sunken p-3 font-mono text-xs">
        {tilthCommand('member reset-link you@example.com')}
      </p>
      <p>
        <TextLink href={paths.signIn()}>Back to sign in</TextLink>
      </p>
    </AccessCard>
  )
}
