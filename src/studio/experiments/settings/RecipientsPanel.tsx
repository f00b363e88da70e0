import { NoMailServer } from '#studio/recipients/NoMailServer'
import { RecipientFields } from '#studio/recipients/RecipientFields'
import type { AlertMember } from '#studio/recipients/recipients'
import { FormError } from '#ui/form/FormError'
import { Panel } from '#ui/page/Panel'
import type { ExperimentFieldsProps } from '../editor/AboutFields'
import { problemOf } from '../editor/draft'

/** The possible recipients of an experiment's notices, and what keeps e-mails from them. */
export interface RecipientChoices {
  members: readonly AlertMember[]
  /** The reasons why e-mails cannot reach a recipient, by its name. */
  hindrances: Readonly<Record<string, string>>
  canMail: boolean
}

/** The recipients of an experiment's own. */
export function RecipientsPanel({
  draft,
  problems,
  onChange,
  slug,
  choices: { members, hindrances, canMail },
}: ExperimentFieldsProps & { slug: string; choices: RecipientChoices }) {
  const { error } = problemOf(problems, 'recipients')
  return (
    <Panel
      title="Notify"
      description="Of a verdict, a broken guardrail, a split that is off and a plan that is done. If you choose no recipient, the members and webhooks of the project’s alerts are notified, or its owners while it has no alerts."
    >
      <div className="flex max-w-xl flex-col gap-2.5">
        {!canMail && <NoMailServer slug={slug} untilThen="Webhooks work without it." />}
        <RecipientFields
          value={draft.recipients}
          onChange={(recipients) => onChange({ recipients })}
          members={members}
          hindrances={hindrances}
          withWebhooks
        />
        {error && <FormError title={error} />}
      </div>
    </Panel>
  )
}
