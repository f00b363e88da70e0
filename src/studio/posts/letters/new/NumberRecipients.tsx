'use client'

import { useState } from 'react'
import { Button } from '#ui/Button'
import { FormError } from '#ui/form/FormError'
import { useNavigation } from '#ui/navigation/Navigation'
import { NumberAudience, numberCohortDraft } from '#studio/numbers/NumberAudience'
import type { NumberPeople } from '#studio/numbers/people-of-number'
import { useDirectChange } from '#studio/parts/Change'
import { paths } from '#studio/paths'
import { createRecipientCohort } from '../actions'

interface NumberRecipientsProps {
  slug: string
  people: NumberPeople
  whyNot: string | undefined
}

/** Makes a cohort of the people behind a number, and goes on to the newsletter for the subscribers among them. */
export function NumberRecipients({ slug, people, whyNot }: NumberRecipientsProps) {
  const [cohort, setCohort] = useState(() => numberCohortDraft(people))
  const [problem, setProblem] = useState<string>()
  const { make, question } = useDirectChange()
  const { push } = useNavigation()

  async function create() {
    const failed = await make(() => createRecipientCohort(slug, cohort), {
      onDone: ({ id }) => push(paths.newLetter(slug, { cohort: id })),
    })
    setProblem(failed?.error)
  }

  return (
    <div className="flex flex-col gap-4">
      <NumberAudience people={people} value={cohort} onChange={setCohort} />
      {question}
      {problem !== undefined && <FormError title={problem} />}
      <p className="text-pretty text-muted">
        Only those of them who subscribed to a list and confirmed get the newsletter. It says how many these
        are before it is sent.
      </p>
      <div>
        <Button variant="primary" disabledReason={whyNot} onClick={() => void create()}>
          Create cohort and write
        </Button>
      </div>
    </div>
  )
}
