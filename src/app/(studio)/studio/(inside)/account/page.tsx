import type { Metadata } from 'next'
import { Page } from '#ui/page/Page'
import { requireViewer } from '#app/viewer'
import { Section, Sections } from '#app/(studio)/Section'
import { chosenTheme } from '#app/(studio)/theme'
import { Appearance } from './Appearance'
import { EmailForm, NameForm } from './AccountForms'
import { AccountTabs } from './AccountTabs'

export const metadata: Metadata = { title: 'Your account' }

export default async function AccountPage() {
  const viewer = await requireViewer()

  return (
    <Page title="Your account" description="Shared by all your projects.">
      <AccountTabs />
      <Sections>
        <Section title="Name" description="Shown to members, in invitations and in the audit log.">
          <NameForm name={viewer.name} />
        </Section>
        <Section title="E-mail" description="For signing in. Changing it requires your password.">
          <EmailForm email={viewer.email} />
        </Section>
        <Section title="Appearance" description="Stored in this browser.">
          <Appearance theme={await chosenTheme()} />
        </Section>
      </Sections>
    </Page>
  )
}
