import { cookies } from 'next/headers'
import type { Metadata } from 'next'
import { oidcRefusalWords } from '#projects/oidc-refusals'
import { networkText } from '#projects/origin'
import { Notice } from '#ui/page/Notice'
import { Page } from '#ui/page/Page'
import { getProduct } from '#studio/product'
import { requireViewer } from '#studio/viewer'
import { Section, Sections } from '#studio/parts/Section'
import { lastProject } from '#studio/shell/last-project'
import { AccountTabs } from './AccountTabs'
import { PasswordForm } from './AccountForms'
import { SessionsTable } from './SessionsTable'
import { AuthenticatorApp } from './AuthenticatorApp'
import { LinkAccount } from './LinkAccount'
import { PasskeyList } from './PasskeyList'
import { RenewCodes } from './RecoveryCodes'
import { clockOf } from '#studio/parts/RelativeTime'

export const metadata: Metadata = { title: 'Security' }

export async function SecurityPage({ searchParams }: { searchParams: Promise<{ problem?: unknown }> }) {
  const viewer = await requireViewer()
  const { sessions, secondFactors, passkeys, oidc } = getProduct().signIn
  const last = (await cookies()).get(lastProject)?.value
  const mine = getProduct().projects.list(viewer)
  const { timeZone } = mine.find(({ slug }) => slug === last) ?? mine[0] ?? { timeZone: 'UTC' }
  const problem = oidc && oidcRefusalWords((await searchParams).problem, oidc.name)
  const isLinked = await oidc?.isLinked(viewer)
  const clock = clockOf({ timeZone })
  const { hasApp, passkeys: known, recoveryCodesLeft } = await secondFactors.status(viewer)
  const open = await sessions.list(viewer)

  return (
    <Page title="Security" description="Password, two-factor authentication and sessions.">
      <AccountTabs />
      {viewer.closedProjects && (
        <Notice tone="warning" title="Set up two-factor authentication">
          Some of your projects require it. Add an authenticator app or a passkey. If you have one, sign out
          and in again.
        </Notice>
      )}
      {problem && (
        <Notice tone="danger" title={`${oidc?.name} did not confirm this`} urgent>
          {problem}
        </Notice>
      )}
      <Sections>
        <Section title="Password" description="Changing it ends all other sessions.">
          <PasswordForm context={[viewer.email, viewer.name]} />
        </Section>
        <Section title="Authenticator app" description="A code from your phone in addition to the password.">
          <AuthenticatorApp hasApp={hasApp} />
        </Section>
        <Section
          title="Passkeys"
          description="Sign in without a password, with this device or a password manager."
        >
          <PasskeyList passkeys={known} objection={passkeys.objection} clock={clock} />
        </Section>
        {oidc && (
          <Section title={oidc.name} description="Sign in with that account too.">
            {isLinked ? <p>Your account is linked.</p> : <LinkAccount name={oidc.name} />}
          </Section>
        )}
        <Section title="Recovery codes" description="To sign in when you lose your other factors.">
          <RenewCodes left={recoveryCodesLeft} canRenew={hasApp || known.length > 0} />
        </Section>
        <Section
          title="Sessions"
          description="If you do not recognise a session, end it and change your password."
        >
          <SessionsTable
            clock={clock}
            sessions={open.map(({ id, client, address, createdAt, seenAt }) => ({
              id,
              client,
              address: networkText(address),
              createdAt,
              seenAt,
              isThis: id === viewer.sessionId,
            }))}
          />
        </Section>
      </Sections>
    </Page>
  )
}
