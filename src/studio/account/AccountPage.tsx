import type { Metadata } from 'next'
import { Page } from '#ui/page/Page'
import { requireViewer } from '#studio/viewer'
import { Section, Sections } from '#studio/parts/Section'
import { chosenTheme } from '#studio/shell/theme'
import { Appearance } from './Appearance'
import { EmailForm, NameForm } from './AccountForms'
import { AccountTabs } from './AccountTabs'

export const metadata: Metadata = { title: 'Your account' }

export async function AccountPage() {
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
