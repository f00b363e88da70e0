import { cookies } from 'next/headers'
import type { Metadata } from 'next'
import { Badge } from '../../../../../ui/Badge'
import { Page } from '../../../../../ui/Page'
import { getProduct } from '../../../../product'
import { requireViewer } from '../../../../viewer'
import { Section, Sections } from '../../../Section'
import { chosenTheme } from '../../../theme'
import { lastProject } from '../../last-project'
import { Appearance } from './Appearance'
import { EmailForm, NameForm, PasswordForm } from './AccountForms'
import { SessionsTable } from './SessionsTable'

export const metadata: Metadata = { title: 'Your account' }

export default async function AccountPage() {
  const viewer = await requireViewer()
  const { sessions, projects } = getProduct()
  const last = (await cookies()).get(lastProject)?.value
  const mine = projects.list(viewer)
  const { timeZone } = mine.find(({ slug }) => slug === last) ?? mine[0] ?? { timeZone: 'UTC' }
  const open = await sessions.list(viewer)

  return (
    <Page title="Your account" description="Yours in every project of this Tilth.">
      <Sections>
        <Section title="Name" description="How members, invitations and the audit log call you.">
          <NameForm name={viewer.name} />
        </Section>
        <Section title="E-mail" description="You sign in with it. Changing it asks for your password.">
          <EmailForm email={viewer.email} />
        </Section>
        <Section title="Password" description="A new one ends every session but this.">
          <PasswordForm context={[viewer.email, viewer.name]} />
        </Section>
        <Section title="Appearance" description="Kept in this browser.">
          <Appearance theme={await chosenTheme()} />
        </Section>
        <Section title="Two-factor and passkeys" description="A second proof beside the password.">
          <p className="flex flex-wrap items-center gap-2">
            <Badge>Not built yet</Badge>
            <span className="text-muted">
              Codes from an app and passkeys are not there yet; they will be set up here.
            </span>
          </p>
        </Section>
        <Section
          title="Sessions"
          description="Where you are signed in. End what you do not recognise, then change your password."
        >
          <SessionsTable
            clock={{ now: new Date(), timeZone }}
            sessions={open.map(({ id, client, address, createdAt, seenAt }) => ({
              id,
              client,
              address,
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
