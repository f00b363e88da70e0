import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { oidcRefusals, oidcRefusalWords } from '#projects/oidc-refusals'
import { TextLink } from '#ui/Anchor'
import { Notice } from '#ui/page/Notice'
import { paths } from '#studio/paths'
import { getProduct } from '#studio/product'
import { currentViewer } from '#studio/viewer'
import { returnPath } from '#studio/return-path'
import { AccessCard } from './AccessPage'
import { PasskeyButton } from './PasskeyButton'
import { ProviderButton } from './ProviderButton'
import { SignInForm } from './SignInForm'

export const metadata: Metadata = { title: 'Sign in' }

export async function SignInPage({
  searchParams,
}: {
  searchParams: Promise<{ to?: unknown; problem?: unknown }>
}) {
  const { to: wanted, problem } = await searchParams
  const to = returnPath(wanted)
  const { setup, passkeys, oidc } = getProduct().signIn
  if (await setup.isNeeded()) redirect(paths.setup)
  if (await currentViewer()) redirect(to)

  return (
    <AccessCard title="Sign in">
      {oidc && problem !== undefined && (
        <Notice tone="danger" title={`You were not signed in with ${oidc.name}`} urgent>
          {oidcRefusalWords(problem, oidc.name) ?? oidcRefusals.unconfirmed(oidc.name)}
        </Notice>
      )}
      {oidc && <ProviderButton to={to} name={oidc.name} isOnly={oidc.settings.isRequired} />}
      {!oidc?.settings.isRequired && (
        <>
          <SignInForm to={to} />
          {passkeys.objection === undefined && <PasskeyButton to={to} />}
          <p className="mt-4 text-muted">
            <TextLink href={paths.forgotPassword}>Forgot your password?</TextLink>
          </p>
        </>
      )}
    </AccessCard>
  )
}
