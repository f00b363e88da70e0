import type { Metadata } from 'next'
import type { MailServerReport, ShownMailServer } from '#projects/mail-server'
import { DescriptionList } from '#ui/DescriptionList'
import { Notice } from '#ui/page/Notice'
import { getProduct } from '#studio/product'
import { openProject } from '#studio/parts/open-project'
import { Section, Sections } from '#studio/parts/Section'
import { MailServerForm } from './MailServerForm'
import { RemoveMailServer } from './RemoveMailServer'
import { SendTest } from './SendTest'

export const metadata: Metadata = { title: 'E-mail' }

/** The mail server of the installation, which all projects share. */
export async function EmailPage({ params }: { params: Promise<{ project: string }> }) {
  const { viewer } = await openProject((await params).project)
  const report = await getProduct().projects.mailServer.read(viewer)
  const { source, server, mayChange, isUnreadable } = report
  const reason = mayChange ? undefined : 'Only owners of all projects can change this.'

  return (
    <Sections>
      <Section
        title="Mail server"
        description="Sends alerts, reports, newsletters, confirmations and password resets of all projects."
      >
        <div className="flex flex-col gap-4">
          <StateNotice {...report} />
          {source === 'environment'
            ? server && <DescriptionList facts={factsOf(server)} />
            : mayChange && <MailServerForm key={JSON.stringify(server)} server={server} />}
        </div>
      </Section>
      {source !== 'none' && (
        <Section title="Test" description="Sends an e-mail to your own address.">
          <SendTest whyNot={isUnreadable ? 'Enter the password again first.' : reason} />
        </Section>
      )}
      {source === 'studio' && mayChange && (
        <Section title="Remove" description="E-mails wait until another mail server is set up.">
          <RemoveMailServer />
        </Section>
      )}
    </Sections>
  )
}

function StateNotice({ source, mayChange, isUnreadable }: MailServerReport) {
  if (source === 'environment')
    return (
      <Notice title="Set by TILTH_SMTP and TILTH_MAIL_FROM">
        Remove them and restart Tilth to set the mail server here.
      </Notice>
    )
  if (isUnreadable)
    return (
      <Notice tone="warning" title="The password cannot be read">
        Another key encrypted it. Restore flags.key in the data folder, or enter the password again.
      </Notice>
    )
  if (mayChange) return null
  return (
    <Notice title={source === 'studio' ? 'E-mail is set up' : 'E-mail isn’t set up'}>
      Only owners of all projects see and change the mail server.
    </Notice>
  )
}

const factsOf = ({ host, port, isSecure, user, hasPassword, from }: ShownMailServer) => [
  { term: 'Host', value: host, mono: true },
  { term: 'Port', value: String(port), mono: true },
  { term: 'Encryption', value: isSecure ? 'TLS' : 'STARTTLS' },
  { term: 'User', value: user ?? 'None', mono: user !== undefined },
  { term: 'Password', value: hasPassword ? 'Set' : 'None' },
  { term: 'Sender', value: from },
]
