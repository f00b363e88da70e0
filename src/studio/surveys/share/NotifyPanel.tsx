'use client'

import { useState } from 'react'
import type { GivenRecipient } from '#alerts/recipient'
import { Panel } from '#ui/page/Panel'
import { RecipientFields } from '#studio/recipients/RecipientFields'
import type { AlertMember } from '#studio/recipients/recipients'
import { ChangeForm, Submit } from '#studio/parts/ChangeForm'
import { saveRecipients } from './actions'

interface NotifyPanelProps {
  slug: string
  survey: string
  whyNot: string | undefined
  recipients: readonly GivenRecipient[]
  members: readonly AlertMember[]
  /** The reasons why e-mails cannot reach a recipient, by its name. */
  hindrances: Readonly<Record<string, string>>
}

/** The recipients of an e-mail for each response. */
export function NotifyPanel({ slug, survey, whyNot, recipients, members, hindrances }: NotifyPanelProps) {
  const [draft, setDraft] = useState(recipients)
  return (
    <Panel
      title="Notify"
      description="Each response is e-mailed once: when complete, or 30 minutes after its last answer. At most 100 in an hour."
    >
      <ChangeForm change={() => saveRecipients(slug, survey, draft)} saved="Recipients saved">
        <div className="flex max-w-xl flex-col gap-2.5">
          <RecipientFields value={draft} onChange={setDraft} members={members} hindrances={hindrances} />
          <div>
            <Submit disabledReason={whyNot}>Save</Submit>
          </div>
        </div>
      </ChangeForm>
    </Panel>
  )
}
