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
    <Page title="Your account" description="Yours in every project of this Tilth.">
      <AccountTabs />
      <Sections>
        <Section title="Name" description="How members, invitations and the audit log call you.">
          <NameForm name={viewer.name} />
        </Section>
        <Section title="E-mail" description="You sign in with it. Changing it asks for your password.">
          <EmailForm email={viewer.email} />
        </Section>
        <Section title="Appearance" description="Kept in this browser.">
          <Appearance theme={await chosenTheme()} />
        </Section>
      </Sections>
    </Page>
  )
}
