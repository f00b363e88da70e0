'use client'

import { useState } from 'react'
import { useNavigation } from '#ui/navigation/Navigation'
import { paths } from '#studio/paths'
import { NumberAudience, numberCohortDraft } from '#studio/numbers/NumberAudience'
import type { NumberPeople } from '#studio/numbers/people-of-number'
import { ChangeForm, Submit } from '#studio/parts/ChangeForm'
import { saveNumberCohort } from '../actions'

/** Saves the persons behind a number that no condition describes as a list. */
export function NumberCohortForm({
  slug,
  people,
  whyNot,
}: {
  slug: string
  people: NumberPeople
  whyNot: string | undefined
}) {
  const router = useNavigation()
  const [draft, setDraft] = useState(() => numberCohortDraft(people))
  return (
    <ChangeForm
      change={() => saveNumberCohort(slug, draft)}
      saved="Cohort created"
      onDone={({ id }) => router.push(paths.cohort(slug, id))}
    >
      <NumberAudience people={people} value={draft} onChange={setDraft} />
      <div>
        <Submit disabledReason={whyNot ?? (people.total === 0 ? 'There are no people to save.' : undefined)}>
          Create cohort
        </Submit>
      </div>
    </ChangeForm>
  )
}
