'use client'

import { Check, X } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#ui/Button'
import { Field } from '#ui/form/Field'
import { Textarea } from '#ui/form/Textarea'
import { Icon } from '#ui/Icon'
import { useToast } from '#ui/overlay/Toast'
import { useDirectChange } from '#studio/parts/Change'
import { ChangeDialog } from '#studio/parts/ChangeDialog'
import { approveProposal, refuseProposal } from './actions'

interface ProposalDecisionProps {
  slug: string
  id: string
  /** Why this member does not decide. */
  whyNot: string | undefined
  /** Why the change cannot be made any more. */
  hindrance: string | undefined
}

export function ProposalDecision({ slug, id, whyNot, hindrance }: ProposalDecisionProps) {
  const { make, question } = useDirectChange()
  const showToast = useToast()
  const [isBusy, setBusy] = useState(false)

  async function approve() {
    setBusy(true)
    const trouble = await make(() => approveProposal(slug, id), { saved: 'Proposal approved' })
    setBusy(false)
    if (trouble) showToast({ title: trouble.error, tone: 'danger' })
  }

  return (
    <>
      {question}
      <ChangeDialog
        title="Refuse the proposal"
        description="Nothing changes. The assistant can read the reason."
        change={(form) => refuseProposal(slug, id, form)}
        saved="Proposal refused"
        submit="Refuse"
        trigger={
          <Button icon={<Icon of={X} />} disabledReason={whyNot}>
            Refuse…
          </Button>
        }
      >
        <Field label="Why" name="reason" optional>
          <Textarea name="reason" rows={3} />
        </Field>
      </ChangeDialog>
      <Button
        variant="primary"
        icon={<Icon of={Check} />}
        busy={isBusy}
        disabledReason={whyNot ?? hindrance}
        onClick={() => void approve()}
      >
        Approve
      </Button>
    </>
  )
}
